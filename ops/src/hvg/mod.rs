//! Highly variable genes, from statistics of the genes.

mod mean_bins;
pub mod seurat;
