//! The kernels of PCA and of the search for neighbours: they give the same bits on every form of the CPU backend, and on a GPU where there
//! is one.

use warpcell_ops::knn::nearest_neighbors;
use warpcell_ops::pca::{gram, pca};
use warpcell_ops::{DeviceCsr, Error};
use warpcell_runtime::{CpuOptions, Device, InstructionSet};

/// Values that no sum of `f64` holds exactly, in columns from rare to dense; three factors are hidden in them.
fn matrix(device: &Device, n_rows: u64, n_cols: u64) -> DeviceCsr<f32> {
    let mix = |x: u64| (x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x >> 7).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33;
    let (mut indptr, mut indices, mut data) = (vec![0], Vec::new(), Vec::new());
    for row in 0..n_rows {
        for column in (0..n_cols).filter(|column| mix(row * 7919 + column) % n_cols <= *column) {
            indices.push(column as u32);
            let factor = (mix(row) % 5 * (column % 3) + mix(row + 1_000_000) % 7 * (column % 5)) as f32;
            data.push((factor + (mix(row ^ column << 20) % 50 + 1) as f32) / 7.0);
        }
        indptr.push(indices.len() as u64);
    }
    DeviceCsr::upload(device, &indptr, &indices, &data, n_cols as usize).unwrap()
}

/// The bits of everything that the operations compute.
fn results(device: &Device) -> Result<Vec<Vec<u64>>, Error> {
    let wide = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    let narrow = |values: &[f32]| values.iter().map(|value| u64::from(value.to_bits())).collect::<Vec<u64>>();
    let matrix = matrix(device, 700, 45);
    let found = pca(&matrix, 9)?;
    let lists = nearest_neighbors(&found.scores, 9, 12)?;
    Ok(vec![
        wide(&gram(device, &[&matrix], 45)?.download()?),
        narrow(&found.scores.download()?),
        wide(&found.loadings),
        wide(&found.variance),
        lists.indices.download()?.into_iter().map(u64::from).collect(),
        narrow(&lists.distances.download()?),
    ])
}

#[test]
fn every_way_to_run_gives_the_same_bits() {
    let expected = results(&Device::cpu()).unwrap();
    for options in [
        CpuOptions { futures: true, ..CpuOptions::default() },
        CpuOptions { instruction_set: Some(InstructionSet::Base), ..CpuOptions::default() },
        CpuOptions { workers: Some(1), ..CpuOptions::default() },
    ] {
        assert!(results(&Device::cpu_with(options)).unwrap() == expected, "{options:?}");
    }
    match Device::cuda(0) {
        Ok(device) => assert!(results(&device).unwrap() == expected, "{}", device.name()),
        Err(error) => println!("not checked on a GPU: {error}"),
    }
}
