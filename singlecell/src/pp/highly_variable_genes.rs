//! `highly_variable_genes`, flavour `seurat`

use crate::Error;
use crate::data::{Column, Uns};
use crate::pipeline::{DeviceData, Step};
use warpcell_ops::hvg::highly_variable_genes;
use warpcell_ops::hvg::seurat::{Selection, SeuratOptions};

/// Chooses the genes that vary most for their mean. Expects logarithms.
#[derive(Clone, Copy, Debug)]
pub struct HighlyVariableGenes {
    /// How many to choose; all, if there are fewer.
    pub n_top_genes: usize,
}

impl Step for HighlyVariableGenes {
    fn name(&self) -> &'static str {
        "highly_variable_genes"
    }

    fn check(&self, _: &DeviceData) -> Result<(), Error> {
        if self.n_top_genes == 0 {
            return Err(Error::Step { step: self.name(), problem: "n_top_genes is 0; choose at least 1".into() });
        }
        Ok(())
    }

    fn run(&self, data: &mut DeviceData) -> Result<(), Error> {
        let wanted = self.n_top_genes.min(data.n_vars());
        let options = SeuratOptions { selection: Selection::Top(wanted), ..SeuratOptions::default() };
        let found = highly_variable_genes(&data.device, &[&data.x], None, &options)?;
        data.var.set("highly_variable", Column::Bool(found.highly_variable));
        data.var.set("means", Column::Float64(found.means));
        data.var.set("dispersions", Column::Float64(found.dispersions));
        let single = found.dispersions_norm.iter().map(|value| *value as f32).collect();
        data.var.set("dispersions_norm", Column::Float32(single));
        data.uns.insert("hvg".into(), Uns::from([("flavor", Uns::String("seurat".into()))]));
        Ok(())
    }
}
