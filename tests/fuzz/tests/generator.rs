//! What the generator and the reducer promise, without compiling what they make.

use warpcell_fuzz::generate;
use warpcell_fuzz::program::Kernel;
use warpcell_fuzz::random::Random;
use warpcell_fuzz::reduce::reduce;

fn kernels(seed: u64, count: usize) -> Vec<Kernel> {
    (0..count).map(|number| generate::kernel(seed, number)).collect()
}

#[test]
fn random_numbers_are_those_of_splitmix64() {
    // The first numbers of the author's own program for these seeds.
    assert_eq!(Random::new(0).bits(), 0xe220_a839_7b1d_cdaf);
    assert_eq!(Random::new(1).bits(), 0x910a_2dec_8902_5cc1);
}

#[test]
fn a_seed_gives_its_kernels() {
    let sources = |seed| kernels(seed, 20).iter().map(Kernel::source).collect::<Vec<_>>();
    assert_eq!(sources(1), sources(1));
    assert!(sources(1).iter().zip(sources(2)).all(|(one, two)| *one != two));
    // A kernel does not depend on how many were made before it.
    assert_eq!(generate::kernel(1, 17).source(), sources(1)[17]);
}

#[test]
fn kernels_are_long_and_use_the_whole_language() {
    let kernels = kernels(1, 1000);
    let statements: usize = kernels.iter().map(Kernel::statements).sum();
    assert!(statements >= 20 * kernels.len(), "{statements} statements");
    let with = |text: &str| kernels.iter().filter(|kernel| kernel.mentions(text)).count();
    let barriers = with("sync_threads();");
    assert!((450..=600).contains(&barriers), "{barriers} with barriers");
    for (text, least) in [
        ("shfl_", 250),
        ("_sync(FULL_MASK", 300),
        ("atomic_", 250),
        ("shared::<", 450),
        ("#[gpu_fn]", 400),
        ("&mut l", 20),
        ("while ", 300),
        ("loop {", 200),
        (".rev()", 100),
        (".step_by(", 100),
        ("..=", 200),
        ("break;", 200),
        ("continue;", 100),
        ("return;", 100),
        ("match ", 300),
        (" if ", 300),
        ("struct ", 300),
        (": (", 200),
        ("break 'l", 20),
        ("continue 'l", 20),
        ("mul_add", 50),
        (".sqrt()", 30),
        (" as i8)", 200),
        ("<<", 300),
        ("f64", 300),
    ] {
        assert!(with(text) >= least, "{} kernels with `{text}`", with(text));
    }
}

#[test]
fn reducing_keeps_what_differs_and_all_that_keeps_a_kernel_right() {
    let kernel = kernels(1, 100).into_iter().find(|kernel| kernel.mentions(" = shfl_")).unwrap();
    let smaller =
        reduce(&kernel, |candidates| Ok(candidates.iter().map(|it| it.mentions(" = shfl_")).collect())).unwrap();
    assert!(smaller.mentions(" = shfl_"));
    assert!(smaller.statements() < kernel.statements() / 2, "{} of {}", smaller.statements(), kernel.statements());
    assert_eq!(smaller.name, kernel.name);
    assert!(smaller.source().contains("result[i] = mixed;"));
}
