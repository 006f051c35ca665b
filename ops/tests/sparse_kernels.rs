//! The kernels of sparse matrices: they give the same bits on every form of the CPU backend, and on a GPU where
//! there is one.

use warpcell_ops::stats::{Value, gene_moments};
use warpcell_ops::{DeviceCsr, matrix, normalize, qc};
use warpcell_runtime::{CpuOptions, Device};

/// Counts with empty rows and long ones among them.
fn counts(device: &Device, n_rows: u64, n_cols: u64) -> DeviceCsr<f32> {
    let mix = |x: u64| (x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x >> 7).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33;
    let (mut indptr, mut indices, mut data) = (vec![0], Vec::new(), Vec::new());
    for row in 0..n_rows {
        let share = mix(row) % 8;
        for column in (0..n_cols).filter(|column| mix(row * 7919 + column) % 8 < share) {
            indices.push(column as u32);
            data.push((mix(row ^ column << 20) % 50 + 1) as f32);
        }
        indptr.push(indices.len() as u64);
    }
    DeviceCsr::upload(device, &indptr, &indices, &data, n_cols as usize).unwrap()
}

/// The bits of everything that the operations compute.
fn results(device: &Device) -> Vec<Vec<u64>> {
    let bits64 = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    let mut matrix = counts(device, 4500, 70);
    let mut out = Vec::new();
    let cells = qc::cell_qc(&matrix).unwrap();
    out.push(bits64(&cells.total.download().unwrap()));
    out.push(bits64(&qc::top_percent(&matrix, &cells.total, 9).unwrap().download().unwrap()));
    let genes = qc::gene_qc(&matrix).unwrap();
    out.push(bits64(&genes.log1p_mean.download().unwrap()));
    let median = normalize::median_of_positive(&cells.total).unwrap().unwrap();
    normalize::normalize_total(&mut matrix, &cells.total, median).unwrap();
    normalize::log1p(&mut matrix).unwrap();
    for value in [Value::Plain, Value::ExpM1, Value::Scaled(&cells.total)] {
        let moments = gene_moments(device, &[&matrix], value).unwrap();
        out.push(bits64(&moments.mean.download().unwrap()));
        out.push(bits64(&moments.variance.download().unwrap()));
    }
    let flags = |n: usize| device.upload(&(0..n).map(|i| u8::from(i % 5 > 1)).collect::<Vec<u8>>()).unwrap();
    let kept = matrix::select(&matrix, &flags(4500), &flags(70)).unwrap();
    for csr in [&kept, &matrix::transpose(&kept).unwrap()] {
        out.push(csr.indptr.download().unwrap());
        out.push(csr.indices.download().unwrap().into_iter().map(u64::from).collect());
        out.push(csr.data.download().unwrap().into_iter().map(|value| u64::from(value.to_bits())).collect());
    }
    out
}

#[test]
fn every_backend_gives_the_same_bits() {
    let expected = results(&Device::cpu());
    assert!(expected.iter().all(|values| !values.is_empty()));
    let futures = Device::cpu_with(CpuOptions { futures: true, ..CpuOptions::default() });
    assert!(results(&futures) == expected, "futures");
    match Device::cuda(0) {
        Ok(device) => assert!(results(&device) == expected, "{}", device.name()),
        Err(error) => println!("not checked on a GPU: {error}"),
    }
}
