//! Pictures for a report, as PNG. They take plain values and know nothing of annotations.

mod embedding;
mod genes;
mod theme;
mod variance;
mod violin;

pub use embedding::{Colour, embedding};
pub use genes::{GenePoint, highly_variable_genes};
pub use variance::pca_variance_ratio;
pub use violin::{Metric, violin};
