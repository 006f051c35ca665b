//! What kernels print, and their assertions: the text is Rust's own, and the same on every device.

use super::faults::{FaultCase, fault, run};
use crate::{Case, Output};
use std::fmt::Write as _;
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Error, FaultKind, KernelInfo};

/// All checks of what is printed.
pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "H15 each type is printed as Rust does", kernel: each_type::kernel, run: types },
        Case { name: "H15 one line a thread, in their order", kernel: three_values::kernel, run: lines },
        Case { name: "formats of integers", kernel: integers::kernel, run: integer_formats },
        Case { name: "formats of floats", kernel: floats::kernel, run: float_formats },
        Case { name: "names, positions, and constants in format strings", kernel: names::kernel, run: names_of_values },
        Case { name: "what a thread prints stays in its order", kernel: around_a_barrier::kernel, run: barriers },
        Case { name: "printing in device functions and branches", kernel: collatz::kernel, run: functions },
        Case { name: "what does not fit the buffer is counted", kernel: three_values::kernel, run: overflow },
        Case { name: "assertions that hold", kernel: holds::kernel, run: assertions_hold },
    ]
}

/// The kernels of the checks of assertions.
pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![asserts::kernel(), messages::kernel(), debug_asserts::kernel(), last_words::kernel()]
}

/// All checks of assertions that fail.
pub(super) fn fault_cases() -> Vec<FaultCase> {
    vec![
        FaultCase { name: "H13 assertion", run: failed_assertion },
        FaultCase { name: "messages of panics", run: messages_of_panics },
        FaultCase { name: "assertions of debug builds", run: debug_assertions },
        FaultCase { name: "what was printed before a panic", run: printed_before_a_panic },
    ]
}

/// What kernels printed, which must be `expected`.
#[track_caller]
fn check(device: &Device, launch: Launch<'_>, expected: &str) -> Result<Output, Error> {
    let ((), text) = device.printed(|| launch.launch())?;
    assert_eq!(text, expected);
    Ok(Output::new().with(text.as_bytes()))
}

#[gpu_kernel]
#[allow(clippy::too_many_arguments)]
fn each_type(a: &[i8], b: &[u16], c: &[i32], d: &[u64], e: &[f32], f: &[f64], g: &[bool]) {
    let i = global_id();
    println!("{} {} {} {} {} {} {} {}", i, a[i], b[i], c[i], d[i], e[i], f[i], g[i]);
    println!("{:?} {:?} {:?} {:?} {:?} {:?} {:?}", a[i] as i16, b[i] as u8, c[i] as i64, d[i] as u32, e[i], f[i], g[i]);
}

fn types(device: &Device, _: usize) -> Result<Output, Error> {
    let (a, b, c) = ([1i8, -1, i8::MIN, i8::MAX], [0u16, 1, 2, u16::MAX], [0i32, -7, i32::MIN, i32::MAX]);
    let (d, g) = ([0u64, 1 << 53, u64::MAX - 1, u64::MAX], [true, false, true, false]);
    let e = [2.5f32, -0.0, f32::MAX, f32::NAN];
    let f = [0.1f64, 1e-300, f64::NEG_INFINITY, 1e21];
    let mut expected = String::new();
    for i in 0..4 {
        let _ = writeln!(expected, "{} {} {} {} {} {} {} {}", i, a[i], b[i], c[i], d[i], e[i], f[i], g[i]);
        let (a, b, c, d) = (i16::from(a[i]), b[i] as u8, i64::from(c[i]), d[i] as u32);
        let _ = writeln!(expected, "{a:?} {b:?} {c:?} {d:?} {:?} {:?} {:?}", e[i], f[i], g[i]);
    }
    assert!(expected.starts_with("0 1 0 0 0 2.5 0.1 true\n1 0 0 0 2.5 0.1 true\n"), "{expected}");
    let (a, b, c, d) = (device.upload(&a)?, device.upload(&b)?, device.upload(&c)?, device.upload(&d)?);
    let (e, f, g) = (device.upload(&e)?, device.upload(&f)?, device.upload(&g)?);
    check(device, each_type(&a, &b, &c, &d, &e, &f, &g).grid(1).block(4), &expected)
}

