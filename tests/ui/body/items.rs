use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    fn helper() {}
    struct Local;
    static mut COUNT: u32 = 0;
    impl Local {}
    macro_rules! m {
        () => {};
    }
    out[0] = 1.0;
}

fn main() {}
