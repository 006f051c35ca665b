use warpcell_runtime::prelude::*;

struct Point;

impl Point {
    #[gpu_fn]
    fn length(&self) -> f32 {
        1.0
    }
}

fn main() {}
