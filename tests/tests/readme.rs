//! What the README promises of the shipped data set.

#[test]
fn the_shipped_data_set_goes_through_the_pipeline_with_the_same_digests_on_every_form() {
    use std::path::Path;
    use warpcell::io;
    use warpcell::pipeline::{DeviceData, Options, Pipeline, digests};
    use warpcell_runtime::{CpuOptions, Device, InstructionSet};

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../singlecell/data/pbmc68k_reduced_counts.h5ad");
    let input = io::read(&file).unwrap();
    let base = Some(InstructionSet::Base);
    let devices = [
        Device::cpu(),
        Device::cpu_with(CpuOptions { instruction_set: base, workers: Some(1), ..CpuOptions::default() }),
    ];
    let found = devices.map(|device| {
        let mut data = DeviceData::upload(&device, input.clone()).unwrap();
        Pipeline::standard(&Options::default()).run(&mut data, |_, _, _| {}).unwrap();
        let result = data.download().unwrap();
        assert_eq!((result.n_obs(), result.n_vars()), (693, 765));
        digests(&result)
    });
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].len(), 6);
}
