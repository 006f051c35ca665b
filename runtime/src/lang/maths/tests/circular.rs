//! `sin`, `cos`, `tan` and their inverses.

use super::*;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// π/2 as a double, and what is left.
const QUARTER: Double = Double { high: FRAC_PI_2, low: 6.123_233_995_736_766e-17 };
const QUARTER_REST: f64 = -1.497_384_904_859_17e-33;

/// The cosine and sine of `x`, by their series, for |x| up to 10⁵.
fn cos_sin(x: Double) -> [Double; 2] {
    let n = (x.high * FRAC_2_PI).round();
    let part = |c: f64| Double { high: -n * c, low: (-n).mul_add(c, n * c) };
    let r = x.plus(part(QUARTER.high)).plus(part(QUARTER.low)).plus(part(QUARTER_REST));
    let negated = |x: Double| Double { high: -x.high, low: -x.low };
    let mut term = Double { high: 1.0, low: 0.0 };
    let mut sums = [term, r];
    for k in 1..30 {
        term = term.times(r).over(f64::from(k));
        if k > 1 {
            let signed = if k & 2 == 0 { term } else { negated(term) };
            sums[k as usize & 1] = sums[k as usize & 1].plus(signed);
        }
    }
    let [cos, sin] = sums;
    match n as i64 & 3 {
        0 => [cos, sin],
        1 => [negated(sin), cos],
        2 => [negated(cos), negated(sin)],
        _ => [sin, negated(cos)],
    }
}

/// The angle of the point (x, y): a step of Newton on what `std` says.
fn angle(y: Double, x: Double) -> Double {
    let start = y.high.atan2(x.high);
    let [cos, sin] = cos_sin(Double { high: start, low: 0.0 });
    let across = y.times(cos).plus(x.times(Double { high: -sin.high, low: -sin.low }));
    let along = x.times(cos).plus(y.times(sin));
    Double::sum(start, across.high / along.high)
}

/// √(1 - x²)
fn other_side(x: f64) -> Double {
    let square = Double::sum(1.0, x).times(Double::sum(1.0, -x));
    let root = square.high.sqrt();
    let rest = root.mul_add(-root, square.high) + square.low;
    Double::sum(root, if root > 0.0 { rest / (2.0 * root) } else { 0.0 })
}

/// Angles of all sizes to 10⁵, and the neighbours of the multiples of π/4.
fn angles() -> impl Iterator<Item = f64> {
    let near = (0..50_000u64).map(|i| {
        let x = (i % 10_000) as f64 * FRAC_PI_4;
        f64::from_bits(x.to_bits() + i / 10_000)
    });
    sweep(1e5).chain(sweep(4.0)).step_by(5).chain(near)
}

#[test]
fn sin_cos_and_tan_are_within_a_unit() {
    let (mut sin, mut cos, mut tan) = (0f64, 0f64, 0f64);
    for x in angles() {
        let [exact_cos, exact_sin] = cos_sin(Double { high: x, low: 0.0 });
        cos = cos.max(ulps(cos_f64(x), exact_cos));
        sin = sin.max(ulps(sin_f64(x), exact_sin));
        tan = tan.max(ulps(tan_f64(x), quotient(exact_sin, exact_cos)));
    }
    println!("sin {sin}, cos {cos}, tan {tan}");
    assert!(sin < 1.0 && cos < 1.0 && tan < 1.0, "sin {sin}, cos {cos}, tan {tan}");
}

