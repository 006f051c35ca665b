//! Pictures of an analysis, as PNG files.
//!
//! Each function takes plain values, knows nothing of annotations, and writes one file. Values that are no finite
//! numbers are not drawn, and a note in the picture says how many they are. Fonts are built in, so that a picture is
//! the same on every machine.

mod axis;
mod canvas;
mod colour_bar;
mod density;
mod embedding;
mod genes;
mod legend;
mod panel;
mod theme;
mod variance;
mod violin;

#[cfg(test)]
mod tests;

pub use axis::Scale;
pub use embedding::{Colour, embedding};
pub use genes::{GenePoint, highly_variable_genes};
pub use variance::{pca_variance_ratio, pca_variance_ratio_scaled};
pub use violin::{Metric, violin};
