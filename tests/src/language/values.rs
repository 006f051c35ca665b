//! Values of several parts: tuples, options, structs, enums, tables; patterns on them; references to them.

use crate::data::u64s;
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "D02 tuples", kernel: tuples::kernel, run: run_tuples },
        Case { name: "options", kernel: options::kernel, run: run_options },
        Case { name: "C08 match", kernel: choices::kernel, run: run_choices },
        Case { name: "C09 match on enum", kernel: enums::kernel, run: run_enums },
        Case { name: "C04 labels", kernel: labels::kernel, run: run_labels },
        Case { name: "D01 structs", kernel: structs::kernel, run: run_structs },
        Case { name: "D01 structs in shared memory", kernel: shared_structs::kernel, run: run_shared_structs },
        Case { name: "references", kernel: references::kernel, run: run_references },
        Case { name: "D09 constant tables", kernel: tables::kernel, run: run_tables },
    ]
}

/// Numbers of all magnitudes, small ones among them.
fn numbers(n: usize, seed: u64) -> Vec<u32> {
    u64s(n, seed).into_iter().map(|x| if x & 1 == 0 { x as u32 } else { (x >> 8) as u32 % 12 }).collect()
}

/// Runs a kernel from numbers to numbers, and compares with plain Rust.
fn compare(
    device: &Device,
    n: usize,
    what: &str,
    kernel: impl for<'a> Fn(&'a DSlice<u32>, &'a mut DSlice<u32>) -> Launch<'a>,
    expected: impl Fn(u32) -> u32,
) -> Result<Output, Error> {
    let x = numbers(n, 90);
    let mut out = device.zeros::<u32>(n)?;
    kernel(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    assert_same(what, &out, &x.iter().map(|&x| expected(x)).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

#[gpu_fn]
fn divide(x: u32, by: u32) -> (u32, u32) {
    (x / by, x % by)
}

#[gpu_kernel]
fn tuples(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        let (mut quotient, remainder) = divide(x[i], 10);
        quotient ^= 1;
        let nested = ((quotient, true), remainder as f32, [quotient, remainder]);
        let ((q, yes), r, [a, b]) = nested;
        let mut pair = (q, if yes { b } else { a });
        (pair.0, pair.1) = (pair.1, pair.0);
        pair.0 += nested.2[0] & 3;
        let same = pair == (pair.0, pair.1) && pair != (pair.1 ^ 1, pair.1);
        out[i] = pair.0 ^ pair.1 << 1 ^ r as u32 ^ (same as u32) << 31;
    }
}

fn run_tuples(device: &Device, n: usize) -> Result<Output, Error> {
    compare(device, n, "tuples", tuples, |x| {
        let (quotient, remainder) = ((x / 10) ^ 1, x % 10);
        let (first, second) = (remainder + (quotient & 3), quotient);
        let same = first != second ^ 1;
        first ^ second << 1 ^ remainder ^ u32::from(same) << 31
    })
}

#[gpu_fn]
fn half(x: u32) -> Option<u32> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

#[gpu_kernel]
fn options(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if i >= out.len() {
        return;
    }
    let mut halvings = 0;
    let mut rest = half(x[i]);
    while let Some(y) = rest {
        halvings += 1;
        if y == 0 {
            break;
        }
        rest = half(y);
    }
    let Some(first) = half(x[i]) else {
        out[i] = halvings | 0x100;
        return;
    };
    let second = half(first).unwrap_or(7);
    out[i] = if let Some(y) = half(first)
        && y > 2
        && let Some(3 | 5) = Some(y)
    {
        y << 16
    } else if half(second).is_some() || half(second).is_none() && second == 9 {
        halvings
    } else {
        second
    };
}

fn run_options(device: &Device, n: usize) -> Result<Output, Error> {
    compare(device, n, "options", options, |x| {
        if x % 2 == 1 {
            return 0x100;
        }
        let halvings = if x == 0 { 1 } else { x.trailing_zeros() };
        let first = x / 2;
        let second = if first % 2 == 0 { first / 2 } else { 7 };
        if first % 2 == 0 && (first / 2 == 3 || first / 2 == 5) {
            (first / 2) << 16
        } else if second % 2 == 0 || second == 9 {
            halvings
        } else {
            second
        }
    })
}

const LOW: u32 = 3;

#[gpu_kernel]
fn choices(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if i >= out.len() {
        return;
    }
    let table = match x[i] {
        0 => 10,
        1 | 2 => 20,
        _ => 30,
    };
    let signed = x[i] as i32;
    let kind = match signed {
        i32::MIN..=-1 => 1,
        0..4 => 2,
        y @ 4..=6 => 100 + y,
        7 | 9 | 11 => 3,
        y if y % 3 == 0 => return,
        _ => 4,
    };
    let by_constant = match x[i] {
        LOW => 5,
        u32::MAX => 6,
        _ => 7,
    };
    let pair = match (x[i] % 3, table) {
        (0, 10) => 1,
        (0, n) | (n, 30) if n > 20 => n,
        (1 | 2, _) => 2,
        (_, n) => n + 1,
    };
    match kind {
        2 => out[i] = 0x2000,
        _ if matches!(kind, 100.. if x[i] > 0) => out[i] = 0x3000,
        _ => {}
    }
    out[i] |= table + kind as u32 * 256 + by_constant + (pair << 20);
}

fn run_choices(device: &Device, n: usize) -> Result<Output, Error> {
    compare(device, n, "choices", choices, |x| {
        let table = [10, 20, 20].get(x as usize).copied().unwrap_or(30);
        let signed = x as i32;
        let kind = if signed < 0 {
            1
        } else if signed < 5 && x != 4 {
            2
        } else if (4..=6).contains(&signed) {
            100 + signed
        } else if [7, 9, 11].contains(&signed) {
            3
        } else if signed % 3 == 0 {
            return 0;
        } else {
            4
        };
        let by_constant = if x == 3 {
            5
        } else if x == u32::MAX {
            6
        } else {
            7
        };
        let pair = match x % 3 {
            0 if table == 10 => 1,
            0 if table > 20 => table,
            0 => table + 1,
            _ => 2,
        };
        let base = if kind == 2 {
            0x2000
        } else if kind >= 100 {
            0x3000
        } else {
            0
        };
        base | (table + kind as u32 * 256 + by_constant + (pair << 20))
    })
}

/// What is done with a number.
#[derive(Clone, Copy, Debug, PartialEq, GpuType)]
#[repr(u8)]
enum Operation {
    Keep,
    Double = 5,
    Negate,
}

#[gpu_fn]
fn operation(x: u32) -> Operation {
    match x % 4 {
        0 => Operation::Keep,
        1 => Operation::Double,
        _ => Operation::Negate,
    }
}

#[gpu_kernel]
fn enums(x: &[u32], kinds: &mut [Operation], out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        let kind = operation(x[i]);
        kinds[i] = kind;
        let value = match kind {
            Operation::Keep => x[i],
            Operation::Double => x[i] * 2,
            Operation::Negate => x[i].wrapping_mul(0xffff_ffff),
        };
        out[i] = value ^ (kinds[i] as u32) << 16 ^ (kind == Operation::Double) as u32;
    }
}

fn run_enums(device: &Device, n: usize) -> Result<Output, Error> {
    let x = numbers(n, 91);
    let (mut kinds, mut out) = (device.zeros::<Operation>(n)?, device.zeros::<u32>(n)?);
    enums(&*device.upload(&x)?, &mut kinds, &mut out).threads(n).launch()?;
    let (kinds, out) = (kinds.download()?, out.download()?);
    let expected = |x: u32| match x % 4 {
        0 => (Operation::Keep, x),
        1 => (Operation::Double, x.wrapping_mul(2) ^ 5 << 16 ^ 1),
        _ => (Operation::Negate, x.wrapping_neg() ^ 6 << 16),
    };
    assert_eq!(kinds, x.iter().map(|&x| expected(x).0).collect::<Vec<_>>());
    assert_same("enums", &out, &x.iter().map(|&x| expected(x).1).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

#[gpu_kernel]
fn labels(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        let limit = x[i] % 40;
        let mut visited = 0;
        'rows: for row in 0..10 {
            for column in 0..10 {
                if column > row {
                    continue 'rows;
                }
                if row * column > limit {
                    break 'rows;
                }
                visited += 1;
            }
        }
        let found = 'search: loop {
            let mut step = 0;
            loop {
                if visited + step > 12 {
                    break 'search step;
                }
                step += 1;
            }
        };
        let size = 'size: {
            if visited > 30 {
                break 'size 1;
            }
            if visited > 10 {
                break 'size 2;
            }
            3
        };
        out[i] = visited + found * 1000 + size * 100_000;
    }
}

