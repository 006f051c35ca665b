//! The elementary functions: in a kernel, by their methods, as on the host, bit for bit.

use crate::data::mix;
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    macro_rules! cases {
        ($($kernel:ident $what:literal $run_f32:ident $run_f64:ident;)*) => {
            vec![$(
                Case { name: concat!($what, " f32"), kernel: $kernel::kernel::<f32>, run: $run_f32 },
                Case { name: concat!($what, " f64"), kernel: $kernel::kernel::<f64>, run: $run_f64 },
            )*]
        };
    }
    cases! {
        circular "sin, cos, tan" run_circular_f32 run_circular_f64;
        arcs "asin, acos, atan, atan2" run_arcs_f32 run_arcs_f64;
        hyperbolic "sinh, cosh, tanh" run_hyperbolic_f32 run_hyperbolic_f64;
        inverse_hyperbolic "asinh, acosh, atanh" run_inverse_hyperbolic_f32 run_inverse_hyperbolic_f64;
        powers "log, log2, log10, exp2" run_powers_f32 run_powers_f64;
    }
}

#[gpu_kernel]
fn circular<T: Real>(x: &[T], out: &mut [T]) {
    let i = global_id();
    if i < x.len() {
        out[i * 4] = x[i].sin();
        out[i * 4 + 1] = x[i].cos();
        out[i * 4 + 2] = x[i].tan();
        out[i * 4 + 3] = x[i];
    }
}

#[gpu_kernel]
fn arcs<T: Real>(x: &[T], out: &mut [T]) {
    let i = global_id();
    if i < x.len() {
        out[i * 4] = x[i].asin();
        out[i * 4 + 1] = x[i].acos();
        out[i * 4 + 2] = x[i].atan();
        out[i * 4 + 3] = x[i].atan2(x[x.len() - 1 - i]);
    }
}

#[gpu_kernel]
fn hyperbolic<T: Real>(x: &[T], out: &mut [T]) {
    let i = global_id();
    if i < x.len() {
        out[i * 4] = x[i].sinh();
        out[i * 4 + 1] = x[i].cosh();
        out[i * 4 + 2] = x[i].tanh();
        out[i * 4 + 3] = x[i];
    }
}

#[gpu_kernel]
fn inverse_hyperbolic<T: Real>(x: &[T], out: &mut [T]) {
    let i = global_id();
    if i < x.len() {
        out[i * 4] = x[i].asinh();
        out[i * 4 + 1] = x[i].acosh();
        out[i * 4 + 2] = x[i].atanh();
        out[i * 4 + 3] = x[i];
    }
}

#[gpu_kernel]
fn powers<T: Real>(x: &[T], out: &mut [T]) {
    let i = global_id();
    if i < x.len() {
        out[i * 4] = x[i].log(x[x.len() - 1 - i]);
        out[i * 4 + 1] = x[i].log2();
        out[i * 4 + 2] = x[i].log10();
        out[i * 4 + 3] = x[i].exp2();
    }
}

/// Where the functions are special, or change from one formula to the next.
const SPECIAL: [f64; 32] = [
    f64::NAN,
    0.0,
    f64::INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    3.402_823_466_385_288_6e38,
    1.175_494_350_822_287_5e-38,
    1e-45,
    1e-310,
    1e-40,
    1e-20,
    1e-5,
    0.25,
    0.5,
    std::f64::consts::FRAC_PI_4,
    0.999_999_940_395_355_2,
    1.0,
    1.000_000_119_209_289_6,
    1.5,
    std::f64::consts::FRAC_PI_2,
    2.0,
    std::f64::consts::PI,
    10.0,
    20.0,
    89.4,
    710.4,
    131_072.0,
    131_073.0,
    1_073_741_824.0,
    1_073_741_825.0,
    1e22,
];

/// `n` numbers: a third special, a third between -4 and 4, a third of all magnitudes.
fn arguments(n: usize, seed: u64) -> impl Iterator<Item = f64> {
    (0..n as u64).map(move |i| {
        let bits = mix(i ^ seed << 32);
        let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
        match (bits >> 1) % 3 {
            0 => sign * SPECIAL[(bits >> 8) as usize % SPECIAL.len()],
            1 => sign * 4.0 * ((bits >> 11) as f64 / 2f64.powi(53)),
            _ => f64::from_bits(mix(bits)),
        }
    })
}

macro_rules! runs {
    ($($ty:ident { $($kernel:ident $run:ident $seed:literal, $x:ident $y:ident => $expected:expr;)* })*) => {$($(
        fn $run(device: &Device, n: usize) -> Result<Output, Error> {
            use warpcell_runtime::lang::maths::*;
            let x: Vec<$ty> = arguments(n, $seed).map(|x| x as $ty).collect();
            let mut out = device.zeros(n * 4)?;
            $kernel(&*device.upload(&x)?, &mut out).threads(n).launch()?;
            let out = out.download()?;
            let expected = x.iter().zip(x.iter().rev()).flat_map(|(&$x, &$y)| $expected);
            assert_same(stringify!($kernel), &out, &expected.collect::<Vec<$ty>>());
            Ok(Output::new().with(&out))
        }
    )*)*};
}
runs! {
    f32 {
    circular run_circular_f32 60, x _y => [sin_f32(x), cos_f32(x), tan_f32(x), x];
    arcs run_arcs_f32 61, x y => [asin_f32(x), acos_f32(x), atan_f32(x), atan2_f32(x, y)];
    hyperbolic run_hyperbolic_f32 62, x _y => [sinh_f32(x), cosh_f32(x), tanh_f32(x), x];
    inverse_hyperbolic run_inverse_hyperbolic_f32 63, x _y => [asinh_f32(x), acosh_f32(x), atanh_f32(x), x];
    powers run_powers_f32 64, x y => [log_f32(x, y), log2_f32(x), log10_f32(x), exp2_f32(x)];
    }
    f64 {
    circular run_circular_f64 65, x _y => [sin_f64(x), cos_f64(x), tan_f64(x), x];
    arcs run_arcs_f64 66, x y => [asin_f64(x), acos_f64(x), atan_f64(x), atan2_f64(x, y)];
    hyperbolic run_hyperbolic_f64 67, x _y => [sinh_f64(x), cosh_f64(x), tanh_f64(x), x];
    inverse_hyperbolic run_inverse_hyperbolic_f64 68, x _y => [asinh_f64(x), acosh_f64(x), atanh_f64(x), x];
    powers run_powers_f64 69, x y => [log_f64(x, y), log2_f64(x), log10_f64(x), exp2_f64(x)];
    }
}
