//! What belongs to types: methods, operators, traits of the user's own, functions as type parameters.

use crate::data::u64s;
use crate::{Case, Output, assert_same};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "methods", kernel: methods::kernel, run: run_methods },
        Case { name: "operators of structs", kernel: operators::kernel, run: run_operators },
        Case { name: "own traits", kernel: distances::kernel::<Manhattan>, run: run_distances },
        Case { name: "functions as parameters", kernel: map::kernel::<cube>, run: run_map },
        Case { name: "generic structs", kernel: intervals::kernel::<f32>, run: run_intervals },
    ]
}

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq, GpuType)]
#[repr(C)]
struct Complex {
    re: f32,
    im: f32,
}

#[gpu_impl]
impl Complex {
    const I: Complex = Complex { re: 0.0, im: 1.0 };

    fn new(re: f32, im: f32) -> Self {
        Self { re, im }
    }

    fn norm_squared(&self) -> f32 {
        self.re * self.re + self.im * self.im
    }

    fn scale(&mut self, by: f32) -> f32 {
        self.re *= by;
        self.im *= by;
        by + 1.0
    }

    fn conjugate(self) -> Self {
        Self { im: -self.im, ..self }
    }

    fn twice(self) -> Self {
        let mut twice = self;
        twice.scale(2.0);
        twice
    }

    fn larger(self, other: Complex) -> Self {
        if self.norm_squared() > other.norm_squared() { self } else { other }
    }
}

#[gpu_impl]
impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Self) -> Self::Output {
        Complex::new(self.re + other.re, self.im + other.im)
    }
}

#[gpu_impl]
impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        self + -other
    }
}

#[gpu_impl]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[gpu_impl]
impl Mul<f32> for Complex {
    type Output = Complex;
    fn mul(self, by: f32) -> Complex {
        Complex::new(self.re * by, self.im * by)
    }
}

#[gpu_impl]
impl Mul<Complex> for f32 {
    type Output = Complex;
    fn mul(self, by: Complex) -> Complex {
        by * self
    }
}

#[gpu_impl]
impl Neg for Complex {
    type Output = Complex;
    fn neg(self) -> Complex {
        Complex::new(-self.re, -self.im)
    }
}

#[gpu_impl]
impl AddAssign for Complex {
    fn add_assign(&mut self, other: Complex) {
        *self = *self + other;
    }
}

fn numbers(n: usize) -> Vec<Complex> {
    u64s(n, 95).into_iter().map(|x| Complex { re: (x % 17) as f32 - 8.0, im: (x >> 20 & 15) as f32 * 0.5 }).collect()
}

fn parts(values: &[Complex]) -> Vec<f32> {
    values.iter().flat_map(|z| [z.re, z.im]).collect()
}

#[gpu_kernel]
fn methods(x: &[Complex], out: &mut [Complex]) {
    let i = global_id();
    if i < out.len() {
        let mut z = x[i].conjugate();
        let by = z.scale(3.0);
        out[i] = z.larger(Complex::I.twice());
        out[i].scale(by);
        out[i].re += z.norm_squared();
        let mut pair = [z, Complex::I];
        pair[1].scale(0.5);
        out[i].im += pair[1].im;
    }
}

