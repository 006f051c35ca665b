//! Moving elements by index, and finding runs.

use crate::Error;
use crate::primitives::exclusive_scan;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![gather_u64::kernel(), mark_heads::kernel(), place_indices::kernel()]
}

/// `values[indices[i]]` for each `i`.
///
/// # Errors
/// An index is out of bounds; what the device reports.
pub fn gather(values: &DSlice<u64>, indices: &DSlice<u32>) -> Result<Buffer<u64>, Error> {
    let mut out = values.device().allocate::<u64>(indices.len())?;
    gather_u64(values, indices, &mut out).threads(indices.len()).launch()?;
    Ok(out)
}

#[gpu_kernel]
fn gather_u64(values: &[u64], indices: &[u32], out: &mut [u64]) {
    let i = global_id();
    if i < out.len() {
        out[i] = values[indices[i] as usize];
    }
}

/// 1 where a run of equal (major, minor) pairs starts, else 0.
///
/// # Errors
/// What the device reports.
pub fn run_heads(major: &DSlice<u64>, minor: &DSlice<u64>) -> Result<Buffer<u64>, Error> {
    let mut heads = major.device().allocate::<u64>(major.len())?;
    mark_heads(major, minor, &mut heads).threads(major.len()).launch()?;
    Ok(heads)
}

#[gpu_kernel]
fn mark_heads(major: &[u64], minor: &[u64], heads: &mut [u64]) {
    let i = global_id();
    if i < heads.len() {
        let first = i == 0 || major[i] != major[i - 1] || minor[i] != minor[i - 1];
        heads[i] = first as u64;
    }
}

/// The indices at which `flags` is 1, ascending.
///
/// # Errors
/// What the device reports.
pub fn scatter_indices(flags: &DSlice<u64>) -> Result<Buffer<u64>, Error> {
    let places = exclusive_scan(flags)?;
    let total = places.slice(flags.len()..flags.len() + 1).download()?[0];
    // As many as there are flags, so it fits.
    let mut out = flags.device().allocate::<u64>(total as usize)?;
    place_indices(flags, &places, &mut out).threads(flags.len()).launch()?;
    Ok(out)
}

#[gpu_kernel]
fn place_indices(flags: &[u64], places: &[u64], out: &mut [u64]) {
    let i = global_id();
    if i < flags.len() && flags[i] == 1 {
        out[places[i] as usize] = i as u64;
    }
}
