use warpcell_runtime::prelude::*;

#[gpu_fn]
fn name(x: f32) -> String {
    String::new()
}

fn main() {}
