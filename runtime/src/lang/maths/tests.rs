//! Worst errors, against twice the precision.

mod circular;
mod hyperbolic;

use super::*;

/// A number of about 106 bits: `high + low`.
#[derive(Clone, Copy)]
struct Double {
    high: f64,
    low: f64,
}

impl Double {
    fn sum(a: f64, b: f64) -> Double {
        let high = a + b;
        let part = high - a;
        Double { high, low: (a - (high - part)) + (b - part) }
    }

    fn plus(self, other: Double) -> Double {
        let sum = Double::sum(self.high, other.high);
        Double::sum(sum.high, sum.low + self.low + other.low)
    }

    fn times(self, other: Double) -> Double {
        let high = self.high * other.high;
        let low = self.high.mul_add(other.high, -high) + (self.high * other.low + self.low * other.high);
        Double::sum(high, low)
    }

    fn over(self, divisor: f64) -> Double {
        let quotient = self.high / divisor;
        let rest = quotient.mul_add(-divisor, self.high) + self.low;
        Double::sum(quotient, rest / divisor)
    }
}

/// `a / b`
fn quotient(a: Double, b: Double) -> Double {
    let first = a.high / b.high;
    let rest = a.plus(b.times(Double { high: -first, low: 0.0 }));
    Double::sum(first, rest.high / b.high)
}

/// exp(x) - 1 for |x| up to about 700, by halving the argument often and squaring back.
fn exp_m1_reference(x: Double) -> Double {
    const HALVINGS: i32 = 16;
    let scale = 2f64.powi(-HALVINGS);
    let r = Double { high: x.high * scale, low: x.low * scale };
    // Taylor, enough for |r| < 0.011.
    let mut term = r;
    let mut sum = r;
    for n in 2..18 {
        term = term.times(r).over(f64::from(n));
        sum = sum.plus(term);
    }
    // (1 + s)² - 1 = 2s + s²
    for _ in 0..HALVINGS {
        let square = sum.times(sum);
        sum = Double { high: sum.high * 2.0, low: sum.low * 2.0 }.plus(square);
    }
    sum
}

/// The error of `found` in units of its last place.
fn ulps(found: f64, exact: Double) -> f64 {
    let unit = f64::from_bits(exact.high.abs().to_bits() + 1) - exact.high.abs();
    ((found - exact.high) - exact.low).abs() / unit
}

fn mix(seed: u64) -> f64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x >> 11) as f64 / 2f64.powi(53)
}

/// Arguments of all sizes between `-limit` and `limit`.
fn sweep(limit: f64) -> impl Iterator<Item = f64> {
    (0..200_000u64).map(move |i| {
        let size = 2f64.powf(mix(i) * 60.0 - 59.0) * limit;
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        sign * if i % 3 == 0 { mix(i + 7) * limit } else { size.min(limit) }
    })
}

#[test]
fn exponentials_are_within_one_ulp() {
    let (mut exp, mut exp_m1) = (0f64, 0f64);
    for x in sweep(700.0) {
        let exact = exp_m1_reference(Double { high: x, low: 0.0 });
        exp_m1 = exp_m1.max(ulps(exp_m1_f64(x), exact));
        // Far below 0 the reference, a difference from 1, has no digits left; there the reciprocal is tested.
        if x > -30.0 {
            exp = exp.max(ulps(exp_f64(x), exact.plus(Double { high: 1.0, low: 0.0 })));
        } else {
            let reciprocal = Double { high: 1.0, low: 0.0 };
            let inverse = exp_m1_reference(Double { high: -x, low: 0.0 }).plus(reciprocal);
            let product = inverse.times(Double { high: exp_f64(x), low: 0.0 });
            // One unit of the last place is between 2^-53 and 2^-52 of the value.
            exp = exp.max(((product.high - 1.0) + product.low).abs() / 2f64.powi(-52));
        }
    }
    println!("exp {exp}, exp_m1 {exp_m1}");
    assert!(exp < 1.0 && exp_m1 < 1.0, "exp {exp}, exp_m1 {exp_m1}");
}

/// One step of Newton on the logarithm of `std` gives the rest: with y near ln(v), ln(v) = y + (v - e^y) / e^y.
fn ln_rest(y: f64, value_minus_one: Double) -> Double {
    let e = exp_m1_reference(Double { high: y, low: 0.0 });
    let difference = value_minus_one.plus(Double { high: -e.high, low: -e.low });
    let relative = difference.over(1.0 + e.high);
    Double::sum(y, 0.0).plus(Double { high: relative.high - 0.5 * relative.high * relative.high, low: relative.low })
}

#[test]
fn logarithms_are_within_one_ulp() {
    let (mut ln, mut ln_1p) = (0f64, 0f64);
    for x in sweep(0.999_999).chain(sweep(1e12)).filter(|x| *x > -1.0) {
        ln_1p = ln_1p.max(ulps(ln_1p_f64(x), ln_rest(x.ln_1p(), Double { high: x, low: 0.0 })));
        let value = x.abs();
        if value > 1e-250 {
            ln = ln.max(ulps(ln_f64(value), ln_rest(value.ln(), Double::sum(value, -1.0))));
        }
    }
    println!("ln {ln}, ln_1p {ln_1p}");
    assert!(ln < 1.0 && ln_1p < 1.0, "ln {ln}, ln_1p {ln_1p}");
}

