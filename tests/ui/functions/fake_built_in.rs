use warpcell_runtime::prelude::*;

mod other {
    use warpcell_runtime::prelude::*;

    #[gpu_fn]
    pub(super) fn block_rank() -> usize {
        1
    }
}

#[gpu_kernel]
fn k(out: &mut [usize]) {
    out[0] = other::block_rank();
}

fn main() {}
