//! Scores and loadings from the eigenvectors of the covariance matrix.

use super::basis::{CovarianceBasis, PIECE};
use super::{component_sign, krylov::KrylovBasis};
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![signed_rows::kernel(), mean_scores::kernel(), scores_of::kernel()]
}

/// The eigenvectors with their signs, on the device and on the host.
pub(super) struct Loadings {
    /// Genes x components padded to whole pieces, row by row.
    padded: Buffer<f64>,
    /// Genes x components, row by row.
    pub host: Vec<f64>,
}

impl Loadings {
    /// The first `components` columns of the basis, with the signs that make the largest entries positive.
    pub(super) fn new(basis: &CovarianceBasis, components: usize) -> Result<Loadings, Error> {
        let (n, stride) = (basis.order(), basis.stride());
        let columns = basis.columns.slice(0..components * stride).download()?;
        let column = |component: usize| columns[component * stride..component * stride + n].iter().copied();
        let signs: Vec<f64> = (0..components).map(|component| component_sign(column(component))).collect();
        let entry = |i: usize| columns[i % components * stride + i / components] * signs[i % components];
        let host = (0..n * components).map(entry).collect();
        let device = basis.columns.device();
        let width = components.next_multiple_of(PIECE);
        let mut padded = device.zeros(n * width)?;
        let signs = device.upload(&signs)?;
        signed_rows(&basis.columns, &signs, stride, width, &mut padded).threads(n * width).launch()?;
        Ok(Loadings { padded, host })
    }

    /// The scores `(X - m) V`: cells x components, row by row.
    pub(super) fn scores(
        &self,
        matrix: &DeviceCsr<f32>,
        mean: &DSlice<f64>,
        components: usize,
    ) -> Result<Buffer<f32>, Error> {
        let device = matrix.device();
        let width = components.next_multiple_of(PIECE);
        let mut offsets = device.zeros(width)?;
        mean_scores(mean, &self.padded, &mut offsets).threads(width).launch()?;
        let mut scores = device.allocate(matrix.n_rows() * components)?;
        let (indptr, indices, data) = (&matrix.indptr, &matrix.indices, &matrix.data);
        scores_of(indptr, indices, data, &self.padded, &offsets, components, &mut scores)
            .threads(matrix.n_rows() * width / PIECE)
            .launch()?;
        Ok(scores)
    }
}

/// Columns of the basis as rows of `width`, of which those without a sign stay zero.
#[gpu_kernel]
fn signed_rows(columns: &[f64], signs: &[f64], stride: usize, width: usize, rows: &mut [f64]) {
    let i = global_id();
    if i < rows.len() {
        let component = i % width;
        if component < signs.len() {
            rows[i] = columns[component * stride + i / width] * signs[component];
        }
    }
}

/// What the means alone would score.
#[gpu_kernel]
fn mean_scores(mean: &[f64], loadings: &[f64], offsets: &mut [f64]) {
    let component = global_id();
    if component < offsets.len() {
        let mut sum = 0.0;
        for gene in 0..mean.len() {
            sum += mean[gene] * loadings[gene * offsets.len() + component];
        }
        offsets[component] = sum;
    }
}

/// A thread for each cell and piece of components, over the entries of the row in order.
#[gpu_kernel]
fn scores_of(
    indptr: &[u64],
    indices: &[u32],
    data: &[f32],
    loadings: &[f64],
    offsets: &[f64],
    components: usize,
    scores: &mut [f32],
) {
    let pieces = offsets.len() / PIECE;
    let row = global_id() / pieces;
    if row + 1 < indptr.len() {
        let first = global_id() % pieces * PIECE;
        let mut sums = [0.0f64; PIECE];
        for k in indptr[row] as usize..indptr[row + 1] as usize {
            let value = data[k] as f64;
            let start = indices[k] as usize * offsets.len() + first;
            let loading = &loadings[start..start + PIECE];
            for c in 0..PIECE {
                sums[c] += value * loading[c];
            }
        }
        for c in 0..PIECE {
            if first + c < components {
                scores[row * components + first + c] = (sums[c] - offsets[first + c]) as f32;
            }
        }
    }
}