fn run_labels(device: &Device, n: usize) -> Result<Output, Error> {
    compare(device, n, "labels", labels, |x| {
        let limit = x % 40;
        let cells = (0..10u32).flat_map(|row| (0..=row).map(move |column| row * column));
        let visited = cells.take_while(|&product| product <= limit).count() as u32;
        let found = 13u32.saturating_sub(visited);
        let size = if visited > 30 {
            1
        } else if visited > 10 {
            2
        } else {
            3
        };
        visited + found * 1000 + size * 100_000
    })
}

/// 1 + 8 + 4 bytes, which are 24 with C's gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, GpuType)]
#[repr(C)]
struct Record {
    flag: bool,
    count: u64,
    weight: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, GpuType)]
#[repr(C)]
struct Group {
    records: [Record; 2],
    id: u16,
}

fn groups(n: usize) -> Vec<Group> {
    let record = |x: u64| Record { flag: x & 1 == 1, count: x, weight: (x % 1000) as f32 };
    u64s(n, 92)
        .into_iter()
        .enumerate()
        .map(|(i, x)| Group { records: [record(x), record(x >> 7)], id: i as u16 })
        .collect()
}

#[gpu_fn]
fn heavier(a: Record, b: Record) -> Record {
    if a.weight > b.weight { a } else { Record { flag: !b.flag, ..b } }
}

