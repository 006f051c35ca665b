//! Which local a name means.

use crate::facts::LocalId;
use proc_macro2::{Ident, Span};
use std::collections::BTreeMap;
use syn::ext::IdentExt;

/// The scopes around the current place, innermost last.
pub(super) struct Scopes(Vec<Vec<Binding>>);

struct Binding {
    name: String,
    context: String,
    local: LocalId,
}

impl Scopes {
    /// The function's scope.
    pub(super) fn new() -> Scopes {
        Scopes(vec![Vec::new()])
    }

    pub(super) fn enter(&mut self) {
        self.0.push(Vec::new());
    }

    pub(super) fn leave(&mut self) {
        self.0.pop();
    }

    /// `name` means `local` from here to the end of the scope.
    pub(super) fn bind(&mut self, name: &Ident, local: LocalId) {
        let binding = Binding { name: name.unraw().to_string(), context: context(name.span()), local };
        self.0.last_mut().expect("the function's scope is always there").push(binding);
    }

    /// Every name in scope, with what it means last.
    pub(super) fn names(&self) -> BTreeMap<&str, LocalId> {
        self.0.iter().flatten().map(|binding| (&*binding.name, binding.local)).collect()
    }

    /// The local that `name` means. A name that a `macro_rules!` macro has brought in is another than the same name of its
    /// caller; names that other macros have made mean what is in scope where they are called.
    pub(super) fn find(&self, name: &Ident) -> Option<LocalId> {
        let (text, context) = (name.unraw().to_string(), context(name.span()));
        let named = || self.0.iter().rev().flat_map(|scope| scope.iter().rev()).filter(|binding| binding.name == text);
        let found = named().find(|binding| binding.context == context).or_else(|| named().next())?;
        Some(found.local)
    }
}

/// The expansion that a span comes from. Only the debug form of a span tells (`#3 bytes(17..20)`).
fn context(span: Span) -> String {
    let text = format!("{:?}", span.unwrap());
    text.split_once(' ').map(|(context, _)| context.to_string()).unwrap_or_default()
}
