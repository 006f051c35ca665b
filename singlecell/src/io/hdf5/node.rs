//! A group or an array of the file.

use crate::Error;
use crate::data::MatrixError;
use hdf5_pure::{AttrValue, Dataset, File, Group};
use std::collections::HashMap;
use std::path::Path;

/// A group or an array, with its path.
pub(in crate::io) struct Node<'f> {
    file: &'f Path,
    /// The path inside the file; empty for the root.
    path: String,
    object: Object,
    attributes: HashMap<String, AttrValue>,
}

enum Object {
    Group(Group),
    Dataset(Dataset),
}

impl<'f> Node<'f> {
    pub(super) fn root(file: &'f Path, hdf5: &File) -> Node<'f> {
        Node { file, path: String::new(), object: Object::Group(hdf5.root()), attributes: HashMap::new() }
    }

    /// An error at this place.
    pub(in crate::io) fn error(&self, problem: impl Into<String>) -> Error {
        let problem = problem.into();
        if self.path.is_empty() {
            return Error::Format { path: self.file.into(), problem };
        }
        Error::Element { path: self.file.into(), element: self.path.clone(), problem }
    }

    /// The parts of the matrix at this place don't fit together.
    pub(in crate::io) fn matrix_error(&self, source: MatrixError) -> Error {
        let element = match source.array() {
            Some(array) => format!("{}/{array}", self.path),
            None => self.path.clone(),
        };
        Error::Matrix { path: self.file.into(), element, source }
    }

    /// The path of this place, with the file.
    pub(in crate::io) fn place(&self) -> String {
        format!("{}: {}", self.file.display(), self.path)
    }

    /// How many groups lead to this place.
    pub(in crate::io) fn depth(&self) -> usize {
        self.path.matches('/').count()
    }

    /// The group or array called `name`.
    pub(in crate::io) fn child(&self, name: &str) -> Result<Node<'f>, Error> {
        let path = if self.path.is_empty() { name.to_string() } else { format!("{}/{name}", self.path) };
        let fail = |problem: String| Error::Element { path: self.file.into(), element: path.clone(), problem };
        let Object::Group(group) = &self.object else {
            return Err(self.error(
                "is an array, not a group; the file is damaged or of an anndata before 0.7: open it with anndata and write it again",
            ));
        };
        let object = match group.group(name) {
            Ok(group) => Object::Group(group),
            Err(_) => Object::Dataset(group.dataset(name).map_err(|error| {
                if self.has(name) {
                    fail(format!("can't be read ({error}); the file is damaged, copy or download it again"))
                } else {
                    fail("is missing; the file is damaged or was written by another program".into())
                }
            })?),
        };
        let attributes = match &object {
            Object::Group(group) => group.attrs(),
            Object::Dataset(dataset) => dataset.attrs(),
        };
        let attributes = attributes.map_err(|error| {
            fail(format!("has attributes that can't be read ({error}); the file is damaged, copy or download it again"))
        })?;
        Ok(Node { file: self.file, path, object, attributes })
    }

    /// The names of what a group holds.
    pub(in crate::io) fn children(&self) -> Vec<String> {
        let Object::Group(group) = &self.object else { return Vec::new() };
        let mut names = group.groups().unwrap_or_default();
        names.extend(group.datasets().unwrap_or_default());
        names.sort();
        names
    }

    /// Whether a group holds something called `name`.
    pub(in crate::io) fn has(&self, name: &str) -> bool {
        self.children().iter().any(|known| known == name)
    }

    pub(in crate::io) fn is_group(&self) -> bool {
        matches!(self.object, Object::Group(_))
    }

    pub(super) fn dataset(&self) -> Result<&Dataset, Error> {
        match &self.object {
            Object::Dataset(dataset) => Ok(dataset),
            Object::Group(_) => {
                Err(self.error(format!("is a group (`{}`) where an array is expected", self.encoding())))
            }
        }
    }

    /// A text attribute.
    pub(in crate::io) fn text(&self, name: &str) -> Option<String> {
        self.attributes.get(name).and_then(AttrValue::as_str).map(String::from)
    }

    /// An attribute of several texts.
    pub(in crate::io) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let value = self.attributes.get(name)?;
        value.as_strings().map(<[String]>::to_vec).or_else(|| {
            // Without any, the type is lost on some writers.
            value.to_f64s().filter(Vec::is_empty).map(|_| Vec::new())
        })
    }

    /// Whole numbers of an attribute.
    pub(in crate::io) fn numbers(&self, name: &str) -> Option<Vec<i64>> {
        let value = self.attributes.get(name)?;
        value.to_i64s().or_else(|| value.as_i64().map(|one| vec![one]))
    }

    /// A `bool` attribute, which h5py writes as an enumeration or a number.
    pub(in crate::io) fn flag(&self, name: &str) -> Option<bool> {
        self.attributes.get(name).and_then(AttrValue::as_i64).map(|value| value != 0)
    }

    /// anndata's name of the kind of element.
    pub(in crate::io) fn encoding(&self) -> String {
        self.text("encoding-type").unwrap_or_default()
    }
}
