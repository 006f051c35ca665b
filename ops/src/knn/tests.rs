use super::*;
use warpcell_runtime::{CpuOptions, InstructionSet};

/// Coordinates that take few values, so that many distances are equal and points are identical.
fn grid_points(n: usize, dims: usize, values: u64) -> Vec<f32> {
    let mix = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    (0..n * dims).map(|i| (mix(i) % values) as f32 - 1.0).collect()
}

/// The lists by sorting all pairs.
fn reference(points: &[f32], dims: usize, k: usize) -> (Vec<u32>, Vec<f32>) {
    let n = points.len() / dims;
    let (mut indices, mut distances) = (Vec::new(), Vec::new());
    for q in 0..n {
        let mut all: Vec<(f32, u32)> = (0..n)
            .filter(|x| *x != q)
            .map(|x| {
                let square = (0..dims).fold(0f32, |d, c| {
                    let t = points[q * dims + c] - points[x * dims + c];
                    t.mul_add(t, d)
                });
                (square, x as u32)
            })
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        indices.push(q as u32);
        distances.push(0.0);
        for (square, x) in all.into_iter().take(k - 1) {
            indices.push(x);
            distances.push(square.sqrt());
        }
    }
    (indices, distances)
}

fn lists(device: &Device, points: &[f32], dims: usize, k: usize) -> (Vec<u32>, Vec<f32>) {
    let found = nearest_neighbors(&device.upload(points).unwrap(), dims, k).unwrap();
    (found.indices.download().unwrap(), found.distances.download().unwrap())
}

#[test]
fn lists_are_those_of_all_pairs_with_ties_by_index() {
    let device = Device::cpu();
    for (n, dims, k, values) in [
        (1, 3, 1, 5),
        (2, 1, 2, 5),
        (31, 56, 31, 2),
        (33, 7, 5, 3),
        (64, 57, 1, 9),
        (257, 50, 15, 1000),
        (300, 2, 20, 4),
        (130, 120, 70, 3),
    ] {
        let points = grid_points(n, dims, values);
        assert_eq!(lists(&device, &points, dims, k), reference(&points, dims, k), "{n} points");
    }
}

#[test]
fn a_point_comes_before_its_duplicates() {
    let (indices, distances) = lists(&Device::cpu(), &[4.0; 40], 2, 3);
    for (point, list) in indices.chunks(3).enumerate() {
        let others = (0..20).filter(|other| *other != point as u32);
        let expected: Vec<u32> = std::iter::once(point as u32).chain(others).take(3).collect();
        assert_eq!(list, expected);
    }
    assert_eq!(distances, [0.0; 60]);
}

#[test]
fn distances_too_large_for_f32_are_infinite_and_ordered_by_index() {
    let (indices, distances) = lists(&Device::cpu(), &[-3e38, 3e38, 0.0, 1.0], 1, 4);
    assert_eq!(indices, [0, 1, 2, 3, 1, 0, 2, 3, 2, 3, 0, 1, 3, 2, 0, 1]);
    assert_eq!(distances[..4], [0.0, f32::INFINITY, f32::INFINITY, f32::INFINITY]);
}

#[test]
fn every_way_to_run_gives_the_same_bits() {
    let points: Vec<f32> = grid_points(150, 60, 1000).into_iter().map(|x| x / 7.0).collect();
    let expected = lists(&Device::cpu(), &points, 60, 9);
    for options in [
        CpuOptions { futures: true, ..CpuOptions::default() },
        CpuOptions { instruction_set: Some(InstructionSet::Base), ..CpuOptions::default() },
        CpuOptions { workers: Some(1), ..CpuOptions::default() },
    ] {
        assert_eq!(lists(&Device::cpu_with(options), &points, 60, 9), expected, "{options:?}");
    }
}

#[test]
fn what_can_not_be_is_an_error() {
    let device = Device::cpu();
    let message = |points: &[f32], dims, k| {
        nearest_neighbors(&device.upload(points).unwrap(), dims, k).err().unwrap().to_string()
    };
    assert!(message(&[1.0, 2.0], 1, 3).contains("3 neighbours of 2 points"));
    assert!(message(&[1.0, 2.0], 1, 0).contains("0 neighbours"));
    assert!(message(&[], 5, 1).contains("1 neighbours of 0 points"));
    assert!(message(&[1.0, 2.0, 3.0], 2, 1).contains("3 coordinates are not points of 2"));
    assert!(message(&[1.0], 0, 1).contains("not points of 0"));
    assert!(message(&[1.0, f32::NAN, f32::INFINITY], 1, 1).contains("2 coordinates are NaN or infinite"));
}