/// Each angle with its sine, cosine and tangent, each as high and low part, computed with 2400 bits. The first is the float
/// that comes nearest to a multiple of π/2.
const LARGE: [(f64, [[f64; 2]; 3]); 10] = [
    (
        5.319_372_648_326_541e255,
        [
            [1.0, -1.098_476_220_074_687e-37],
            [-4.687_165_924_254_628e-19, 4.372_055_742_938_273_3e-36],
            [-2.133_485_385_753_704e18, 9.232_514_733_665_552e1],
        ],
    ),
    (
        3.993_527_967_599_493e271,
        [
            [0.220_963_913_962_462_7, -9.887_549_603_473_241e-18],
            [-0.975_281_984_210_92, -4.013_724_652_147_365e-17],
            [-0.226_564_129_697_566_29, -1.280_606_327_288_012_2e-18],
        ],
    ),
    (
        1e22,
        [
            [-0.852_200_849_767_188_8, -6.780_682_589_677_328_4e-18],
            [0.523_214_785_395_139, -4.714_320_107_657_516_4e-17],
            [-1.628_778_225_606_898_8, -1.011_493_425_412_603_4e-16],
        ],
    ),
    (
        1.797_693_134_862_315_7e308,
        [
            [4.961_954_789_184_062e-3, -2.504_937_767_649_410_4e-19],
            [-0.999_987_689_426_559_9, -2.603_289_026_721_674_8e-17],
            [-4.962_015_874_444_895e-3, 2.410_586_573_485_649_5e-19],
        ],
    ),
    (
        1.073_741_825e9,
        [
            [0.328_448_331_974_019_6, 7.048_945_038_755_84e-18],
            [0.944_521_938_984_735_4, 3.060_474_702_154_623_7e-17],
            [0.347_740_288_941_375, -6.130_267_386_216_339e-18],
        ],
    ),
    (
        1.073_741_824e9,
        [
            [-0.617_326_415_046_042_1, -3.896_968_470_916_075_5e-17],
            [0.786_707_122_941_188_2, -4.425_992_365_508_206e-17],
            [-0.784_696_613_319_200_5, 5.261_025_693_751_852e-17],
        ],
    ),
    (
        1.234_567_890_123_456_8e18,
        [
            [-0.865_128_705_595_728, -3.452_080_636_808_149e-17],
            [-0.501_549_920_500_701_7, -9.331_564_469_931_96e-18],
            [1.724_910_463_014_454, 3.738_391_119_447_414e-17],
        ],
    ),
    (
        1.329_227_995_784_916e36,
        [
            [0.377_820_109_360_752, 2.373_851_000_672_434_8e-17],
            [-0.925_879_022_854_837_9, 5.133_964_956_561_192e-17],
            [-0.408_066_388_841_804_24, 9.949_240_614_102_255e-19],
        ],
    ),
    (
        1e300,
        [
            [-0.817_881_912_115_908_5, -4.781_358_374_403_26e-17],
            [-0.575_386_111_957_549_1, 2.677_076_191_878_706_8e-17],
            [1.421_448_823_874_724_5, -7.511_471_696_020_065e-17],
        ],
    ),
    (
        2.128_797_286_4e10,
        [
            [-0.971_232_365_050_839_4, 2.904_809_075_544_324e-17],
            [-0.238_133_771_392_788_88, 7.452_521_604_071_324e-18],
            [4.078_515_866_818_586, 2.859_472_269_794_650_5e-16],
        ],
    ),
];

#[test]
fn huge_angles_are_reduced_exactly() {
    for (x, [sin, cos, tan]) in LARGE {
        for (name, found, [high, low]) in [("sin", sin_f64(x), sin), ("cos", cos_f64(x), cos), ("tan", tan_f64(x), tan)]
        {
            let error = ulps(found, Double { high, low });
            assert!(error < 1.0, "{name} {x:e}: {found:e}, wrong by {error} ulp");
        }
        assert_eq!(sin_f64(-x), -sin_f64(x));
        assert_eq!(cos_f64(-x), cos_f64(x));
    }
}

#[test]
fn arcs_are_within_a_unit() {
    let one = Double { high: 1.0, low: 0.0 };
    let (mut asin, mut acos, mut atan) = (0f64, 0f64, 0f64);
    for x in sweep(1.0).step_by(5).filter(|x| x.abs() < 1.0) {
        let (argument, other) = (Double { high: x, low: 0.0 }, other_side(x));
        asin = asin.max(ulps(asin_f64(x), angle(argument, other)));
        acos = acos.max(ulps(acos_f64(x), angle(other, argument)));
    }
    for x in sweep(1e5).chain(sweep(3.0)).step_by(5) {
        atan = atan.max(ulps(atan_f64(x), angle(Double { high: x, low: 0.0 }, one)));
    }
    println!("asin {asin}, acos {acos}, atan {atan}");
    assert!(asin < 1.0 && acos < 1.0 && atan < 1.0, "asin {asin}, acos {acos}, atan {atan}");
}

#[test]
fn atan2_is_within_a_unit_in_all_quadrants() {
    let mut worst = 0f64;
    for (i, x) in sweep(50.0).step_by(5).enumerate() {
        let y = x * (mix(i as u64 + 3) * 6.0 - 3.0);
        for (y, x) in [(y, x), (x, y), (y * 1e290, x * 1e290), (x * 1e-290, y * 1e-290)] {
            // Where a factor left the range, there is nothing to compare.
            if x.is_normal() && y.is_normal() {
                let scale = 1.0 / (x.abs().max(y.abs()).log2().floor().exp2());
                let exact = angle(Double { high: y * scale, low: 0.0 }, Double { high: x * scale, low: 0.0 });
                worst = worst.max(ulps(atan2_f64(y, x), exact));
            }
        }
    }
    assert!(worst < 1.0, "{worst}");
}

