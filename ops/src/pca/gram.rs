//! The Gram matrix of a sparse matrix, `XᵀX` in `f64`, without its dense form.
//!
//! Entry (i, j) is a sum over the rows in ascending order, whatever the block size and the row chunks. A warp has row i of
//! the result: for each row of the matrix that has gene i, its lanes stride over the entries, whose columns are distinct.

use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![add_rows::kernel()]
}

/// Warps of a block.
const WARPS: usize = 4;

/// `XᵀX` of a matrix that comes in row chunks, row by row.
///
/// # Errors
/// What the device reports.
pub fn gram(device: &Device, chunks: &[&DeviceCsr<f32>], n_cols: usize) -> Result<Buffer<f64>, Error> {
    let mut out = device.zeros(n_cols * n_cols)?;
    for chunk in chunks.iter().filter(|chunk| chunk.n_rows() > 0) {
        add_rows(&chunk.indptr, &chunk.indices, &chunk.data, n_cols, &mut out)
            .grid(n_cols.div_ceil(WARPS))
            .block(WARPS * 32)
            .launch()?;
    }
    Ok(out)
}

#[gpu_kernel]
fn add_rows(indptr: &[u64], indices: &[u32], data: &[f32], n_cols: usize, gram: &mut [f64]) {
    let mut found = shared::<[u64; WARPS]>();
    let gene = global_warp_id();
    if gene < n_cols {
        for row in 0..indptr.len() - 1 {
            let start = indptr[row] as usize;
            let end = indptr[row + 1] as usize;
            if lane_id() == 0 {
                // Where the row has the gene, or its end.
                let mut low = start;
                let mut high = end;
                while low < high {
                    let middle = (low + high) / 2;
                    if (indices[middle] as usize) < gene {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                let there = low < end && indices[low] as usize == gene;
                found[warp_id()] = if there { low } else { end } as u64;
            }
            sync_warp();
            let place = found[warp_id()] as usize;
            if place < end {
                let own = data[place] as f64;
                let mut k = start + lane_id();
                while k < end {
                    gram[gene * n_cols + indices[k] as usize] += own * data[k] as f64;
                    k += 32;
                }
            }
            sync_warp();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    #[test]
    fn sums_run_over_the_rows_in_order_in_any_chunks() {
        assert!(add_rows::kernel().runs_in_phases());
        let device = Device::cpu();
        let host = example(300, 37);
        let mut expected = vec![0f64; 37 * 37];
        for row in &host.rows {
            for (i, v) in row {
                for (j, w) in row {
                    expected[*i as usize * 37 + *j as usize] += f64::from(*v) * f64::from(*w);
                }
            }
        }
        let whole = gram(&device, &[&host.upload(&device)], 37).unwrap();
        assert_eq!(whole.download().unwrap(), expected);
        let (first, second) = (host.rows(0..101).upload(&device), host.rows(101..300).upload(&device));
        assert_eq!(gram(&device, &[&first, &second], 37).unwrap().download().unwrap(), expected);
    }
}
