//! Places: locals and elements, and parts of slices.

use super::expr::is_place;
use super::function::{Emitter, Value};
use super::types::{identifier, member};
use warpcell_ir::{Expr, Scalar, Type};

/// A place; its text can be assigned to.
pub(super) struct Place {
    pub text: String,
    pub ty: Type,
    /// Part of memory that other threads may write.
    pub shared: bool,
}

impl Emitter<'_> {
    /// Evaluates a place. Its checks go into statements.
    pub(super) fn place(&mut self, expr: &Expr) -> Place {
        match expr {
            Expr::Local(name) => {
                let ty = self.locals[name].clone();
                let shared = self.is_shared(name);
                Place { text: identifier(name), ty, shared }
            }
            Expr::Deref(reference) => {
                let place = self.place(reference);
                followed(place)
            }
            Expr::Field { base, name } if is_place(base) => {
                let base = self.place(base);
                let base = followed(base);
                // rustc has found that the field is there.
                let ty = base.ty.field(name).expect("the type has this field").clone();
                Place { text: format!("{}.{}", base.text, member(name)), ty, shared: base.shared }
            }
            Expr::Index { base, index, site } => {
                let base = self.place(base);
                let base = followed(base);
                let index = self.expr(index);
                self.element(base, index, self.site(*site))
            }
            // Something that was computed, such as a slice returned by a block.
            other => {
                let value = self.expr(other);
                Place { text: value.text, ty: value.ty, shared: true }
            }
        }
    }

    /// Shared arrays are marked by a second entry; see `Stmt::Shared`.
    fn is_shared(&self, name: &str) -> bool {
        self.locals.contains_key(&format!("__shared__ {name}"))
    }

    fn element(&mut self, base: Place, index: Value, site: u32) -> Place {
        let (length, element, access, shared) = match base.ty {
            Type::Array(element, count) => (format!("{count}ull"), element, "v", base.shared),
            Type::Slice { element, mutable } => (format!("{}.n", base.text), element, "p", mutable),
            _ => unreachable!("rustc allows indexing slices and arrays only"),
        };
        // The check and the access must see the same index.
        let index = if index.stable { index } else { self.spill(index) };
        let position = &index.text;
        self.line(format!("if ({position} >= {length}) wc_fault(wc_e, {site}u, {position}, {length});"));
        Place { text: format!("{}.{access}[{position}]", base.text), ty: *element, shared }
    }

    /// Reads an element.
    pub(super) fn load(&mut self, expr: &Expr) -> Value {
        let place = self.place(expr);
        let Some(scalar) = place.ty.scalar() else {
            return self.spill(Value { text: place.text, ty: place.ty, stable: false });
        };
        let once = place.shared && !scalar.is_float() && scalar != Scalar::Bool;
        let text = if once { format!("wc_once_{}({})", scalar.name(), place.text) } else { place.text };
        self.spill(Value { text, ty: place.ty, stable: false })
    }

    /// `&base[start..end]`
    pub(super) fn part(
        &mut self,
        base: &Expr,
        start: Option<&Expr>,
        end: Option<&Expr>,
        mutable: bool,
        site: u32,
    ) -> Value {
        let base = self.place(base);
        let base = followed(base);
        let length_type = Type::Scalar(Scalar::U64);
        let (pointer, length, element) = match &base.ty {
            Type::Array(element, count) => (format!("{}.v", base.text), format!("{count}ull"), element.clone()),
            Type::Slice { element, .. } => (format!("{}.p", base.text), format!("{}.n", base.text), element.clone()),
            _ => unreachable!("rustc allows parts of slices and arrays only"),
        };
        let bound = |emitter: &mut Self, expr: Option<&Expr>, default: &str| {
            let value = expr.map_or_else(|| Value::stable(default, length_type.clone()), |expr| emitter.expr(expr));
            if value.stable { value } else { emitter.spill(value) }
        };
        let start = bound(self, start, "0ull");
        let end = bound(self, end, &length);
        let (from, to) = (&start.text, &end.text);
        self.line(format!(
            "if ({to} > {length} || {from} > {to}) wc_fault(wc_e, {site}u, {to} > {length} ? {to} : {from}, {length});"
        ));
        let ty = Type::Slice { element, mutable };
        let name = self.builder.type_name(&ty);
        self.spill(Value { text: format!("{name}{{{pointer} + {from}, {to} - {from}}}"), ty, stable: false })
    }
}

/// What a reference refers to; any other place is itself.
fn followed(place: Place) -> Place {
    match place.ty {
        Type::Reference(ty) => Place { text: format!("(*{})", place.text), ty: *ty, shared: true },
        _ => place,
    }
}
