//! How fast a device is, on sizes that fill it, beside the bandwidth of a plain copy in the same run.

use crate::data::mix;
use std::fmt;
use warpcell_ops::{knn, primitives};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error, KernelInfo};

/// The kernels of this module.
pub fn kernels() -> Vec<KernelInfo> {
    vec![add::kernel(), row_sums::kernel(), thread_row_sums::kernel(), tree_sums::kernel()]
}

/// One measurement.
pub struct Row {
    /// What was measured.
    pub name: &'static str,
    /// The size, for people.
    pub size: String,
    /// The median of the runs after a warm-up.
    pub milliseconds: f64,
    /// Bytes that must be read and written, or operations.
    pub amount: f64,
    /// The unit of a thousand million of them a second.
    pub unit: &'static str,
    /// The rate of the device's own copy in the same unit, if they compare.
    pub limit: Option<f64>,
}

impl Row {
    /// In thousand millions a second.
    pub fn rate(&self) -> f64 {
        self.amount / self.milliseconds / 1e6
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = self.limit.map_or("-".into(), |limit| format!("{:.0} %", self.rate() / limit * 100.0));
        let Row { name, size, milliseconds, unit, .. } = self;
        write!(f, "| {name} | {size} | {milliseconds:.3} | {:.1} {unit} | {share} |", self.rate())
    }
}

/// The median time of five runs after one to warm up.
fn median(device: &Device, mut work: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    device.timed(&mut work)?;
    let mut times = Vec::new();
    for _ in 0..5 {
        times.push(device.timed(&mut work)?.1);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[2])
}

/// `a + b`.
#[gpu_kernel]
pub fn add(a: &[f32], b: &[f32], c: &mut [f32]) {
    let i = global_id();
    if i < c.len() {
        c[i] = a[i] + b[i];
    }
}

/// The sum of each row of a sparse matrix: a warp a row.
#[gpu_kernel]
pub fn row_sums(indptr: &[u64], data: &[f32], sums: &mut [f64]) {
    let row = global_warp_id();
    if row < sums.len() {
        let end = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + lane_id();
        let mut sum = 0.0;
        while k < end {
            sum += data[k] as f64;
            k += 32;
        }
        let mut distance = 16u32;
        while distance > 0 {
            sum += shfl_xor_sync(FULL_MASK, sum, distance);
            distance /= 2;
        }
        if lane_id() == 0 {
            sums[row] = sum;
        }
    }
}

/// The sum of each row of a sparse matrix: a thread a row, in the order of its entries.
#[gpu_kernel]
pub fn thread_row_sums(indptr: &[u64], data: &[f32], sums: &mut [f64]) {
    let row = global_id();
    if row < sums.len() {
        let mut sum = 0.0;
        for k in indptr[row] as usize..indptr[row + 1] as usize {
            sum += data[k] as f64;
        }
        sums[row] = sum;
    }
}

const BLOCK: usize = 256;

/// The sum of each block's elements: a tree in shared memory, with a barrier after each level.
#[gpu_kernel]
pub fn tree_sums(x: &[u64], sums: &mut [u64]) {
    let mut tile = shared::<[u64; BLOCK]>();
    let t = thread_rank();
    let i = global_id();
    tile[t] = if i < x.len() { x[i] } else { 0 };
    sync_threads();
    let mut half = BLOCK / 2;
    while half > 0 {
        if t < half {
            tile[t] += tile[t + half];
        }
        sync_threads();
        half /= 2;
    }
    if t == 0 {
        sums[block_rank()] = tile[0];
    }
}

/// All measurements of a CUDA device: about 8 GB of memory and a few seconds.
///
/// # Errors
/// What the device reports.
pub fn device(device: &Device) -> anyhow::Result<Vec<Row>> {
    let n = 256 << 20;
    let (a, b, mut c) = (device.zeros::<f32>(n)?, device.zeros::<f32>(n)?, device.zeros::<f32>(n)?);
    let copy = median(device, || c.copy_from_device(&a))?;
    let limit = Some((n * 8) as f64 / copy / 1e6);
    let bytes = |name, size: String, milliseconds, amount: usize| Row {
        name,
        size,
        milliseconds,
        amount: amount as f64,
        unit: "GB/s",
        limit,
    };
    let mut rows = vec![bytes("copy", format!("{n} f32"), copy, n * 8)];
    let added = median(device, || add(&a, &b, &mut c).threads(n).launch())?;
    rows.push(bytes("vector add", format!("{n} f32"), added, n * 12));
    let cells = 1 << 20;
    let indptr = device.upload(&(0..=cells as u64).map(|row| row * (n / cells) as u64).collect::<Vec<_>>())?;
    let mut sums = device.zeros::<f64>(cells)?;
    let summed = median(device, || row_sums(&indptr, &a, &mut sums).threads(cells * 32).launch())?;
    rows.push(bytes("row sums, a warp a row", format!("{cells} rows of {}", n / cells), summed, n * 4));
    drop((a, b, c));
    let x = device.zeros::<u64>(n)?;
    let mut blocks = device.zeros::<u64>(n / BLOCK)?;
    let reduced = median(device, || tree_sums(&x, &mut blocks).threads(n).block(BLOCK).launch())?;
    rows.push(bytes("tree reduction in shared memory", format!("{n} u64"), reduced, n * 8));
    drop((x, blocks));
    rows.extend(operations(device)?);
    Ok(rows)
}

fn operations(device: &Device) -> anyhow::Result<Vec<Row>> {
    let keys: Vec<u64> = (0..100_000_000u64).map(|i| mix(i) >> 11).collect();
    let keys = device.upload(&keys)?;
    let runtime = |error: warpcell_ops::Error| match error {
        warpcell_ops::Error::Runtime(error) => error,
        other => panic!("{other}"),
    };
    let sorted = median(device, || primitives::sort_keys(&keys).map(drop).map_err(runtime))?;
    let scanned = median(device, || primitives::exclusive_scan(&keys).map(drop).map_err(runtime))?;
    let n = 100_000;
    let points: Vec<f32> = (0..n * 50).map(|i| mix(i) as f32 / u64::MAX as f32).collect();
    let points = device.upload(&points)?;
    let near = median(device, || knn::nearest_neighbors(&points, 50, 15).map(drop).map_err(runtime))?;
    let row = |name, size: &str, milliseconds, amount, unit| Row {
        name,
        size: size.into(),
        milliseconds,
        amount,
        unit,
        limit: None,
    };
    Ok(vec![
        row("sort of 53-bit keys", "100000000 u64", sorted, 1e8, "G keys/s"),
        row("exclusive scan", "100000000 u64", scanned, 16e8, "GB/s"),
        row("nearest 15 neighbours", "100000 x 50", near, 2.0 * (n * n) as f64 * 50.0, "GFLOP/s"),
    ])
}
