//! Folds the leaves of each gene, a thread a gene.

use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![fold_leaves::kernel(), fold_counts::kernel()]
}

/// By a tree that depends on the number of leaves only: neighbours first, then neighbours of those.
#[gpu_kernel]
pub(super) fn fold_leaves(leaves: &[f64], n_leaves: usize, out: &mut [f64]) {
    let column = global_id();
    if column < out.len() {
        // A partial sum for each level; 2^40 leaves can't be.
        let mut partial = [0.0f64; 40];
        for leaf in 0..n_leaves {
            let mut sum = leaves[leaf * out.len() + column];
            let mut number = leaf;
            let mut level = 0usize;
            while number % 2 == 1 {
                sum = partial[level] + sum;
                number /= 2;
                level += 1;
            }
            partial[level] = sum;
        }
        let mut sum = 0.0;
        let mut rest = n_leaves;
        let mut level = 0usize;
        while rest > 0 {
            if rest % 2 == 1 {
                sum = partial[level] + sum;
            }
            rest /= 2;
            level += 1;
        }
        out[column] = sum;
    }
}

#[gpu_kernel]
pub(super) fn fold_counts(leaves: &[u32], n_leaves: usize, out: &mut [u64]) {
    let column = global_id();
    if column < out.len() {
        let mut sum = 0u64;
        for leaf in 0..n_leaves {
            sum += leaves[leaf * out.len() + column] as u64;
        }
        out[column] = sum;
    }
}
