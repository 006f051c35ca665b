//! `sinh`, `cosh`, `tanh`, their inverses, and the logarithm to any base.

use super::*;

const ONE: Double = Double { high: 1.0, low: 0.0 };

fn double(x: f64) -> Double {
    Double { high: x, low: 0.0 }
}

fn negated(x: Double) -> Double {
    Double { high: -x.high, low: -x.low }
}

fn half(x: Double) -> Double {
    Double { high: 0.5 * x.high, low: 0.5 * x.low }
}

/// The hyperbolic cosine and sine, from exp(|x|) - 1 = e: sinh = (e + e/(1 + e))/2, cosh = 1 + (e - e/(1 + e))/2.
fn cosh_sinh(x: f64) -> [Double; 2] {
    let e = exp_m1_reference(double(x.abs()));
    let inverse = quotient(e, e.plus(ONE));
    let sinh = half(e.plus(inverse));
    let cosh = ONE.plus(half(e.plus(negated(inverse))));
    [cosh, if x < 0.0 { negated(sinh) } else { sinh }]
}

#[test]
fn hyperbolic_functions_are_within_a_unit() {
    let (mut sinh, mut cosh, mut tanh) = (0f64, 0f64, 0f64);
    for x in sweep(700.0).chain(sweep(25.0)).chain(sweep(1.5)).step_by(7) {
        let [exact_cosh, exact_sinh] = cosh_sinh(x);
        cosh = cosh.max(ulps(cosh_f64(x), exact_cosh));
        sinh = sinh.max(ulps(sinh_f64(x), exact_sinh));
        tanh = tanh.max(ulps(tanh_f64(x), quotient(exact_sinh, exact_cosh)));
    }
    println!("sinh {sinh}, cosh {cosh}, tanh {tanh}");
    assert!(sinh < 1.0 && cosh < 1.0 && tanh < 1.0, "sinh {sinh}, cosh {cosh}, tanh {tanh}");
}

/// By a step of Newton.
#[test]
fn inverse_hyperbolic_functions_are_within_a_unit() {
    let (mut asinh, mut acosh, mut atanh) = (0f64, 0f64, 0f64);
    for x in sweep(1e12).chain(sweep(4.0)).step_by(7) {
        let start = asinh_f64(x);
        let [cosh, sinh] = cosh_sinh(start);
        let rest = double(x).plus(negated(sinh));
        asinh = asinh.max(ulps(asinh_f64(x), Double::sum(start, rest.high / cosh.high)));

        let x = 1.0 + x.abs();
        let start = acosh_f64(x);
        let [cosh, sinh] = cosh_sinh(start);
        let rest = double(x).plus(negated(cosh));
        acosh = acosh.max(ulps(start, Double::sum(start, if start > 0.0 { rest.high / sinh.high } else { 0.0 })));
    }
    for x in sweep(1.0).step_by(5).filter(|x| x.abs() < 1.0) {
        let start = atanh_f64(x);
        let [cosh, sinh] = cosh_sinh(start);
        let rest = double(x).times(cosh).plus(negated(sinh));
        let along = cosh.plus(negated(double(x).times(sinh)));
        atanh = atanh.max(ulps(start, Double::sum(start, rest.high / along.high)));
    }
    println!("asinh {asinh}, acosh {acosh}, atanh {atanh}");
    assert!(asinh < 1.0 && acosh < 1.0 && atanh < 1.0, "asinh {asinh}, acosh {acosh}, atanh {atanh}");
}

