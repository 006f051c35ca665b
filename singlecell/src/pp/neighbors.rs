//! `neighbors`: the exact nearest neighbours

use crate::Error;
use crate::data::Uns;
use crate::pipeline::{DeviceData, DeviceGraph, Step};
use warpcell_ops::knn::nearest_neighbors;

/// The nearest neighbours of each cell among the principal components, exactly.
#[derive(Clone, Copy, Debug)]
pub struct Neighbors {
    /// How many, the cell itself included; fewer, if there are not as many cells.
    pub n_neighbors: usize,
}

impl Step for Neighbors {
    fn name(&self) -> &'static str {
        "neighbors"
    }

    fn check(&self, _: &DeviceData) -> Result<(), Error> {
        if self.n_neighbors < 2 {
            let problem =
                format!("n_neighbors is {}; a cell counts as its own, so ask for at least 2", self.n_neighbors);
            return Err(Error::Step { step: self.name(), problem });
        }
        Ok(())
    }

    fn run(&self, data: &mut DeviceData) -> Result<(), Error> {
        let Some(scores) = data.obsm.get("X_pca") else {
            let problem = "there are no principal components (`X_pca`); run `pca` before".into();
            return Err(Error::Step { step: self.name(), problem });
        };
        let k = self.n_neighbors.min(data.x.n_rows());
        let found = nearest_neighbors(&scores.data, scores.n_cols, k)?;
        let graph = DeviceGraph { indices: found.indices, distances: found.distances, n_neighbors: k };
        data.obsp.insert("distances".into(), graph);
        let params = Uns::from([
            ("n_neighbors", Uns::Int(k as i64)),
            ("metric", Uns::String("euclidean".into())),
            ("use_rep", Uns::String("X_pca".into())),
        ]);
        let keys = [("distances_key", Uns::String("distances".into())), ("params", params)];
        data.uns.insert("neighbors".into(), Uns::from(keys));
        Ok(())
    }
}
