//! The language's checks on every form of the CPU backend, with equal bits.

use warpcell_runtime::{CpuOptions, Device, InstructionSet};
use warpcell_tests::{
    SIZES, cases,
    language::{barriers, faults, launches},
};

/// The forms of the CPU backend.
fn devices() -> Vec<(&'static str, Device)> {
    let base = Some(InstructionSet::Base);
    vec![
        ("default", Device::cpu()),
        ("base instructions", Device::cpu_with(CpuOptions { instruction_set: base, ..CpuOptions::default() })),
        ("one worker", Device::cpu_with(CpuOptions { workers: Some(1), ..CpuOptions::default() })),
        ("futures", Device::cpu_with(CpuOptions { futures: true, ..CpuOptions::default() })),
    ]
}

#[test]
fn every_case_gives_the_same_bits_on_every_form() {
    for case in cases() {
        for size in SIZES {
            // The forms that are slow are tried at the small sizes, where all that is special happens.
            let slow = size > 10_000;
            let mut digests = Vec::new();
            for (form, device) in devices() {
                if slow && form != "default" && form != "one worker" {
                    continue;
                }
                let output = (case.run)(&device, size);
                let output = output.unwrap_or_else(|error| panic!("{} of {size} on {form}: {error}", case.name));
                digests.push((form, output.digest()));
            }
            assert!(digests.windows(2).all(|pair| pair[0].1 == pair[1].1), "{} of {size}: {digests:?}", case.name);
        }
    }
}

#[test]
fn faults_name_the_lowest_thread_and_leave_the_device_working() {
    for case in faults::cases() {
        for (form, device) in devices() {
            (case.run)(&device).unwrap_or_else(|error| panic!("{} on {form}: {error}", case.name));
        }
    }
}

#[test]
fn kernels_that_wait_run_in_phases_but_for_those_listed() {
    let futures: Vec<&str> = cases()
        .iter()
        .map(|case| (case.kernel)())
        .filter(|kernel| !kernel.runs_in_phases())
        .map(|kernel| kernel.name())
        .collect();
    let expected = [
        // Barriers of the grid.
        "grid_rows",
        "some_end",
        // A vote of the block is a loop's condition.
        "condition",
        // Calls of functions that wait.
        "warps",
        "blocks",
        // A warp operation stands in an `if` that some lanes take.
        "parted",
        // Barriers in a loop whose bound is read from memory.
        "from_memory",
        // They wait for what other threads write.
        "hand_over",
        "hand_over_loop",
        "hand_over_in_a_function",
        "spin_lock",
        "locked",
        "flagged",
        "chain",
        "turns",
    ];
    assert_eq!(futures, expected);
}

#[test]
fn threads_at_different_barriers_are_reported() {
    for (_, device) in devices() {
        barriers::crossed_barriers(&device).unwrap();
    }
}

/// G05
#[test]
fn an_index_above_two_gigabytes_is_right() {
    let available = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = available.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.trim().strip_suffix(" kB"));
    match kilobytes.and_then(|number| number.trim().parse::<u64>().ok()) {
        Some(free) if free > 4 << 20 => launches::above_two_gigabytes(&Device::cpu()).unwrap(),
        free => println!("not tested: it needs 4 GB of free memory, found {free:?} kB"),
    }
}
