use warpcell_runtime::prelude::*;

struct Point;

impl Point {
    #[gpu_fn]
    fn origin() -> f32 {
        0.0
    }
}

fn main() {}
