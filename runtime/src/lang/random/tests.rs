use super::*;

/// The known answers of Random123 1.14 (`kat_vectors`, philox 4x32 of 10 rounds).
#[test]
fn philox_gives_the_known_answers() {
    assert_eq!(philox_4x32([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    assert_eq!(philox_4x32([u32::MAX; 4], [u32::MAX; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    assert_eq!(
        philox_4x32([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
    );
}

#[test]
fn every_key_changes_the_words() {
    let base = words(1, 2, 3, 4);
    for other in [words(2, 2, 3, 4), words(1, 3, 3, 4), words(1, 2, 4, 4), words(1, 2, 3, 5)] {
        assert_ne!(base, other);
    }
    assert_ne!(words(1, 2, 3, 4), words(1 | 1 << 32, 2, 3, 4));
    assert_ne!(words(1, 2, 3, 4), words(1, 2, 3 | 1 << 32, 4));
    assert_eq!(words(7 | 9 << 32, 2, 3 | 5 << 32, 4), philox_4x32([3, 5, 4, 2], [7, 9]));
}

const COUNT: usize = 400_000;

/// Mean, variance, skewness and excess kurtosis.
fn moments(x: impl Iterator<Item = f64> + Clone) -> [f64; 4] {
    let count = x.clone().count() as f64;
    let mean = x.clone().sum::<f64>() / count;
    let central = |power| x.clone().map(|x| (x - mean).powi(power)).sum::<f64>() / count;
    let variance = central(2);
    [mean, variance, central(3) / variance.powf(1.5), central(4) / (variance * variance) - 3.0]
}

/// Within five standard errors.
#[track_caller]
fn assert_moments(found: [f64; 4], expected: [f64; 4], errors: [f64; 4]) {
    for k in 0..4 {
        let tolerance = 5.0 * errors[k] / (COUNT as f64).sqrt();
        assert!((found[k] - expected[k]).abs() < tolerance, "moment {k}: {} is not {}", found[k], expected[k]);
    }
}

#[test]
fn uniform_numbers_are_uniform() {
    let singles: Vec<f64> = (0..COUNT).map(|i| f64::from(uniform_f32(5, 1, i, 0))).collect();
    let doubles: Vec<f64> = (0..COUNT).map(|i| uniform_f64(5, 2, i, 0)).collect();
    for x in [&singles, &doubles] {
        assert!(x.iter().all(|x| (0.0..1.0).contains(x)));
        assert_moments(moments(x.iter().copied()), [0.5, 1.0 / 12.0, 0.0, -1.2], [0.289, 0.0745, 1.6, 1.4]);
        // 64 bins: chi squared of 63 degrees of freedom is above 120 with a probability of 2·10⁻⁵.
        let mut bins = [0u32; 64];
        x.iter().for_each(|x| bins[(x * 64.0) as usize] += 1);
        let expected = COUNT as f64 / 64.0;
        let chi: f64 = bins.iter().map(|found| (f64::from(*found) - expected).powi(2) / expected).sum();
        assert!(chi < 120.0, "{chi}");
    }
    assert!(singles.iter().all(|x| (x * 16_777_216.0).fract() == 0.0));
}

#[test]
fn normal_numbers_are_normal() {
    let singles: Vec<f64> = (0..COUNT).map(|i| f64::from(normal_f32(6, 1, i, 0))).collect();
    let doubles: Vec<f64> = (0..COUNT).map(|i| normal_f64(6, 2, i, 0)).collect();
    for x in [&singles, &doubles] {
        // Standard errors of the sample moments of a normal distribution: 1, √2, √6, √24.
        assert_moments(moments(x.iter().copied()), [0.0, 1.0, 0.0, 0.0], [1.0, 1.415, 2.45, 4.9]);
        // The probabilities of being below: 0.1586552539 and its like.
        for (bound, probability) in
            [(-2.0, 0.022_750_131_9), (-1.0, 0.158_655_253_9), (0.0, 0.5), (0.5, 0.691_462_461_3), (3.0, 0.998_650_102)]
        {
            let below = x.iter().filter(|x| **x < bound).count() as f64 / COUNT as f64;
            let error = (probability * (1.0 - probability) / COUNT as f64).sqrt();
            assert!((below - probability).abs() < 5.0 * error, "{below} below {bound}, not {probability}");
        }
    }
}

/// Quantiles to 17 digits, by the inverse of erfc in 50 digits.
#[test]
fn quantiles_are_those_of_the_normal_distribution() {
    for (tail, expected) in [
        (0.25, 0.674_489_750_196_081_7),
        (0.1, 1.281_551_565_544_600_4),
        (0.05, 1.644_853_626_951_472_2),
        (0.025, 1.959_963_984_540_054),
        (0.001, 3.090_232_306_167_813_5),
        (1e-6, 4.753_424_308_822_899),
        (1e-9, 5.997_807_015_007_686_5),
        (1e-15, 7.941_345_326_170_997),
    ] {
        let found = quantile_f64(0.5 - tail, tail);
        assert!((found / expected - 1.0).abs() < 1e-14, "{tail}: {found}, not {expected}");
        if tail > 1e-9 {
            let single = f64::from(quantile_f32((0.5 - tail) as f32, tail as f32));
            assert!((single / expected - 1.0).abs() < 5e-7, "{tail}: {single}, not {expected}");
        }
    }
}

#[test]
fn bounded_integers_are_uniform() {
    for bound in [1u64, 2, 3, 10, 1000, (1 << 33) + 7, u64::MAX] {
        assert!((0..1000).all(|i| below(7, 1, i, 0, bound) < bound), "{bound}");
    }
    assert_eq!(below(7, 1, 0, 0, 0), 0);
    let mut bins = [0u32; 10];
    (0..COUNT).for_each(|i| bins[below(7, 2, i, 0, 10) as usize] += 1);
    let expected = COUNT as f64 / 10.0;
    let chi: f64 = bins.iter().map(|found| (f64::from(*found) - expected).powi(2) / expected).sum();
    assert!(chi < 34.0, "{chi}");
    // Against 192-bit arithmetic by halves.
    for i in 0..1000 {
        let [a, b, c, d] = words(7, 3, i, 0).map(u128::from);
        let bound = u128::from(bits_u64(7, 4, i, 0));
        let low = (a | b << 32) * bound;
        let high = (c | d << 32) * bound + (low >> 64);
        assert_eq!(u128::from(below(7, 3, i, 0, bound as u64)), high >> 64);
    }
}
