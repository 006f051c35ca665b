//! The operations' checks on every form of the CPU backend, with equal bits.

use warpcell_runtime::{CpuOptions, Device, InstructionSet};
use warpcell_tests::{SIZES, ops};

#[test]
fn every_operation_gives_the_same_bits_on_every_form() {
    let base = Some(InstructionSet::Base);
    let devices = [
        ("default", Device::cpu()),
        ("base instructions", Device::cpu_with(CpuOptions { instruction_set: base, ..CpuOptions::default() })),
        ("one worker", Device::cpu_with(CpuOptions { workers: Some(1), ..CpuOptions::default() })),
        ("futures", Device::cpu_with(CpuOptions { futures: true, ..CpuOptions::default() })),
    ];
    for case in ops::cases() {
        // The largest size is for devices; see `gpu_check`.
        for size in SIZES.into_iter().filter(|size| *size < 1000) {
            let digests = devices.each_ref().map(|(form, device)| {
                let output = (case.run)(device, size);
                output.unwrap_or_else(|error| panic!("{} of {size} on {form}: {error}", case.name)).digest()
            });
            assert!(digests.iter().all(|digest| *digest == digests[0]), "{} of {size}: {digests:x?}", case.name);
        }
    }
}