#[gpu_kernel]
fn structs(x: &[Group], extra: Record, out: &mut [Group]) {
    let i = global_id();
    if i < out.len() {
        let group = x[i];
        let Group { records: [first, second], id } = group;
        out[i].id = id + 1;
        out[i].records[0] = heavier(first, second);
        out[i].records[1].count = extra.count ^ second.count;
        let mut last = out[i].records[1];
        last.weight = if last.count > 5 && extra.flag { 1.0 } else { -group.records[0].weight };
        out[i].records[1] = last;
    }
}

fn run_structs(device: &Device, n: usize) -> Result<Output, Error> {
    assert_eq!(size_of::<Record>(), 24);
    let (x, extra) = (groups(n), Record { flag: true, count: 9, weight: 0.5 });
    let mut out = device.zeros::<Group>(n)?;
    structs(&*device.upload(&x)?, extra, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let expected = x.iter().map(|group| {
        let [a, b] = group.records;
        let first = if a.weight > b.weight { a } else { Record { flag: !b.flag, ..b } };
        let count = 9 ^ b.count;
        let last = Record { flag: false, count, weight: if count > 5 { 1.0 } else { -a.weight } };
        Group { records: [first, last], id: group.id.wrapping_add(1) }
    });
    assert_eq!(out, expected.collect::<Vec<_>>());
    let parts = out.iter().flat_map(|group| group.records.map(|record| record.count ^ u64::from(record.flag)));
    let weights = out.iter().flat_map(|group| group.records.map(|record| record.weight));
    Ok(Output::new().with(&parts.collect::<Vec<_>>()).with(&weights.collect::<Vec<_>>()))
}

#[gpu_kernel]
fn shared_structs(x: &[Group], out: &mut [u64]) {
    let mut tile = shared::<[Group; 256]>();
    let (i, t) = (global_id(), thread_rank());
    if i < x.len() {
        tile[t] = x[i];
        tile[t].records[1].count += 3;
    } else {
        tile[t].records[1].count = 0;
    }
    sync_threads();
    if i < out.len() {
        out[i] = tile[255 - t].records[1].count ^ tile[t].id as u64;
    }
}

fn run_shared_structs(device: &Device, n: usize) -> Result<Output, Error> {
    let x = groups(n);
    let mut out = device.zeros::<u64>(n)?;
    shared_structs(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let mirrored =
        |i: usize| x.get(i - i % 256 + 255 - i % 256).map_or(0, |group| group.records[1].count.wrapping_add(3));
    assert_same("shared", &out, &(0..n).map(|i| mirrored(i) ^ u64::from(x[i].id)).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

#[gpu_fn]
fn raise(x: &mut u32, by: &u32) {
    *x += *by;
}

#[gpu_fn]
fn fill(values: &mut [u32], first: u32) {
    for k in 0..values.len() {
        values[k] = first + k as u32;
        raise(&mut values[k], &1);
    }
}

#[gpu_fn]
fn sum(values: &[u32]) -> u32 {
    let mut total = 0u32;
    for k in 0..values.len() {
        total = total.wrapping_add(values[k]);
    }
    total
}

#[gpu_kernel]
fn references(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = x[i];
        raise(&mut out[i], &5);
        let mut local = [x[i]; 4];
        fill(&mut local[1..3], 100);
        raise(&mut local[0], &x[i]);
        let mut pair = (1, local[3]);
        raise(&mut pair.0, &local[1]);
        out[i] ^= sum(&local) ^ pair.0;
    }
}

fn run_references(device: &Device, n: usize) -> Result<Output, Error> {
    compare(device, n, "references", references, |x| {
        let local = [x.wrapping_add(x), 101, 102, x];
        let sum = local.iter().fold(0u32, |sum, &value| sum.wrapping_add(value));
        x.wrapping_add(5) ^ sum ^ 102
    })
}

const PRIMES: [u32; 5] = [2, 3, 5, 7, 11];
static WEIGHTS: [[f32; 2]; 3] = [[0.5, -0.0], [f32::INFINITY, 1e-40], [0.1, 16_777_217.0]];
const ORIGIN: Record = Record { flag: true, count: 1 << 40, weight: 0.1 };

#[gpu_kernel]
fn tables(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        let row = x[i] as usize % 3;
        let weight = WEIGHTS[row][x[i] as usize % 2];
        out[i] = PRIMES[x[i] as usize % PRIMES.len()] ^ weight.to_bits() ^ ORIGIN.weight.to_bits();
        if ORIGIN.flag && ORIGIN.count == 1 << 40 {
            out[i] ^= 1 << 30;
        }
    }
}

fn run_tables(device: &Device, n: usize) -> Result<Output, Error> {
    compare(device, n, "tables", tables, |x| {
        let weight = WEIGHTS[x as usize % 3][x as usize % 2];
        PRIMES[x as usize % 5] ^ weight.to_bits() ^ 0.1f32.to_bits() ^ 1 << 30
    })
}
