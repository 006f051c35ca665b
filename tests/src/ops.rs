//! The operations at every size, on inputs with NaN, zeros of both signs, denormals and infinities among them. What they
//! compute is checked against plain Rust in their own tests; here the bits of two devices are compared.

use crate::Output;
use crate::data::{f32s, f64s, mix, u64s};
use warpcell_ops::stats::{Value, gene_moments};
use warpcell_ops::umi::{ReadTable, count_unique};
use warpcell_ops::{DeviceCsr, Error, knn, matrix, normalize, pca, primitives, qc};
use warpcell_runtime::Device;
use warpcell_runtime::lang::GpuType;

/// A check of an operation.
pub struct OpsCase {
    /// What it is called.
    pub name: &'static str,
    /// Runs it at a size.
    pub run: fn(&Device, usize) -> Result<Output, Error>,
}

/// All checks.
pub fn cases() -> Vec<OpsCase> {
    vec![
        OpsCase { name: "sum of f64", run: sums },
        OpsCase { name: "scan", run: scans },
        OpsCase { name: "sort", run: sorts },
        OpsCase { name: "select and runs", run: selects },
        OpsCase { name: "UMI counts", run: umis },
        OpsCase { name: "cell QC", run: cells },
        OpsCase { name: "gene moments", run: genes },
        OpsCase { name: "gene moments of any floats", run: odd_genes },
        OpsCase { name: "select rows and columns, transpose", run: selections },
        OpsCase { name: "normalise and log1p", run: normalised },
        OpsCase { name: "Gram matrix and PCA", run: components },
        OpsCase { name: "nearest neighbours", run: neighbours },
    ]
}

/// Sizes at which a row is cheap stay; the million becomes what the CPU does in seconds.
fn capped(n: usize, most: usize) -> usize {
    if n > 1000 { most } else { n }
}

/// Counts with empty and full rows: rows, columns and values from a hash.
fn counts(device: &Device, n_rows: usize, n_cols: usize) -> Result<DeviceCsr<f32>, Error> {
    with_values(device, n_rows, n_cols, |row, column| (mix(row ^ column << 20) % 50 + 1) as f32)
}

fn with_values(
    device: &Device,
    n_rows: usize,
    n_cols: usize,
    value: impl Fn(u64, u64) -> f32,
) -> Result<DeviceCsr<f32>, Error> {
    let (mut indptr, mut indices, mut data) = (vec![0u64], Vec::new(), Vec::new());
    for row in 0..n_rows as u64 {
        let share = mix(row) % 8;
        for column in 0..n_cols as u64 {
            if mix(row * 7919 + column) % 8 < share {
                indices.push(column as u32);
                data.push(value(row, column));
            }
        }
        indptr.push(data.len() as u64);
    }
    DeviceCsr::upload(device, &indptr, &indices, &data, n_cols)
}

fn with_csr<T: GpuType + crate::Folded>(output: Output, matrix: &DeviceCsr<T>) -> Result<Output, Error> {
    let (indptr, indices, data) = (matrix.indptr.download()?, matrix.indices.download()?, matrix.data.download()?);
    Ok(output.with(&indptr).with(&indices).with(&data))
}

fn sums(device: &Device, n: usize) -> Result<Output, Error> {
    let finite: Vec<f64> = f64s(n, 100).into_iter().map(|x| if x.abs() < 1e200 { x } else { 1.5 }).collect();
    let (finite, any) = (device.upload(&finite)?, device.upload(&f64s(n, 101))?);
    let whole = primitives::sum(&*device.upload(&u64s(n, 102))?)?;
    let leaves = primitives::leaf_sums(&any)?.download()?;
    let sums = [primitives::sum(&finite)?, primitives::sum(&any)?];
    Ok(Output::new().with(&sums).with(&[whole]).with(&leaves))
}

fn scans(device: &Device, n: usize) -> Result<Output, Error> {
    let values = device.upload(&u64s(n, 103))?;
    let (before, through) = (primitives::exclusive_scan(&values)?, primitives::inclusive_scan(&values)?);
    Ok(Output::new().with(&before.download()?).with(&through.download()?))
}

fn sorts(device: &Device, n: usize) -> Result<Output, Error> {
    let keys = u64s(n, 104);
    let narrow: Vec<u32> = keys.iter().map(|key| *key as u32 % 1000).collect();
    let (sorted, origins) = primitives::argsort(&*device.upload(&keys)?)?;
    let (few, few_origins) = primitives::argsort(&*device.upload(&narrow)?)?;
    let output = Output::new().with(&sorted.download()?).with(&origins.download()?);
    Ok(output.with(&few.download()?).with(&few_origins.download()?))
}

fn selects(device: &Device, n: usize) -> Result<Output, Error> {
    let values = device.upload(&f32s(n, 105))?;
    let flags: Vec<bool> = u64s(n, 106).iter().map(|x| x % 3 == 0).collect();
    let flags = device.upload(&flags)?;
    let kept = primitives::select(&values, &flags)?.download()?;
    let places = primitives::select_indices(&flags)?;
    let gathered = primitives::gather(&values, &places)?.download()?;
    let keys: Vec<u64> = (0..n as u64).map(|i| i / (mix(i / 50) % 7 + 1)).collect();
    let offsets = primitives::run_offsets(&*device.upload(&keys)?)?;
    let lengths = primitives::run_lengths(&offsets)?.download()?;
    Ok(Output::new().with(&kept).with(&gathered).with(&offsets.download()?).with(&lengths))
}