/// As Rust's and C's documentation say.
#[test]
fn special_values_of_the_circular_functions() {
    for x in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert!(sin_f64(x).is_nan() && cos_f64(x).is_nan() && tan_f64(x).is_nan(), "{x}");
        let x = x as f32;
        assert!(sin_f32(x).is_nan() && cos_f32(x).is_nan() && tan_f32(x).is_nan(), "{x}");
    }
    for x in [2.0, -1.000_000_000_000_000_2, f64::INFINITY, f64::NAN] {
        assert!(asin_f64(x).is_nan() && acos_f64(x).is_nan(), "{x}");
        assert!(asin_f32(x as f32 * 1.1).is_nan() && acos_f32(x as f32 * 1.1).is_nan(), "{x}");
    }
    assert_eq!((asin_f64(1.0), asin_f64(-1.0)), (FRAC_PI_2, -FRAC_PI_2));
    assert_eq!((acos_f64(1.0), acos_f64(0.0), acos_f64(-1.0)), (0.0, FRAC_PI_2, PI));
    assert_eq!((atan_f64(f64::INFINITY), atan_f64(f64::NEG_INFINITY)), (FRAC_PI_2, -FRAC_PI_2));
    assert_eq!((atan_f32(f32::INFINITY), atan_f64(1.0)), (std::f32::consts::FRAC_PI_2, FRAC_PI_4));
    assert!(atan_f64(f64::NAN).is_nan());
    assert_eq!((cos_f64(0.0), cos_f32(-0.0)), (1.0, 1.0));
    // Tiny numbers are their own sine, down to the smallest and to the sign of zero.
    for x in [0.0, -0.0, 5e-324, -5e-324, 1e-310, f64::MIN_POSITIVE, -1e-200] {
        for function in [sin_f64, tan_f64, asin_f64, atan_f64] {
            assert_eq!(function(x).to_bits(), x.to_bits(), "{x:e}");
        }
    }
    for x in [0.0, -0.0, 1e-45, -1e-45, 1e-40, f32::MIN_POSITIVE] {
        for function in [sin_f32, tan_f32, asin_f32, atan_f32] {
            assert_eq!(function(x).to_bits(), x.to_bits(), "{x:e}");
        }
    }
}

#[test]
fn atan2_knows_quadrants_zeros_and_infinities() {
    let values =
        [0.0, -0.0, 1.0, -1.0, 2.5, 1e300, -1e300, 5e-324, -5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for y in values {
        for x in values {
            let (found, expected) = (atan2_f64(y, x), y.atan2(x));
            let same = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
            let near = (found - expected).abs() <= expected.abs() * f64::EPSILON && expected != 0.0;
            assert!(same || near, "atan2({y:e}, {x:e}): {found:e}, not {expected:e}");
            let (y, x) = (y as f32, x as f32);
            let (found, expected) = (atan2_f32(y, x), y.atan2(x));
            let same = found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
            let near = (found - expected).abs() <= expected.abs() * f32::EPSILON && expected != 0.0;
            assert!(same || near, "atan2({y:e}, {x:e}): {found:e}, not {expected:e}");
        }
    }
}

/// Every 20,011th float of all, and the neighbours of the multiples of π/4.
#[test]
fn single_precision_is_within_a_unit() {
    type Pair = (&'static str, fn(f32) -> f32, fn(f64) -> f64);
    let functions: [Pair; 6] = [
        ("sin", sin_f32, f64::sin),
        ("cos", cos_f32, f64::cos),
        ("tan", tan_f32, f64::tan),
        ("asin", asin_f32, f64::asin),
        ("acos", acos_f32, f64::acos),
        ("atan", atan_f32, f64::atan),
    ];
    let multiples = (0..100_000).map(|k| (f64::from(k) * FRAC_PI_4) as f32);
    let all = (0..=u32::MAX).step_by(20_011).map(f32::from_bits);
    let arguments: Vec<f32> = all.chain(multiples).collect();
    for (name, function, reference) in functions {
        for &x in &arguments {
            let error = ulps_f32(function(x), reference(f64::from(x)));
            assert!(error < 1.0, "{name} of {x:e}: {error} ulp");
        }
    }
    for pair in arguments.windows(2) {
        let error = ulps_f32(atan2_f32(pair[0], pair[1]), f64::from(pair[0]).atan2(f64::from(pair[1])));
        assert!(error < 1.0, "atan2 of {pair:?}: {error} ulp");
    }
}
