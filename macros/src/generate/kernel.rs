//! `#[gpu_kernel]`

use super::plan;
use super::probe::{function_impl, sites_const};
use super::{Generics, companion_enum, instance_struct, launch_params, member, with_lifetime};
use crate::attributes::Attributes;
use crate::cpu::phases::{self, block_threads};
use crate::cpu::split::Splitter;
use crate::cpu::{collective, plain_block};
use crate::facts::LocalId;
use crate::lower::{Body, SharedSlice};
use crate::paths::{block, context, exit_label, hidden, private, quiet};
use crate::signature::{ParamKind, Signature};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ItemFn;
use syn::ext::IdentExt;

/// The launch function, the companion with what is known of the kernel, and its CPU forms.
pub(crate) fn kernel(item: &ItemFn, signature: &Signature, attributes: &Attributes, body: &Body) -> TokenStream {
    let launch = launch_fn(item, signature, attributes, body);
    let companion = companion_enum(item);
    let instance = instance_struct(&item.vis, signature);
    let function = function_impl(signature, body);
    let known = companion_impl(item, signature);
    let forms = Forms { signature, attributes, body }.write();
    quote!(#launch #companion #instance #function #known #forms)
}

/// Calling a kernel builds a launch.
fn launch_fn(item: &ItemFn, signature: &Signature, attributes: &Attributes, body: &Body) -> TokenStream {
    let (attrs, vis, name, private) = (&item.attrs, &item.vis, &signature.name, private());
    let (params, declared, instance) = (launch_params(signature), with_lifetime(signature), &signature.instance);
    let Generics { used, where_clause, .. } = Generics::of(signature);
    let arguments = signature.params.iter().map(|param| {
        let name = &param.name;
        match &param.kind {
            ParamKind::Slice { element, mutable } => {
                let element = signature.checked(element);
                if *mutable { quote!(.slice_mut::<#element>(#name)) } else { quote!(.slice::<#element>(#name)) }
            }
            _ => {
                let ty = signature.checked(&param.ty);
                quote!(.value::<#ty>(#name))
            }
        }
    });
    let intrinsics = &body.intrinsics;
    let items = &body.items;
    let (lengths, plan) = plan::write(attributes, body);
    quote! {
        #[allow(dead_code, clippy::too_many_arguments)]
        #(#attrs)*
        #vis fn #name #declared (#(#params),*) -> #private::Launch<'__wc> #where_clause {
            #[allow(unused)]
            const _: () = {
                #(#items)*
                // Phase splitting relied on these being the built-ins of that name.
                #(#intrinsics;)*
            };
            #lengths
            #private::Launch::new::<#instance #used>() #(#arguments)* #plan
        }
    }
}

/// `name::cuda_source()` and its like.
fn companion_impl(item: &ItemFn, signature: &Signature) -> TokenStream {
    let (vis, name, private) = (&item.vis, &signature.name, private());
    let (instance, text) = (&signature.instance, name.unraw().to_string());
    let Generics { declared, used, where_clause, .. } = Generics::of(signature);
    quote! {
        #[allow(dead_code)]
        impl #name {
            /// The kernel's name.
            #vis const NAME: &'static str = #text;

            /// What is known of the kernel: its CUDA C, and what it compiles to.
            #vis fn kernel #declared () -> #private::KernelInfo #where_clause {
                #private::KernelInfo::of::<#instance #used>()
            }

            /// The CUDA C that NVRTC compiles.
            #vis fn cuda_source #declared () -> ::core::result::Result<::std::string::String, #private::Error> #where_clause {
                #private::KernelInfo::of::<#instance #used>().cuda_source()
            }

            /// What NVRTC makes of it for a compute capability, such as (9, 0): PTX.
            #vis fn ptx #declared (capability: (u32, u32)) -> ::core::result::Result<::std::string::String, #private::Error> #where_clause {
                #private::KernelInfo::of::<#instance #used>().ptx(capability)
            }

            /// What NVRTC makes of it for a compute capability, such as (9, 0): machine code.
            #vis fn cubin #declared (capability: (u32, u32)) -> ::core::result::Result<::std::vec::Vec<u8>, #private::Error> #where_clause {
                #private::KernelInfo::of::<#instance #used>().cubin(capability)
            }
        }
    }
}

/// A parameter in the CPU form.
struct CpuParam<'a> {
    name: &'a Ident,
    mutable: bool,
    ty: TokenStream,
    /// The method of the launch's arguments that gives it.
    getter: TokenStream,
}

/// The CPU forms of one kernel.
struct Forms<'a> {
    signature: &'a Signature,
    attributes: &'a Attributes,
    body: &'a Body,
}

