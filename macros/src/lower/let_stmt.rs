//! `let`: values, variables that are assigned later, shared arrays.

use super::pattern::is_name;
use super::stmt::{bind, called_intrinsic};
use super::{LocalKind, LoweredBlock, Lowerer, SharedSlice, slot_ident};
use crate::cpu::{CpuStmt, Split, Target};
use crate::facts::Facts;
use crate::host::{HostExpr, Names};
use crate::intrinsics::{self, Intrinsic};
use crate::paths::private;
use crate::signature::{primitive_depth, refused_type};
use proc_macro2::Ident;
use quote::quote;
use syn::{Expr, LocalInit, Pat, Type};
use warpcell_ir as ir;

/// What a `let` binds.
struct Binding<'a> {
    ident: &'a Ident,
    mutable: bool,
    ty: Option<&'a Type>,
}

impl Lowerer<'_> {
    pub(super) fn let_stmt(&mut self, local: &syn::Local, out: &mut LoweredBlock) {
        match &local.init {
            Some(init) if init.diverge.is_some() => self.let_pattern(local, init, out),
            // `let x: f32 = todo!();`
            Some(LocalInit { expr, .. }) if super::output::ends_thread(expr) => {
                self.expr_stmt(expr, out);
                out.probe.extend(quote!(;));
                let declared = syn::Local { init: None, ..local.clone() };
                self.let_stmt(&declared, out);
            }
            Some(LocalInit { expr, .. }) if matches!(local.pat, Pat::Wild(_)) => {
                let (let_token, pattern) = (&local.let_token, &local.pat);
                out.probe.extend(quote!(#let_token #pattern =));
                self.evaluate(expr, out);
                out.probe.extend(quote!(;));
            }
            Some(init) if !is_name(&local.pat) => self.let_pattern(local, init, out),
            Some(LocalInit { expr, .. }) => match binding(&local.pat) {
                Some(Binding { ident, ty: Some(ty), .. }) if let Some((what, help)) = refused_type(ty) => {
                    self.diagnostics.error(ty, what, help);
                    self.expr(expr);
                    self.declare(ident, LocalKind::Value, true);
                }
                Some(binding) if let Some(ty) = shared_type(expr) => self.let_shared(&binding, ty, expr, out),
                Some(binding) if let Some(slice) = SharedSliceCall::of(expr) => {
                    self.let_shared_slice(&binding, &slice, out)
                }
                Some(binding) => self.let_value(local, &binding, expr, out),
                None => {
                    self.expr(expr);
                    self.refuse_pattern(&local.pat);
                }
            },
            None => match binding(&local.pat) {
                Some(binding) => self.let_later(local, &binding, out),
                None => self.refuse_pattern(&local.pat),
            },
        }
    }

    fn let_value(&mut self, local: &syn::Local, binding: &Binding<'_>, init: &Expr, out: &mut LoweredBlock) {
        if is_borrow_of_a_value(init) {
            self.diagnostics.error(
                init,
                "a variable can't hold a reference to a single value in kernels",
                "copy the value: `let v = x[i];`, or use its place by its name",
            );
        }
        let exchange = self.exchange(init);
        let value = self.expr(init);
        let kind = if value.memory { LocalKind::Memory } else { LocalKind::Value };
        let id = self.declare(binding.ident, kind, binding.mutable);
        let known = if value.facts.primitive { Some(0) } else { None };
        self.locals[id].depth = binding.ty.map_or(known, primitive_depth);
        self.locals[id].writable = is_mutable_borrow(init);
        self.locals[id].is_global_id = !binding.mutable && called_intrinsic(init) == Some(Intrinsic::GlobalId);
        let slot = self.slot();

        let (let_token, pattern, probe) = (&local.let_token, &local.pat, &value.probe);
        out.probe.extend(quote!(#let_token #pattern = #probe;));
        out.probe.extend(bind(binding.ident, slot));

        let ident = &self.locals[id].ident;
        let mutability = binding.mutable.then(|| quote!(mut));
        // A slice's element type differs in the CPU form.
        let annotation = (!value.memory).then(|| {
            let ty = binding.ty.map_or(quote!(_), |ty| quote!(#ty));
            let ty = self.signature.checked(ty);
            quote!(: #ty)
        });
        let cpu = &value.cpu;
        let tokens = quote!(let #mutability #ident #annotation = #cpu;);
        let fixed_type = value.facts.sized || binding.ty.is_some();
        if !binding.mutable && fixed_type && !value.facts.faults {
            self.locals[id].recompute = Some(tokens.clone());
            self.locals[id].facts = value.facts.clone();
        }
        let split = exchange.map_or(Split::None, |exchange| exchange.to(Target::Let(id)));
        out.push(CpuStmt { tokens, split, facts: value.facts, declares: vec![id] });
        out.ir.statements.push(ir::Stmt::Let { name: self.unique_name(id), slot, value: Some(value.ir) });
    }

    /// `let x: T;`, assigned later.
    fn let_later(&mut self, local: &syn::Local, binding: &Binding<'_>, out: &mut LoweredBlock) {
        let Some(ty) = binding.ty else {
            self.diagnostics.error(
                &local.pat,
                format!("`{}` has neither a value nor a type", binding.ident),
                format!("write the type: `let {}: f32;`", binding.ident),
            );
            self.declare(binding.ident, LocalKind::Value, true);
            return;
        };
        let id = self.declare(binding.ident, LocalKind::Value, true);
        self.locals[id].depth = primitive_depth(ty);
        let slot = self.slot();
        let (private, name, ident) = (private(), slot_ident(slot), &self.locals[id].ident);
        let tokens = quote!(let mut #ident: #ty = #private::unset::<#ty>(););
        out.probe.extend(quote!(#local #private::see_type::<#ty>(&#name);));
        out.push(CpuStmt { tokens, split: Split::None, facts: Facts::default(), declares: vec![id] });
        out.ir.statements.push(ir::Stmt::Let { name: self.unique_name(id), slot, value: None });
    }

    /// `let mut tile = shared::<T>();`
    fn let_shared(&mut self, binding: &Binding<'_>, ty: &Type, init: &Expr, out: &mut LoweredBlock) {
        if !self.kernel {
            self.diagnostics.error(
                init,
                "shared memory can only be declared in a kernel",
                "declare it in the kernel and pass `&mut tile[..]`",
            );
            self.declare(binding.ident, LocalKind::Shared, binding.mutable);
            return;
        }
        if let Expr::Call(call) = init
            && let Expr::Path(path) = &*call.func
        {
            self.intrinsics.push(intrinsics::proof(path));
        }
        let id = self.declare(binding.ident, LocalKind::Shared, binding.mutable);
        self.locals[id].depth = primitive_depth(ty);
        let slot = self.slot();
        let (private, ident) = (private(), binding.ident);
        let mutability = binding.mutable.then(|| quote!(mut));
        out.probe.extend(quote!(let #mutability #ident: #ty = #private::any();));
        out.probe.extend(bind(binding.ident, slot));
        self.shared.push((id, ty.clone()));
        out.ir.statements.push(ir::Stmt::Shared { name: self.unique_name(id), slot });
    }

    /// `let tile = shared_slice::<T>(len);` and `let tile = dynamic_shared::<T>();`
    fn let_shared_slice(&mut self, binding: &Binding<'_>, call: &SharedSliceCall<'_>, out: &mut LoweredBlock) {
        let id = self.declare(binding.ident, LocalKind::SharedSlice, binding.mutable);
        if !self.kernel {
            self.diagnostics.error(
                call.path,
                "shared memory can only be declared in a kernel",
                "declare it in the kernel and pass the slice",
            );
            return;
        }
        if call.len.is_none() && self.shared_slices.iter().any(|slice| slice.len.is_none()) {
            self.diagnostics.error(
                call.path,
                "a kernel has one `dynamic_shared` at most",
                "declare each with its length: `shared_slice::<f32>(n)`",
            );
        }
        self.locals[id].depth = primitive_depth(call.element).map(|depth| depth + 1);
        self.intrinsics.push(intrinsics::proof(call.path));
        let params = self.signature.params.len();
        let names = self.scopes.names().into_iter();
        let inside = names.filter(|(_, local)| *local >= params).map(|(name, _)| name.to_string()).collect();
        let names = Names::Inside(self.signature, &inside);
        let len = call.len.map(|len| HostExpr::lower(len, names, self.diagnostics));
        // Their number is that of their declarations.
        let number = self.shared_slices.len() as u32;
        let slot = self.slot();
        let (private, ident, element) = (private(), binding.ident, call.element);
        out.probe.extend(quote!(let #ident: &mut [#element] = #private::any();));
        out.probe.extend(bind(binding.ident, slot));
        self.shared_slices.push(SharedSlice { local: id, element: element.clone(), len });
        out.ir.statements.push(ir::Stmt::SharedSlice { name: self.unique_name(id), slot, number });
    }
}

/// What `pattern` binds, if it is a name.
fn binding(pattern: &Pat) -> Option<Binding<'_>> {
    match pattern {
        Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
            Some(Binding { ident: &ident.ident, mutable: ident.mutability.is_some(), ty: None })
        }
        Pat::Paren(paren) => binding(&paren.pat),
        Pat::Type(typed) => Some(Binding { ty: Some(&typed.ty), ..binding(&typed.pat)? }),
        _ => None,
    }
}

/// Whether `expr` declares shared memory.
pub(super) fn is_shared(expr: &Expr) -> bool {
    matches!(called_intrinsic(expr), Some(Intrinsic::Shared | Intrinsic::SharedSlice))
}

/// `shared_slice::<T>(len)`, or `dynamic_shared::<T>()`.
struct SharedSliceCall<'a> {
    path: &'a syn::ExprPath,
    element: &'a Type,
    len: Option<&'a Expr>,
}

impl<'a> SharedSliceCall<'a> {
    fn of(expr: &'a Expr) -> Option<SharedSliceCall<'a>> {
        if called_intrinsic(expr) != Some(Intrinsic::SharedSlice) {
            return None;
        }
        let Expr::Call(call) = expr else { return None };
        let Expr::Path(path) = &*call.func else { return None };
        let wants_length = path.path.segments.last()?.ident == "shared_slice";
        let right = call.args.len() == usize::from(wants_length);
        right.then_some(SharedSliceCall { path, element: type_argument(path)?, len: call.args.first() })
    }
}

/// The `T` of `shared::<T>()`.
fn shared_type(expr: &Expr) -> Option<&Type> {
    if called_intrinsic(expr) != Some(Intrinsic::Shared) {
        return None;
    }
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    type_argument(path)
}

/// The `T` of `f::<T>`.
fn type_argument(path: &syn::ExprPath) -> Option<&Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// Whether `expr` is `&…` of something else than a part of a slice.
fn is_borrow_of_a_value(expr: &Expr) -> bool {
    match expr {
        Expr::Reference(reference) => {
            !matches!(&*reference.expr, Expr::Index(index) if matches!(&*index.index, Expr::Range(_)))
        }
        _ => false,
    }
}

/// Whether `expr` is `&mut …`.
fn is_mutable_borrow(expr: &Expr) -> bool {
    matches!(expr, Expr::Reference(reference) if reference.mutability.is_some())
}