#[gpu_kernel]
fn three_values(x: &[f32], limit: usize) {
    let i = global_id();
    if i < limit {
        println!("{} {} {}", i, x[i], x[i] > 2.0);
    }
}

/// Four threads give four lines; many blocks give theirs in order.
fn lines(device: &Device, size: usize) -> Result<Output, Error> {
    let x = device.upload(&[1.0f32, 2.5, 3.0, -4.5])?;
    check(device, three_values(&x, 4).grid(1).block(4), "0 1 false\n1 2.5 true\n2 3 true\n3 -4.5 false\n")?;
    let size = size.min(1000);
    let x: Vec<f32> = (0..size).map(|i| i as f32 * 0.37).collect();
    let expected: String = x.iter().enumerate().map(|(i, x)| format!("{i} {x} {}\n", *x > 2.0)).collect();
    let x = device.upload(&x)?;
    check(device, three_values(&x, size).threads(size).block(32), &expected)
}

#[gpu_kernel]
fn integers(x: &[i32], y: &[u64]) {
    let i = global_id();
    if i < x.len() {
        println!("[{:5}] [{:<5}] [{:^5}] [{:>5}] [{:*^9}] [{:+}] [{:05}]", x[i], x[i], x[i], x[i], x[i], x[i], x[i]);
        println!("{:x} {:X} {:#x} {:o} {:#o} {:b} {:#b} {:#010x}", x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i]);
        println!("{:e} {:E} {:#018x} {:#?} {:}", y[i], y[i], y[i], y[i], y[i]);
        println!("{{{}}} {{}} \"\t\u{e9}", y[i]);
    }
}