fn umis(device: &Device, n: usize) -> Result<Output, Error> {
    let column = |salt: u64, below: u64| (0..n as u64).map(move |i| (mix(i * 8 + salt) % below) as u32);
    let (cell, gene): (Vec<u32>, Vec<u32>) = (column(1, 400).collect(), column(2, 90).collect());
    let umi: Vec<u64> = (0..n as u64).map(|i| mix(i * 8 + 3) % 64 * 0x3_0001_0001).collect();
    let reads: Vec<u32> = column(4, 4).collect();
    let (cell, gene) = (device.upload(&cell)?, device.upload(&gene)?);
    let (umi, reads) = (device.upload(&umi)?, device.upload(&reads)?);
    let table = ReadTable { cell: &cell, gene: &gene, umi: &umi, reads: &reads };
    with_csr(Output::new(), &count_unique(&table, 400, 90)?)
}

fn cells(device: &Device, n: usize) -> Result<Output, Error> {
    let matrix = counts(device, capped(n, 30_011), 70)?;
    let found = qc::cell_qc(&matrix)?;
    let genes: Vec<u8> = (0..70).map(|gene| u8::from(gene % 3 == 0)).collect();
    let subset = qc::subset_total(&matrix, &*device.upload(&genes)?)?;
    let top = qc::top_totals(&matrix, 20)?;
    let output = Output::new().with(&found.n_genes.download()?).with(&found.total.download()?);
    Ok(output.with(&subset.download()?).with(&top.download()?))
}

fn genes(device: &Device, n: usize) -> Result<Output, Error> {
    let matrix = counts(device, capped(n, 30_011), 70)?;
    let mut output = Output::new();
    for value in [Value::Plain, Value::ExpM1] {
        let found = gene_moments(device, &[&matrix], value)?;
        output = output.with(&found.mean.download()?).with(&found.variance.download()?);
    }
    Ok(output)
}

fn odd_genes(device: &Device, n: usize) -> Result<Output, Error> {
    let floats = f32s(4096, 107);
    let value = |row: u64, column: u64| floats[(mix(row * 31 + column) % 4096) as usize];
    let matrix = with_values(device, capped(n, 30_011), 70, value)?;
    let found = gene_moments(device, &[&matrix], Value::Plain)?;
    let sums = qc::cell_qc(&matrix)?.total.download()?;
    Ok(Output::new().with(&found.mean.download()?).with(&found.variance.download()?).with(&sums))
}

fn selections(device: &Device, n: usize) -> Result<Output, Error> {
    let source = counts(device, capped(n, 30_011), 70)?;
    let rows: Vec<u8> = (0..source.n_rows() as u64).map(|row| u8::from(!mix(row).is_multiple_of(3))).collect();
    let columns: Vec<u8> = (0..70).map(|column| u8::from(column % 4 != 1)).collect();
    let kept = matrix::select(&source, &*device.upload(&rows)?, &*device.upload(&columns)?)?;
    let turned = matrix::transpose(&kept)?;
    with_csr(with_csr(Output::new(), &kept)?, &turned)
}

fn normalised(device: &Device, n: usize) -> Result<Output, Error> {
    let mut matrix = counts(device, capped(n, 30_011), 70)?;
    let totals = qc::cell_qc(&matrix)?.total;
    let median = normalize::median_of_positive(&totals)?.unwrap_or(1.0);
    normalize::normalize_total(&mut matrix, &totals, median)?;
    let scaled = matrix.data.download()?;
    normalize::log1p(&mut matrix)?;
    Ok(Output::new().with(&[median]).with(&scaled).with(&matrix.data.download()?))
}

fn components(device: &Device, n: usize) -> Result<Output, Error> {
    let matrix = counts(device, capped(n, 5_003), 150)?;
    let products = pca::gram(device, &[&matrix], 150)?.download()?;
    let output = Output::new().with(&products);
    if n < 31 {
        return Ok(output);
    }
    let found = pca::pca(&matrix, 20)?;
    let output = output.with(&found.scores.download()?).with(&found.loadings);
    Ok(output.with(&found.variance).with(&found.variance_ratio))
}

fn neighbours(device: &Device, n: usize) -> Result<Output, Error> {
    let n = capped(n, 6_007);
    if n < 2 {
        return Ok(Output::new());
    }
    // Many equal distances and identical points in the first, none in the second.
    let grid: Vec<f32> = (0..n as u64 * 3).map(|i| (mix(i) % 6) as f32).collect();
    let free: Vec<f32> = (0..n as u64 * 50).map(|i| mix(i) as f32 / u64::MAX as f32).collect();
    let mut output = Output::new();
    for (points, dims) in [(grid, 3), (free, 50)] {
        let found = knn::nearest_neighbors(&*device.upload(&points)?, dims, 15.min(n))?;
        output = output.with(&found.indices.download()?).with(&found.distances.download()?);
    }
    Ok(output)
}
