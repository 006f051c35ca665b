//! Which lanes there are: those that run, and a barrier for them.

use super::declare::*;
use warpcell_ir::Type;

/// CUDA's `__activemask()`: the lanes that are here together with this one, as bits.
///
/// As in CUDA it waits for no lane: where the threads of a warp have gone different ways, who is here is a matter of chance
/// on a GPU. Use it where all lanes that have not returned come by, or pass masks along.
///
/// # Panics
/// On the host: it is for kernels only.
pub fn activemask() -> u32 {
    panic!("`activemask` is for kernels only")
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
pub enum activemask {}
#[doc(hidden)]
impl activemask {
    pub const __WC_BUILT_IN: () = ();
    pub fn __gpu() -> Call<u32, activemask> {
        any()
    }
    #[inline(always)]
    pub fn __warp(_: Thread<'_, impl Mode>, present: u32) -> u32 {
        present
    }
    pub async fn __future(thread: Thread<'_, Careful>) -> u32 {
        thread.waits().converge(thread).await
    }
}
impl Callable for activemask {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "__activemask()", pure: false, result: u32::model() }
    }
}

/// CUDA's `__syncwarp(mask)`: waits until the lanes of `mask` are here; what they wrote is then visible to all of them.
///
/// # Panics
/// On the host: it is for kernels only.
pub fn sync_warp_mask(mask: u32) {
    let _ = mask;
    panic!("`sync_warp_mask` is for kernels only")
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
pub enum sync_warp_mask {}
#[doc(hidden)]
impl sync_warp_mask {
    pub const __WC_BUILT_IN: () = ();
    pub fn __gpu(_: u32) -> Call<(), sync_warp_mask> {
        any()
    }
    #[inline(always)]
    pub fn __warp(_: Thread<'_, impl Mode>, _: u32, _: &Lanes<u32>) {}
    pub async fn __future(thread: Thread<'_, Careful>, mask: u32) {
        thread.waits().warp_barrier(thread, mask).await;
    }
}
impl Callable for sync_warp_mask {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "__syncwarp({0})", pure: false, result: Type::Unit }
    }
}
