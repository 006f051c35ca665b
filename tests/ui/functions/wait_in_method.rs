use warpcell_runtime::prelude::*;

#[derive(Clone, Copy, Debug, Default, PartialEq, GpuType)]
#[repr(C)]
pub struct Flag {
    pub at: usize,
}

#[gpu_impl]
impl Flag {
    pub fn wait(self, flags: &[u32]) -> u32 {
        sync_threads();
        spin_until_eq(&flags[self.at], 1);
        while flags[self.at] == 0 {}
        flags[self.at]
    }
}

fn main() {}
