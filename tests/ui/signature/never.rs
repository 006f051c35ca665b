use warpcell_runtime::prelude::*;

#[gpu_fn]
fn stop() -> ! {
    loop {}
}

fn main() {}