#[test]
fn special_values_are_those_of_std() {
    let specials = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        5e-324,
        1e-310,
        -1e-320,
        -2.0,
        709.78,
        709.79,
        -745.1,
        -745.2,
        -708.5,
        -740.0,
        f64::MAX,
        f64::MIN,
        1e-17,
        -1e-17,
        2f64.powi(-53),
    ];
    let near = |found: f64, expected: f64| {
        found.to_bits() == expected.to_bits()
            || (found.is_nan() && expected.is_nan())
            || (found - expected).abs() <= expected.abs() * f64::EPSILON + 5e-324
    };
    for x in specials {
        assert!(near(ln_f64(x), x.ln()), "ln {x:e}: {:e}", ln_f64(x));
        assert!(near(ln_1p_f64(x), x.ln_1p()), "ln_1p {x:e}: {:e}", ln_1p_f64(x));
        assert!(near(exp_f64(x), x.exp()), "exp {x:e}: {:e}, not {:e}", exp_f64(x), x.exp());
        assert!(near(exp_m1_f64(x), x.exp_m1()), "exp_m1 {x:e}: {:e}, not {:e}", exp_m1_f64(x), x.exp_m1());
        assert!(near(log2_f64(x), x.log2()), "log2 {x:e}: {:e}, not {:e}", log2_f64(x), x.log2());
        assert!(near(log10_f64(x), x.log10()), "log10 {x:e}: {:e}, not {:e}", log10_f64(x), x.log10());
        assert!(near(exp2_f64(x), x.exp2()), "exp2 {x:e}: {:e}, not {:e}", exp2_f64(x), x.exp2());
    }
    assert_eq!(exp_f32(88.8), f32::INFINITY);
    assert_eq!(exp_m1_f32(-0.0).to_bits(), (-0.0f32).to_bits());
    assert_eq!(ln_1p_f32(-0.0).to_bits(), (-0.0f32).to_bits());
}

/// The error of `found` in units of the last place of `exact` as f32; none where both are the same special value.
fn ulps_f32(found: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if found.to_bits() == rounded.to_bits() && (exact == 0.0 || !rounded.is_finite())
        || found.is_nan() && exact.is_nan()
    {
        return 0.0;
    }
    // Where one side overflows, the largest number stands for the power of two that follows it.
    let size = rounded.abs().min(f32::from_bits(f32::MAX.to_bits() - 1));
    let unit = f64::from(f32::from_bits(size.to_bits() + 1)) - f64::from(size);
    let found = f64::from(found).clamp(-2f64.powi(128), 2f64.powi(128));
    (found - exact).abs() / unit
}

/// Every 4,099th float of all.
#[test]
fn single_precision_is_within_one_ulp() {
    type Pair = (&'static str, fn(f32) -> f32, fn(f64) -> f64);
    let functions: [Pair; 7] = [
        ("ln", ln_f32, f64::ln),
        ("ln_1p", ln_1p_f32, f64::ln_1p),
        ("log2", log2_f32, f64::log2),
        ("log10", log10_f32, f64::log10),
        ("exp", exp_f32, f64::exp),
        ("exp2", exp2_f32, f64::exp2),
        ("exp_m1", exp_m1_f32, f64::exp_m1),
    ];
    for (name, function, reference) in functions {
        for bits in (0..=u32::MAX).step_by(4099) {
            let x = f32::from_bits(bits);
            let error = ulps_f32(function(x), reference(f64::from(x)));
            assert!(error < 1.0, "{name} of {x:e}: {error} ulp");
        }
    }
}

/// The other bases, against `std`, which itself may be wrong by one unit.
#[test]
fn other_bases_agree_with_std() {
    let near = |found: f64, expected: f64| (found - expected).abs() <= 1.5 * f64::EPSILON * expected.abs();
    for x in sweep(1000.0) {
        assert!(near(exp2_f64(x), x.exp2()), "exp2 {x:e}: {:e}, not {:e}", exp2_f64(x), x.exp2());
        let x = x.abs();
        assert!(near(log2_f64(x), x.log2()), "log2 {x:e}: {:e}, not {:e}", log2_f64(x), x.log2());
        assert!(near(log10_f64(x), x.log10()), "log10 {x:e}: {:e}, not {:e}", log10_f64(x), x.log10());
    }
}

/// Powers of the base come out whole.
#[test]
fn powers_of_two_are_exact() {
    for n in -1074..1024 {
        let power = f64::from_bits(if n < -1022 { 1 << (n + 1074) } else { ((n + 1023) as u64) << 52 });
        assert_eq!(log2_f64(power), f64::from(n));
        assert_eq!(exp2_f64(f64::from(n)), power);
    }
    for n in -149..128 {
        let power = f32::from_bits(if n < -126 { 1 << (n + 149) } else { ((n + 127) as u32) << 23 });
        assert_eq!(log2_f32(power), n as f32);
        assert_eq!(exp2_f32(n as f32), power);
    }
}
