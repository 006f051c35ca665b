//! `pca`

use super::upload;
use crate::Error;
use crate::data::{Column, Dense, Uns};
use crate::pipeline::{DeviceArray, DeviceData, Step};
use warpcell_ops::matrix::select_columns;

/// Principal components of the highly variable genes (of all, if none were chosen), centred and not scaled.
#[derive(Clone, Copy, Debug)]
pub struct Pca {
    /// How many to compute; fewer, if there are not as many cells or genes.
    pub n_comps: usize,
}

impl Step for Pca {
    fn name(&self) -> &'static str {
        "pca"
    }

    fn check(&self, _: &DeviceData) -> Result<(), Error> {
        if self.n_comps == 0 {
            return Err(Error::Step { step: self.name(), problem: "n_comps is 0; ask for at least 1".into() });
        }
        Ok(())
    }

    fn run(&self, data: &mut DeviceData) -> Result<(), Error> {
        let chosen = match data.var.get("highly_variable") {
            Some(Column::Bool(flags)) => flags.clone(),
            _ => vec![true; data.n_vars()],
        };
        let subset = select_columns(&data.x, &*upload(data, &chosen)?)?;
        let most = subset.n_rows().min(subset.n_cols).saturating_sub(1);
        if most == 0 {
            let problem = format!(
                "{} cells and {} genes have no components; keep more cells (min_genes) or choose more genes (n_top_genes)",
                subset.n_rows(),
                subset.n_cols
            );
            return Err(Error::Step { step: self.name(), problem });
        }
        let n_comps = self.n_comps.min(most);
        if n_comps < self.n_comps {
            tracing::warn!("only {n_comps} of {} components exist for this many cells and genes", self.n_comps);
        }
        let found = warpcell_ops::pca::pca(&subset, n_comps)?;
        data.varm.insert("PCs".into(), loadings(&found.loadings, &chosen, n_comps));
        data.obsm.insert("X_pca".into(), DeviceArray { data: found.scores, n_cols: n_comps });
        let params = Uns::from([
            ("zero_center", Uns::Bool(true)),
            ("use_highly_variable", Uns::Bool(chosen.contains(&false))),
            ("mask_var", Uns::String("highly_variable".into())),
        ]);
        let [variance, ratio] = [found.variance, found.variance_ratio].map(Uns::Floats);
        data.uns
            .insert("pca".into(), Uns::from([("variance", variance), ("variance_ratio", ratio), ("params", params)]));
        Ok(())
    }
}

/// A row for each gene of the data: zeros for those that were not chosen, as in scanpy.
fn loadings(found: &[f64], chosen: &[bool], n_comps: usize) -> Dense {
    let mut data = vec![0f32; chosen.len() * n_comps];
    let rows = chosen.iter().enumerate().filter(|(_, flag)| **flag);
    for ((gene, _), values) in rows.zip(found.chunks_exact(n_comps)) {
        for (target, value) in data[gene * n_comps..(gene + 1) * n_comps].iter_mut().zip(values) {
            *target = *value as f32;
        }
    }
    Dense { data, n_cols: n_comps }
}