fn run_methods(device: &Device, n: usize) -> Result<Output, Error> {
    let x = numbers(n);
    let mut out = device.zeros::<Complex>(n)?;
    methods(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = parts(&out.download()?);
    let expected = x.iter().flat_map(|z| {
        let (re, im) = (z.re * 3.0, -z.im * 3.0);
        let square = re * re + im * im;
        let (a, b) = if square > 4.0 { (re, im) } else { (0.0, 2.0) };
        [a * 4.0 + square, b * 4.0 + 0.5]
    });
    assert_same("methods", &out, &expected.collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

#[gpu_kernel]
fn operators(x: &[Complex], shift: Complex, out: &mut [Complex]) {
    let i = global_id();
    if i < out.len() {
        let mut z = x[i] * shift + Complex::I - x[i];
        z += -x[i];
        out[i] = 2.0 * z * 0.5;
        out[i] += shift;
        if out[i] == shift {
            out[i].re = -100.0;
        }
    }
}

fn run_operators(device: &Device, n: usize) -> Result<Output, Error> {
    let (x, shift) = (numbers(n), Complex { re: 0.5, im: -2.0 });
    let mut out = device.zeros::<Complex>(n)?;
    operators(&*device.upload(&x)?, shift, &mut out).threads(n).launch()?;
    let out = parts(&out.download()?);
    let expected = x.iter().flat_map(|z| {
        let re = z.re * 0.5 - z.im * -2.0 + 0.0 - z.re - z.re;
        let im = z.re * -2.0 + z.im * 0.5 + 1.0 - z.im - z.im;
        let (re, im) = (re * 2.0 * 0.5 + 0.5, im * 2.0 * 0.5 - 2.0);
        [if re == 0.5 && im == -2.0 { -100.0 } else { re }, im]
    });
    assert_same("operators", &out, &expected.collect::<Vec<_>>());
    // The host's operators are the same functions.
    assert_eq!(2.0 * (Complex::I + shift), Complex { re: 1.0, im: -2.0 });
    Ok(Output::new().with(&out))
}

/// How two points are compared, coordinate by coordinate.
#[gpu_trait]
trait Metric {
    const START: f32;
    fn add(sum: f32, a: f32, b: f32) -> f32;
    fn finish(sum: f32) -> f32;
}

struct Manhattan;
struct Euclidean;

#[gpu_impl]
impl Metric for Manhattan {
    const START: f32 = 0.0;
    fn add(sum: f32, a: f32, b: f32) -> f32 {
        sum + (a - b).abs()
    }
    fn finish(sum: f32) -> f32 {
        sum
    }
}

#[gpu_impl]
impl Metric for Euclidean {
    const START: f32 = 0.25;
    fn add(sum: f32, a: f32, b: f32) -> f32 {
        let difference = a - b;
        difference.mul_add(difference, sum)
    }
    fn finish(sum: f32) -> f32 {
        sum.sqrt()
    }
}

/// A device function that is generic over the trait.
#[gpu_fn]
fn distance<M: Metric>(a: &[f32], b: &[f32]) -> f32 {
    let mut sum = M::START;
    for k in 0..a.len() {
        sum = M::add(sum, a[k], b[k]);
    }
    M::finish(sum)
}

#[gpu_kernel]
fn distances<M: Metric>(x: &[f32], query: &[f32], out: &mut [f32]) {
    let i = global_id();
    if i < out.len() {
        let width = query.len();
        out[i] = distance::<M>(&x[i * width..(i + 1) * width], query);
    }
}

fn run_distances(device: &Device, n: usize) -> Result<Output, Error> {
    let x: Vec<f32> = u64s(n * 3, 96).into_iter().map(|x| (x % 100) as f32 * 0.25).collect();
    let query = [1.0, 2.5, 7.0];
    let (on_device, query_on_device) = (device.upload(&x)?, device.upload(&query)?);
    let (mut near, mut far) = (device.zeros::<f32>(n)?, device.zeros::<f32>(n)?);
    distances::<Manhattan>(&on_device, &query_on_device, &mut near).threads(n).launch()?;
    distances::<Euclidean>(&on_device, &query_on_device, &mut far).threads(n).launch()?;
    let (near, far) = (near.download()?, far.download()?);
    let fold = |point: &[f32], start: f32, add: &dyn Fn(f32, f32) -> f32| {
        point.iter().zip(query).fold(start, |sum, (a, b)| add(sum, a - b))
    };
    let manhattan = x.chunks(3).map(|point| fold(point, 0.0, &|sum, d| sum + d.abs()));
    let euclidean = x.chunks(3).map(|point| fold(point, 0.25, &|sum, d| d.mul_add(d, sum)).sqrt());
    assert_same("manhattan", &near, &manhattan.collect::<Vec<_>>());
    assert_same("euclidean", &far, &euclidean.collect::<Vec<_>>());
    Ok(Output::new().with(&near).with(&far))
}

#[gpu_fn]
fn cube(x: u32) -> u32 {
    x.wrapping_mul(x).wrapping_mul(x)
}

#[gpu_fn]
fn next(x: u32) -> u32 {
    x.wrapping_add(1)
}

/// Calls a function that was passed to it.
#[gpu_fn]
fn applied<F: GpuFn1<u32, Output = u32>>(x: u32) -> u32 {
    F::call(F::call(x))
}

#[gpu_kernel]
fn map<F: GpuFn1<u32, Output = u32>>(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = F::call(x[i]) ^ applied::<F>(x[i]);
    }
}

fn run_map(device: &Device, n: usize) -> Result<Output, Error> {
    let x: Vec<u32> = u64s(n, 97).into_iter().map(|x| x as u32).collect();
    let on_device = device.upload(&x)?;
    let (mut cubes, mut nexts) = (device.zeros::<u32>(n)?, device.zeros::<u32>(n)?);
    map::<cube>(&on_device, &mut cubes).threads(n).launch()?;
    map::<next>(&on_device, &mut nexts).threads(n).launch()?;
    let (cubes, nexts) = (cubes.download()?, nexts.download()?);
    let cubed = |x: u32| x.wrapping_pow(3);
    assert_same("cubes", &cubes, &x.iter().map(|&x| cubed(x) ^ cubed(cubed(x))).collect::<Vec<_>>());
    let moved = |x: u32| x.wrapping_add(1) ^ x.wrapping_add(2);
    assert_same("nexts", &nexts, &x.iter().map(|&x| moved(x)).collect::<Vec<_>>());
    Ok(Output::new().with(&cubes).with(&nexts))
}

/// Numbers between two others.
#[derive(Clone, Copy, Debug, PartialEq, GpuType)]
#[repr(C)]
struct Interval<T> {
    low: T,
    high: T,
}

#[gpu_impl]
impl<T: Num> Interval<T> {
    fn of(a: T, b: T) -> Self {
        if a < b { Self { low: a, high: b } } else { Self { low: b, high: a } }
    }

    fn width(&self) -> T {
        self.high - self.low
    }

    fn grow(&mut self, by: T) {
        self.low -= by;
        self.high += by;
    }
}

#[gpu_kernel]
fn intervals<T: Num>(a: &[T], b: &[T], out: &mut [Interval<T>], widths: &mut [T]) {
    let i = global_id();
    if i < out.len() {
        let mut interval = Interval::of(a[i], b[i]);
        interval.grow(T::ONE);
        out[i] = interval;
        widths[i] = out[i].width();
    }
}

fn run_intervals(device: &Device, n: usize) -> Result<Output, Error> {
    let values = |seed| u64s(n, seed).into_iter().map(|x| (x % 1000) as f32 * 0.5).collect::<Vec<_>>();
    let (a, b) = (values(98), values(99));
    let mut out = device.upload(&vec![Interval { low: 0.0, high: 0.0 }; n])?;
    let mut widths = device.zeros::<f32>(n)?;
    intervals(&*device.upload(&a)?, &*device.upload(&b)?, &mut out, &mut widths).threads(n).launch()?;
    let (out, widths) = (out.download()?, widths.download()?);
    let expected = a.iter().zip(&b).map(|(&a, &b)| Interval { low: a.min(b) - 1.0, high: a.max(b) + 1.0 });
    assert_eq!(out, expected.collect::<Vec<_>>());
    assert_same("widths", &widths, &out.iter().map(|found| found.high - found.low).collect::<Vec<_>>());
    Ok(Output::new().with(&widths))
}