fn integer_formats(device: &Device, size: usize) -> Result<Output, Error> {
    let size = size.min(257);
    let x: Vec<i32> = (0..size as i32).map(|i| i.wrapping_mul(-123_456_789).wrapping_add(i32::MAX)).collect();
    let y: Vec<u64> = (0..size as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut expected = String::new();
    for (x, y) in x.iter().zip(&y) {
        let _ = writeln!(expected, "[{x:5}] [{x:<5}] [{x:^5}] [{x:>5}] [{x:*^9}] [{x:+}] [{x:05}]");
        let _ = writeln!(expected, "{x:x} {x:X} {x:#x} {x:o} {x:#o} {x:b} {x:#b} {x:#010x}");
        let _ = writeln!(expected, "{y:e} {y:E} {y:#018x} {y:#?} {y}");
        let _ = writeln!(expected, "{{{y}}} {{}} \"\t\u{e9}");
    }
    let (x, y) = (device.upload(&x)?, device.upload(&y)?);
    check(device, integers(&x, &y).threads(size), &expected)
}

#[gpu_kernel]
fn floats(x: &[f32], y: &[f64], digits: usize) {
    let i = global_id();
    if i < x.len() {
        println!("{} {:?} {:e} {:E} {:.3} {:10.2} {:+08.1}", x[i], x[i], x[i], x[i], x[i], x[i], x[i]);
        println!("{} {:?} {:e} {:.0} {:<12.4}| {:.*} {:.digits$}", y[i], y[i], y[i], y[i], y[i], digits, y[i], y[i]);
    }
}

fn float_formats(device: &Device, size: usize) -> Result<Output, Error> {
    let size = size.min(257);
    let special = [0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-310, 1e16, 0.1 + 0.2, -1e308];
    let y: Vec<f64> = (0..size).map(|i| special.get(i).copied().unwrap_or(i as f64 * 0.123_456_789 - 3.0)).collect();
    let x: Vec<f32> = y.iter().map(|y| *y as f32).collect();
    let mut expected = String::new();
    for (x, y) in x.iter().zip(&y) {
        let _ = writeln!(expected, "{x} {x:?} {x:e} {x:E} {x:.3} {x:10.2} {x:+08.1}");
        let _ = writeln!(expected, "{y} {y:?} {y:e} {y:.0} {y:<12.4}| {y:.5} {y:.5}");
    }
    let (x, y) = (device.upload(&x)?, device.upload(&y)?);
    check(device, floats(&x, &y, 5).threads(size), &expected)
}

const SCALE: f32 = 1.5;

#[gpu_kernel]
fn names(x: &[i32], width: usize) {
    let i = global_id();
    if i < x.len() {
        let value = x[i];
        let text = value as f32 * 0.5;
        println!("{value} {value:?} {value:>width$} {text:width$.2} {SCALE} {text:.1$} {0}", i, 2);
        // The same name again, for another value.
        let value = text + 1.0;
        print!("{named}-{1}-{0}-{named:#x}", i, value, named = x[i] + 1);
        eprintln!(" {value:.1}");
        println!();
    }
}

fn names_of_values(device: &Device, size: usize) -> Result<Output, Error> {
    let size = size.min(257);
    let x: Vec<i32> = (0..size as i32).map(|i| 50 - i * 3).collect();
    let mut expected = String::new();
    for (i, value) in x.iter().enumerate() {
        let text = *value as f32 * 0.5;
        let _ = writeln!(expected, "{value} {value:?} {value:>7} {text:7.2} {SCALE} {text:.2} {i}");
        let named = value + 1;
        let value = text + 1.0;
        let _ = writeln!(expected, "{named}-{value}-{i}-{named:#x} {value:.1}\n");
    }
    let x = device.upload(&x)?;
    check(device, names(&x, 7).threads(size), &expected)
}

#[gpu_kernel]
fn around_a_barrier(out: &mut [u32]) {
    let mut tile = shared::<[u32; 64]>();
    let t = thread_rank();
    println!("block {} thread {t} starts", block_rank());
    tile[t] = t as u32 * 10;
    sync_threads();
    for round in 0..2 {
        println!("  round {round} sees {}", tile[63 - t]);
        sync_threads();
    }
    out[global_id()] = tile[63 - t];
}

fn barriers(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros::<u32>(192)?;
    let mut expected = String::new();
    for (block, t) in (0..3).flat_map(|block| (0..64).map(move |t| (block, t))) {
        let other = (63 - t) * 10;
        let _ = writeln!(expected, "block {block} thread {t} starts\n  round 0 sees {other}\n  round 1 sees {other}");
    }
    check(device, around_a_barrier(&mut out).grid(3).block(64), &expected)
}

/// The device function's line comes before its caller's.
#[gpu_fn]
fn step<T: Num>(x: u64, _kind: T) -> u64 {
    let next = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
    println!("  {x} -> {next}");
    next
}

#[gpu_kernel]
fn collatz(starts: &[u64]) {
    let i = global_id();
    if i < starts.len() {
        let mut x = starts[i];
        let mut steps = 0;
        while x > 1 && steps < 5 {
            x = step(x, 1.0f32);
            steps += 1;
        }
        println!("{} after {steps} steps: {x}", starts[i]);
    }
}

fn functions(device: &Device, size: usize) -> Result<Output, Error> {
    let size = size.min(100);
    let starts: Vec<u64> = (0..size as u64).collect();
    let mut expected = String::new();
    for start in &starts {
        let (mut x, mut steps) = (*start, 0);
        while x > 1 && steps < 5 {
            let next = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
            let _ = writeln!(expected, "  {x} -> {next}");
            (x, steps) = (next, steps + 1);
        }
        let _ = writeln!(expected, "{start} after {steps} steps: {x}");
    }
    let starts = device.upload(&starts)?;
    check(device, collatz(&starts).threads(size), &expected)
}

/// Each line takes 48 bytes: ten of them fit.
fn overflow(device: &Device, _: usize) -> Result<Output, Error> {
    let x = device.upload(&[0.0f32; 1000])?;
    device.set_print_buffer(490);
    let ((), text) = device.printed(|| three_values(&x, 1000).threads(1000).launch())?;
    device.set_print_buffer(1 << 20);
    let lines: Vec<&str> = text.lines().collect();
    // Which lines fit depends on the threads' order in time.
    assert_eq!(lines.len(), 11, "{text}");
    assert!(lines[..10].iter().all(|line| line.ends_with(" 0 false")), "{text}");
    let last = lines[10];
    assert_eq!(last, "… 990 lines of kernel `three_values` did not fit in the buffer (set WARPCELL_PRINT_BUFFER)");
    Ok(Output::new().with(last.as_bytes()))
}

#[gpu_kernel]
fn holds(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    assert!(out.len() == x.len());
    if i < x.len() {
        assert_eq!(x[i] as usize, i, "element {i}");
        assert_ne!(x[i], u32::MAX);
        debug_assert!(x[i] < 2_000_000, "{}", x[i]);
        debug_assert_eq!(x[i] + 0, x[i]);
        debug_assert_ne!(x[i] + 1, x[i]);
        out[i] = match_small(x[i]);
    }
}

/// A function whose end is not reached in all branches.
#[gpu_fn]
fn match_small(x: u32) -> u32 {
    if x > 4_000_000 { unreachable!("too large: {x}") } else { x % 7 }
}

fn assertions_hold(device: &Device, size: usize) -> Result<Output, Error> {
    let x = device.upload(&(0..size as u32).collect::<Vec<_>>())?;
    let mut out = device.zeros::<u32>(size)?;
    holds(&x, &mut out).threads(size).launch()?;
    let found = out.download()?;
    crate::assert_same("x % 7", &found, &(0..size as u32).map(|x| x % 7).collect::<Vec<_>>());
    Ok(Output::new().with(&found))
}

#[gpu_kernel]
fn asserts(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    if i < x.len() {
        assert!(x[i] >= 0.0);
        out[i] = x[i];
    }
}

/// File, line, block and thread are named, those of the lowest thread, and the device goes on working.
fn failed_assertion(device: &Device) -> Result<(), Error> {
    let mut x = vec![1.0f32; 10_000];
    (x[1234], x[5678]) = (-1.0, -2.0);
    let x = device.upload(&x)?;
    let mut out = device.zeros::<f32>(10_000)?;
    let found = fault(run(device, asserts(&x, &mut out).threads(10_000)));
    assert_eq!(found.what, FaultKind::Panic { message: "assertion failed: x[i] >= 0.0".into() });
    assert_eq!((found.block, found.thread), ([1234 / 256, 0, 0], [1234 % 256, 0, 0]));
    assert_eq!((found.kernel, found.line, found.column), ("asserts", 283, 9));
    assert!(found.file.ends_with("output.rs"), "{}", found.file);
    let text = found.to_string();
    assert!(text.ends_with(":283:9: assertion failed: x[i] >= 0.0 (block [4, 0, 0], thread [210, 0, 0])"), "{text}");
    let positive = device.upload(&[3.0f32; 10])?;
    let mut few = device.zeros::<f32>(10)?;
    run(device, asserts(&positive, &mut few).threads(10))?;
    assert_eq!(few.download()?, [3.0; 10]);
    Ok(())
}

#[gpu_kernel]
fn messages(kind: u32, x: &[i32], y: &[f64]) {
    let i = thread_rank();
    if i >= 3 {
        if kind == 0 {
            assert!(x[i] < 5, "x is {} at {i}", x[i]);
        } else if kind == 1 {
            assert_eq!(x[i], 7);
        } else if kind == 2 {
            assert_eq!(y[i], 0.5, "at {i} of {}", x.len());
        } else if kind == 3 {
            assert_ne!(x[i], x[i]);
        } else if kind == 4 {
            panic!();
        } else if kind == 5 {
            panic!("{:08.3} {x:?}", y[i], x = x[i] > 0);
        } else if kind == 6 {
            unreachable!();
        } else if kind == 7 {
            unreachable!("{i} is a thread");
        } else if kind == 8 {
            todo!();
        } else if kind == 9 {
            unimplemented!("for {}", x[i]);
        } else {
            let never: f32 = todo!("kind {kind}");
            assert!(never > 0.0);
        }
    }
}

/// The values are those of the thread that is reported, and the words are Rust's.
fn messages_of_panics(device: &Device) -> Result<(), Error> {
    let expected = [
        "x is 30 at 3",
        "assertion `left == right` failed\n  left: 30\n right: 7",
        "assertion `left == right` failed: at 3 of 64\n  left: 3.25\n right: 0.5",
        "assertion `left != right` failed\n  left: 30\n right: 30",
        "explicit panic",
        "0003.250 true",
        "internal error: entered unreachable code",
        "internal error: entered unreachable code: 3 is a thread",
        "not yet implemented",
        "not implemented: for 30",
        "not yet implemented: kind 10",
    ];
    let x = device.upload(&(0..64).map(|i| i * 10).collect::<Vec<i32>>())?;
    let y = device.upload(&(0..64).map(|i| f64::from(i) + 0.25).collect::<Vec<f64>>())?;
    for (kind, expected) in expected.iter().enumerate() {
        let found = fault(run(device, messages(kind as u32, &x, &y).grid(2).block(64)));
        assert_eq!(found.what, FaultKind::Panic { message: expected.to_string() });
        assert_eq!((found.block, found.thread), ([0, 0, 0], [3, 0, 0]), "{expected}");
    }
    Ok(())
}

#[gpu_kernel]
fn debug_asserts(x: &[u32], out: &mut [u32]) {
    out[0] = 1;
    debug_assert!(x[0] == 0, "x is {}", x[0]);
    debug_assert_eq!(x[0], 0);
    out[0] = 2;
}

/// They are there if the crate of the kernel is compiled with debug assertions, as in Rust.
fn debug_assertions(device: &Device) -> Result<(), Error> {
    let (x, mut out) = (device.upload(&[5u32])?, device.zeros::<u32>(1)?);
    let outcome = run(device, debug_asserts(&x, &mut out).grid(1).block(1));
    if cfg!(debug_assertions) {
        assert_eq!(fault(outcome).what, FaultKind::Panic { message: "x is 5".into() });
    } else {
        outcome?;
        assert_eq!(out.download()?, [2]);
    }
    Ok(())
}

#[gpu_kernel]
fn last_words(limit: usize) {
    let i = global_id();
    println!("thread {i}");
    if i >= limit {
        panic!("thread {i} is too much");
    }
    println!("  fine");
}

/// The text has what the threads up to the faulting one have printed.
fn printed_before_a_panic(device: &Device) -> Result<(), Error> {
    let text = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let into = text.clone();
    device.on_print(move |printed| into.lock().unwrap().push_str(printed));
    let found = fault(run(device, last_words(70).on(device).grid(4).block(32)));
    device.on_print(|printed| print!("{printed}"));
    assert_eq!(found.what, FaultKind::Panic { message: "thread 70 is too much".into() });
    let expected: String = (0..70).map(|i| format!("thread {i}\n  fine\n")).collect();
    assert_eq!(*text.lock().unwrap(), expected + "thread 70\n");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[gpu_fn]
    fn half(x: u32) -> u32 {
        println!("half of {x}");
        assert_eq!(x % 2, 0, "{x} is odd");
        x / 2
    }

    /// A device function that is called on the host prints and panics as any function.
    #[test]
    fn on_the_host_they_are_rusts_own() {
        assert_eq!(half(6), 3);
        let panic = std::panic::catch_unwind(|| half(7)).unwrap_err();
        let message = panic.downcast_ref::<String>().unwrap();
        assert_eq!(message, "assertion `left == right` failed: 7 is odd\n  left: 1\n right: 0");
    }
}
