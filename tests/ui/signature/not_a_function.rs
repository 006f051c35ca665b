use warpcell_runtime::prelude::*;

#[gpu_kernel]
struct K;

#[gpu_fn]
const HALF: f32 = 0.5;

fn main() {}
