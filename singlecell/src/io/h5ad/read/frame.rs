//! `obs` and `var`.

use super::column;
use crate::Error;
use crate::data::Frame;
use crate::io::hdf5::Node;

/// Reads a `dataframe`.
pub(super) fn read(node: &Node<'_>) -> Result<Frame, Error> {
    if !node.is_group() {
        return Err(
            node.error("is a table of an anndata before 0.7; open the file with a current anndata and write it again")
        );
    }
    match &*node.encoding() {
        // anndata 0.7 began with an attribute of another name.
        "dataframe" | "" => {}
        other => return Err(node.error(format!("is encoded as `{other}`, where a dataframe is expected"))),
    }
    let index_name = node.text("_index").unwrap_or_else(|| "_index".into());
    let mut frame = Frame::new(column::names(&node.child(&index_name)?)?);
    let order = node.texts("column-order").unwrap_or_else(|| {
        node.children().into_iter().filter(|name| *name != index_name && name != "__categories").collect()
    });
    for name in order {
        let child = node.child(&name)?;
        let column = column::read(&child, node, &name)?;
        if column.len() != frame.len() {
            let problem = format!(
                "has {} values, but there are {} names; the file is damaged, write it again from its origin",
                column.len(),
                frame.len()
            );
            return Err(child.error(problem));
        }
        frame.set(name, column);
    }
    Ok(frame)
}
