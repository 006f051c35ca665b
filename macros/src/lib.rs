//! The attribute macros of warpcell's kernel language. Use them through `warpcell_runtime::prelude`.
//!
//! The macros are pure syntax: they have no type system and know nothing of CUDA libraries. From one body they write
//! three things (see `lower`): a *probe*, which rustc type-checks and which never runs; the shape of the body, encoded
//! (`warpcell-ir`); and its CPU form.

mod attributes;
mod cpu;
mod derive;
mod diagnostics;
mod expand;
mod facts;
mod generate;
mod host;
mod input;
mod intrinsics;
mod lower;
mod owner;
mod paths;
mod signature;
mod spans;

use proc_macro::TokenStream;

/// Makes a kernel of a function: one body, run on CUDA devices and on the CPU, with the same bits.
///
/// The function may take slices (`&[T]`, `&mut [T]`) and primitives, and returns nothing. Calling it builds a launch;
/// see `warpcell_runtime::Launch`. The language is described in `warpcell_runtime::lang`.
///
/// | argument | meaning |
/// | --- | --- |
/// | `block = 256`, `block = (32, 8)` | the block's size in every launch; another is an error. The compiler knows it (CUDA's `__launch_bounds__`) |
/// | `min_blocks = 2` | so many blocks of that size must fit on a multiprocessor: the second number of `__launch_bounds__` |
/// | `max_registers = 64` | the most registers of a thread, as NVRTC's `--maxrregcount=64` (CUDA ignores that beside launch bounds, so there are none then) |
/// | `fast_math` | CUDA's fast arithmetic in this kernel: `--fmad=true --ftz=true --prec-div=false --prec-sqrt=false`. **The bits then differ from the CPU's**, where nothing changes |
/// | `requires(a.len() == b.len(), n > 0)` | conditions on scalar parameters, lengths and sizes (`block_size()`), checked before every launch; the error shows the values |
#[proc_macro_attribute]
pub fn gpu_kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernel(arguments.into(), item.into()).into()
}

/// Makes a function callable from kernels, of this crate and of others. It stays callable on the host, with the same
/// bits.
#[proc_macro_attribute]
pub fn gpu_fn(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::device_fn(arguments.into(), item.into()).into()
}

/// Makes the functions of an `impl` callable from kernels: methods, associated functions, the functions of a trait marked
/// `#[gpu_trait]`, and operators (`impl Add for Complex`). They stay callable on the host.
#[proc_macro_attribute]
pub fn gpu_impl(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::gpu_impl(arguments.into(), item.into()).into()
}

/// Makes a trait one whose functions kernels can call on their type parameters. Its functions have no bodies here; types
/// implement it by `#[gpu_impl] impl Trait for Type`.
#[proc_macro_attribute]
pub fn gpu_trait(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::gpu_trait(arguments.into(), item.into()).into()
}

/// Makes a struct with `#[repr(C)]`, or an enum without fields and with `#[repr(u8)]` or its like, a type that buffers,
/// shared memory and kernels can hold. One variant of an enum must be 0, which is what new memory holds.
#[proc_macro_derive(GpuType)]
pub fn gpu_type(item: TokenStream) -> TokenStream {
    derive::gpu_type(&syn::parse_macro_input!(item as syn::DeriveInput)).into()
}