impl Forms<'_> {
    fn write(&self) -> TokenStream {
        let (private, instance) = (private(), &self.signature.instance);
        let Generics { declared, used, where_clause, .. } = Generics::of(self.signature);
        let name = self.signature.name.unraw().to_string();
        let (block_fn, v3, futures) = (member("block"), member("block_v3"), member("futures"));
        let phases = self.phases();
        let sites = sites_const(self.signature, self.body);
        let (quiet, items, scope, callees) = (quiet(), &self.body.items, collective::scope(), &self.body.callees);

        let attributes = self.attributes.tokens(&private);
        let (static_shared, grid_barrier) = (self.static_shared(), self.body.grid_barrier);
        let (thread_fn, futures_fn) = (self.thread_fn(), self.futures());
        let (block_values, block_fns) = match phases {
            Some(body) => {
                let (args, block) = (hidden("__wc_args"), block());
                (
                    quote!(phases: if Self::__WC_COLLECTIVE_CALLS { ::core::option::Option::None } else { ::core::option::Option::Some(#private::Phases {
                        base: Self::#block_fn,
                        #[cfg(target_arch = "x86_64")]
                        v3: Self::#v3,
                    }) },),
                    quote! {
                        #[inline(always)]
                        fn __wc_body(#args: &#private::Args<'_>, #block: &#private::Block<'_>) {
                            use #private::methods::*;
                            #(#items)*
                            #block.of(Self::__WC_SITES);
                            #body
                        }

                        fn #block_fn(#args: &#private::Args<'_>, #block: &#private::Block<'_>) {
                            Self::__wc_body(#args, #block)
                        }

                        // The same code for processors with AVX2 and FMA; Rust never contracts, so the bits are the same.
                        #[cfg(target_arch = "x86_64")]
                        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
                        fn #v3(#args: &#private::Args<'_>, #block: &#private::Block<'_>) {
                            Self::__wc_body(#args, #block)
                        }
                    },
                )
            }
            None => (quote!(phases: ::core::option::Option::None,), TokenStream::new()),
        };
        quote! {
            #[doc(hidden)]
            #quiet
            impl #declared #private::Kernel for #instance #used #where_clause {
                const NAME: &'static str = #name;
                const ATTRIBUTES: #private::KernelAttributes = #attributes;
                fn cpu() -> #private::CpuForms {
                    #(#items)*
                    #private::CpuForms {
                        #block_values
                        futures: Self::#futures,
                        static_shared: #static_shared,
                        grid_barrier: #grid_barrier,
                    }
                }
            }

            #[doc(hidden)]
            #quiet
            impl #declared #instance #used #where_clause {
                #sites
                const __WC_COLLECTIVE_CALLS: bool = {
                    #(#items)*
                    #scope
                    false #(|| #callees::__WC_COLLECTIVE)*
                };
                #thread_fn
                #block_fns
                #futures_fn
            }
        }
    }

    /// Whether its threads may wait for each other, perhaps in a function it calls.
    fn may_wait(&self) -> bool {
        self.waits() || !self.body.callees.is_empty()
    }

    /// Whether its threads share more than their arguments, so that a block is more than one thread after the other.
    fn waits(&self) -> bool {
        let body = self.body;
        body.block.facts.collective() || !body.shared.is_empty() || !body.shared_slices.is_empty()
    }

    /// The body of a block's function.
    fn phases(&self) -> Option<TokenStream> {
        let unpack = self.unpack();
        if !self.waits() {
            let threads = self.independent_threads();
            return Some(quote!(#unpack #threads));
        }
        let body = self.body;
        // Like a parameter, a shared slice is the same in all threads.
        let slices = body.shared_slices.iter().map(|slice| slice.local);
        let fixed: Vec<LocalId> = body.params.iter().copied().chain(slices).collect();
        let pieces = Splitter::split(&body.block.cpu, &body.block.facts, &body.locals, &fixed)?;
        let phases = phases::write(&pieces, &body.locals, body.block.facts.returns)?;
        let shared = self.shared();
        Some(quote!(#unpack #shared #phases))
    }

    /// A kernel whose threads don't wait: one function a thread. Where the arrays are indexed by the global id, the
    /// threads for which all indices are in range are run apart, so that LLVM drops the checks and vectorises.
    fn independent_threads(&self) -> TokenStream {
        let (private, block, thread) = (private(), block(), context());
        let names: Vec<&Ident> = self.signature.params.iter().map(|param| &param.name).collect();
        let call = quote!(Self::__wc_thread_fn(#thread #(, #names)*););
        let direct: Vec<&Ident> =
            self.body.params.iter().filter(|id| self.is_direct(**id)).map(|id| &self.body.locals[*id].ident).collect();
        if direct.is_empty() {
            return block_threads(call);
        }
        quote! {
            let __wc_safe = #block.in_range(::core::primitive::usize::MAX #(.min(#direct.len()))*);
            for __wc_x in 0..__wc_safe {
                let #thread = #block.thread(__wc_x, 0, 0);
                #(#private::assume(#thread.global_id() < #direct.len());)*
                #call
            }
            for __wc_z in 0..#block.dim_z() {
                for __wc_y in 0..#block.dim_y() {
                    let __wc_first = if __wc_z == 0 && __wc_y == 0 { __wc_safe } else { 0 };
                    for __wc_x in __wc_first..#block.dim_x() {
                        let #thread = #block.thread(__wc_x, __wc_y, __wc_z);
                        #call
                    }
                }
            }
        }
    }

    /// Whether a slice parameter is used as `x[global_id]` only.
    fn is_direct(&self, id: LocalId) -> bool {
        self.body.locals[id].is_own()
    }

    fn thread_fn(&self) -> TokenStream {
        if self.waits() {
            return TokenStream::new();
        }
        let (private, thread) = (private(), context());
        let params = self.cpu_params().map(|CpuParam { name, mutable, ty, .. }| {
            let mutability = mutable.then(|| quote!(mut));
            quote!(#mutability #name: #ty)
        });
        let (items, label, body) = (&self.body.items, exit_label(), plain_block(&self.body.block));
        quote! {
            #[inline(always)]
            fn __wc_thread_fn<__WcMode: #private::Mode>(#thread: #private::Thread<'_, __WcMode> #(, #params)*) {
                use #private::methods::*;
                #(#items)*
                #label: #body
            }
        }
    }

    /// The parameters, with their types in the CPU form and how the launch's arguments give them. A writable slice is
    /// plain where each thread provably touches its own element, and relaxed atomics elsewhere: a racy kernel has
    /// unspecified values, but no undefined behaviour.
    fn cpu_params(&self) -> impl Iterator<Item = CpuParam<'_>> {
        let private = private();
        self.signature.params.iter().zip(&self.body.params).map(move |(param, id)| {
            let ty = &param.ty;
            let (ty, getter) = match &param.kind {
                ParamKind::Slice { element, mutable: false } => (quote!(&[#element]), quote!(slice)),
                ParamKind::Slice { element, mutable: true } if self.is_direct(*id) => {
                    (quote!(&[#private::Own<#element>]), quote!(own))
                }
                ParamKind::Slice { element, mutable: true } => (quote!(&[#private::Atomic<#element>]), quote!(atomic)),
                _ => (quote!(#ty), quote!(value)),
            };
            let name = &self.body.locals[*id].ident;
            CpuParam { name, mutable: param.mutable, ty: self.signature.checked(ty), getter }
        })
    }

    /// Takes the launch's arguments apart.
    fn unpack(&self) -> TokenStream {
        let args = hidden("__wc_args");
        let params = self.cpu_params().enumerate();
        params
            .map(|(number, CpuParam { name, ty, getter, .. })| quote!(let #name: #ty = #args.#getter(#number);))
            .collect()
    }

    /// The block's shared arrays and slices.
    fn shared(&self) -> TokenStream {
        let (block, body) = (block(), self.body);
        let arrays = body.shared.iter().map(|(id, ty)| {
            let name = &body.locals[*id].ident;
            quote!(let #name = #block.shared::<#ty>();)
        });
        let slices = body.shared_slices.iter().enumerate().map(|(number, SharedSlice { local, element, .. })| {
            let name = &body.locals[*local].ident;
            quote!(let #name = #block.shared_slice::<#element>(#number);)
        });
        arrays.chain(slices).collect()
    }

    /// The bytes of the shared arrays.
    fn static_shared(&self) -> TokenStream {
        let private = private();
        let types = self.body.shared.iter().map(|(_, ty)| quote!(#private::shared_layout::<#ty>()));
        quote!(#private::static_shared(&[#(#types),*]))
    }

    /// One future a thread: always right, whatever waits where.
    fn futures(&self) -> TokenStream {
        let (private, args, block, thread) = (private(), hidden("__wc_args"), block(), context());
        let (futures, unpack, shared) = (member("futures"), self.unpack(), self.shared());
        let items = &self.body.items;
        let thread_body = if self.may_wait() {
            let rebind = self.signature.params.iter().filter(|param| param.mutable).map(|param| {
                let name = &param.name;
                quote!(let mut #name = #name;)
            });
            let (label, body) = (exit_label(), collective::awaiting(plain_block(&self.body.block)));
            quote!(#(#rebind)* #label: #body)
        } else {
            let names = self.signature.params.iter().map(|param| &param.name);
            quote!(Self::__wc_thread_fn(#thread #(, #names)*);)
        };
        quote! {
            fn #futures(#args: &#private::Args<'_>, #block: &#private::Block<'_>) {
                use #private::methods::*;
                #(#items)*
                #block.of(Self::__WC_SITES);
                #unpack
                #shared
                #private::run_futures(#block, |#thread| async move { #thread_body });
            }
        }
    }
}
