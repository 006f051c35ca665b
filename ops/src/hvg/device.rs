//! Highly variable genes of a matrix on a device: moments there, dispersions on the host.

use super::seurat::{SeuratDispersions, SeuratOptions, seurat_dispersions};
use crate::stats::{Value, gene_moments};
use crate::{DeviceCsr, Error};
use warpcell_runtime::prelude::*;

/// scanpy's `highly_variable_genes(flavor="seurat")` of logarithms of normalised counts, which come in row chunks in
/// ascending order. `base` is that of the logarithm; nothing for the natural one.
///
/// # Errors
/// Fewer than two cells, no genes, or options that don't fit them; NaN or infinite values; what the device reports.
pub fn highly_variable_genes<T: Real>(
    device: &Device,
    chunks: &[&DeviceCsr<T>],
    base: Option<f64>,
    options: &SeuratOptions,
) -> Result<SeuratDispersions, Error> {
    let moments = gene_moments(device, chunks, base.map_or(Value::ExpM1, Value::ExpM1Base))?;
    seurat_dispersions(&moments.mean.download()?, &moments.variance.download()?, options)
        .map_err(|error| Error::Argument { operation: "highly_variable_genes", problem: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    /// Logarithms to base 2, cut in two, are natural logarithms in another unit.
    #[test]
    fn base_and_chunks_change_nothing() {
        let device = Device::cpu();
        let mut natural = example(500, 60);
        natural.rows.iter_mut().flatten().for_each(|entry| entry.1 = entry.1.ln_1p());
        let mut binary = natural.rows(0..500);
        binary.rows.iter_mut().flatten().for_each(|entry| entry.1 = (f64::from(entry.1) / 2f64.ln()) as f32);
        let options = SeuratOptions::default();
        let whole = natural.upload(&device);
        let expected = highly_variable_genes(&device, &[&whole], None, &options).unwrap();
        let (first, second) = (binary.rows(0..200).upload(&device), binary.rows(200..500).upload(&device));
        let found = highly_variable_genes(&device, &[&first, &second], Some(2.0), &options).unwrap();
        for (a, b) in found.dispersions.iter().zip(&expected.dispersions) {
            assert!((a - b).abs() < 1e-5, "{a} {b}");
        }
        assert!(found.means.iter().zip(&expected.means).all(|(a, b)| (a - b).abs() < 1e-6));
    }

    #[test]
    fn one_cell_is_an_error() {
        let device = Device::cpu();
        let one = example(1, 10).upload(&device);
        let error = highly_variable_genes(&device, &[&one], None, &SeuratOptions::default()).err().unwrap().to_string();
        assert!(error.contains("at least two cells"), "{error}");
    }
}