#[test]
fn logarithms_to_any_base_are_within_a_unit() {
    let exact_ln = |x: f64| ln_rest(x.ln(), double(x).plus(double(-1.0)));
    let mut worst = 0f64;
    let arguments: Vec<f64> = sweep(1e12).step_by(7).map(f64::abs).collect();
    for (x, base) in arguments.iter().zip(arguments.iter().rev()) {
        let exact = quotient(exact_ln(*x), exact_ln(*base));
        worst = worst.max(ulps(log_f64(*x, *base), exact));
    }
    assert!(worst < 1.0, "{worst}");
    assert_eq!((log_f64(0.0, 2.0), log_f64(f64::INFINITY, 2.0)), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!((log_f64(8.0, 2.0), log_f64(1.0, 3.0), log_f64(5.0, 1.0)), (3.0, 0.0, f64::INFINITY));
    assert_eq!((log_f32(8.0, 2.0), log_f32(1.0, 3.0), log_f32(0.0, 10.0)), (3.0, 0.0, f32::NEG_INFINITY));
    assert!(log_f64(-1.0, 2.0).is_nan() && log_f64(2.0, -1.0).is_nan() && log_f64(1.0, 1.0).is_nan());
}

#[test]
fn special_values_of_the_hyperbolic_functions() {
    let infinity = f64::INFINITY;
    assert_eq!((sinh_f64(infinity), sinh_f64(-infinity), cosh_f64(-infinity)), (infinity, -infinity, infinity));
    assert_eq!((tanh_f64(infinity), tanh_f64(-infinity), tanh_f32(f32::INFINITY)), (1.0, -1.0, 1.0));
    assert_eq!((sinh_f64(711.0), cosh_f64(-711.0), cosh_f32(89.5)), (infinity, infinity, f32::INFINITY));
    assert!(sinh_f64(710.4).is_finite() && cosh_f64(710.4).is_finite() && cosh_f32(89.4).is_finite());
    assert_eq!((asinh_f64(-infinity), acosh_f64(infinity)), (-infinity, infinity));
    assert_eq!((atanh_f64(1.0), atanh_f64(-1.0), atanh_f32(-1.0)), (infinity, -infinity, f32::NEG_INFINITY));
    assert_eq!((cosh_f64(0.0), acosh_f64(1.0), acosh_f32(1.0)), (1.0, 0.0, 0.0));
    assert!(acosh_f64(0.999).is_nan() && acosh_f64(-infinity).is_nan() && acosh_f32(-2.0).is_nan());
    assert!(atanh_f64(1.1).is_nan() && atanh_f64(-infinity).is_nan() && atanh_f32(2.0).is_nan());
    for function in [sinh_f64, cosh_f64, tanh_f64, asinh_f64, acosh_f64, atanh_f64] {
        assert!(function(f64::NAN).is_nan());
    }
    for function in [sinh_f32, cosh_f32, tanh_f32, asinh_f32, acosh_f32, atanh_f32] {
        assert!(function(f32::NAN).is_nan());
    }
    // Tiny numbers are their own hyperbolic sine, down to the smallest and to the sign of zero.
    for x in [0.0, -0.0, 5e-324, -5e-324, 1e-310, f64::MIN_POSITIVE, -1e-200] {
        for function in [sinh_f64, tanh_f64, asinh_f64, atanh_f64] {
            assert_eq!(function(x).to_bits(), x.to_bits(), "{x:e}");
        }
    }
    for x in [0.0, -0.0, 1e-45, -1e-45, 1e-40, f32::MIN_POSITIVE] {
        for function in [sinh_f32, tanh_f32, asinh_f32, atanh_f32] {
            assert_eq!(function(x).to_bits(), x.to_bits(), "{x:e}");
        }
    }
}

/// ln(x + √(x² - 1)), where `std` is not accurate.
fn acosh(x: f64) -> f64 {
    let t = x - 1.0;
    if t < 0.0 { f64::NAN } else { (t + (t * (t + 2.0)).sqrt()).ln_1p() }
}

/// Every 20,011th float of all.
#[test]
fn single_precision_is_within_a_unit() {
    type Pair = (&'static str, fn(f32) -> f32, fn(f64) -> f64);
    let functions: [Pair; 6] = [
        ("sinh", sinh_f32, f64::sinh),
        ("cosh", cosh_f32, f64::cosh),
        ("tanh", tanh_f32, f64::tanh),
        ("asinh", asinh_f32, f64::asinh),
        ("acosh", acosh_f32, acosh),
        ("atanh", atanh_f32, f64::atanh),
    ];
    for (name, function, reference) in functions {
        for bits in (0..=u32::MAX).step_by(20_011) {
            let x = f32::from_bits(bits);
            let error = ulps_f32(function(x), reference(f64::from(x)));
            assert!(error < 1.0, "{name} of {x:e}: {error} ulp");
        }
    }
}
