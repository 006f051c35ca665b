//! Highly variable genes, from statistics of the genes.

mod device;
mod mean_bins;
pub mod seurat;

pub use device::highly_variable_genes;
