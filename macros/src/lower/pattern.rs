//! Patterns.

use super::stmt::bind;
use super::{LocalKind, Lowerer};
use crate::facts::LocalId;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FieldPat, Lit, Member, Pat};
use warpcell_ir as ir;

/// A pattern in its forms. Its probe is the pattern itself.
pub(super) struct LoweredPattern {
    /// The probe's questions for the types of what it binds.
    pub questions: TokenStream,
    /// The pattern with the unique names.
    pub cpu: TokenStream,
    pub ir: ir::Pattern,
    /// What it binds.
    pub locals: Vec<LocalId>,
}

/// The names that a pattern binds, each once, whatever number of alternatives bind it.
type Names = HashMap<String, (LocalId, ir::Slot)>;

impl Lowerer<'_> {
    /// Lowers a pattern; its names are known from here to the end of the scope. `None` after a report.
    pub(super) fn pattern(&mut self, pattern: &Pat) -> Option<LoweredPattern> {
        let mut names = Names::new();
        let ir = self.pattern_ir(pattern, &mut names);
        if ir.is_none() {
            self.declare_names(pattern);
        }
        let ir = ir?;
        let mut bound: Vec<(LocalId, ir::Slot)> = names.values().copied().collect();
        bound.sort_unstable();
        let questions = bound.iter().map(|(id, slot)| {
            let local = &self.locals[*id];
            bind(&Ident::new(&names_of(&names, *id), local.ident.span()), *slot)
        });
        let questions = questions.collect();
        let renamed = names.iter().map(|(name, (id, _))| (name.clone(), self.locals[*id].ident.clone())).collect();
        let mut cpu = pattern.clone();
        Rename(renamed).visit_pat_mut(&mut cpu);
        let locals = bound.into_iter().map(|(id, _)| id).collect();
        Some(LoweredPattern { questions, cpu: cpu.to_token_stream(), ir, locals })
    }

    fn pattern_ir(&mut self, pattern: &Pat, names: &mut Names) -> Option<ir::Pattern> {
        match pattern {
            Pat::Wild(_) | Pat::Rest(_) => Some(ir::Pattern::Wild),
            Pat::Paren(paren) => self.pattern_ir(&paren.pat, names),
            Pat::Type(typed) => self.pattern_ir(&typed.pat, names),
            Pat::Ident(ident) if ident.by_ref.is_none() => self.pattern_name(ident, names),
            Pat::Lit(literal) => {
                Some(ir::Pattern::Value(ir::PatternValue::Literal(self.pattern_literal(&literal.lit)?)))
            }
            Pat::Path(path) => Some(self.pattern_path(path.to_token_stream(), &path.path)),
            Pat::Range(range) => {
                let mut bound = |bound: &Option<Box<Expr>>| bound.as_ref().map(|bound| self.pattern_bound(bound));
                let (start, end) = (bound(&range.start), bound(&range.end));
                // A bound that is there must have been understood.
                let (start, end) =
                    (start.map_or(Some(None), |b| b.map(Some))?, end.map_or(Some(None), |b| b.map(Some))?);
                Some(ir::Pattern::Range { start, end, inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)) })
            }
            Pat::Or(or) => {
                let patterns: Option<Vec<_>> = or.cases.iter().map(|case| self.pattern_ir(case, names)).collect();
                patterns.map(ir::Pattern::Or)
            }
            Pat::Tuple(tuple) => self.numbered(&tuple.elems, names),
            Pat::TupleStruct(found) if found.path.is_ident("Some") && found.elems.len() == 1 => {
                Some(ir::Pattern::Some(Box::new(self.pattern_ir(&found.elems[0], names)?)))
            }
            Pat::TupleStruct(found) => self.numbered(&found.elems, names),
            Pat::Struct(found) => {
                let fields: Option<Vec<_>> =
                    found.fields.iter().map(|field| self.field_pattern(field, names)).collect();
                fields.map(ir::Pattern::Fields)
            }
            Pat::Slice(slice) if !slice.elems.iter().any(is_rest) => {
                let patterns: Option<Vec<_>> =
                    slice.elems.iter().map(|element| self.pattern_ir(element, names)).collect();
                patterns.map(ir::Pattern::Elements)
            }
            _ => {
                self.report_pattern(pattern);
                None
            }
        }
    }

    fn pattern_name(&mut self, ident: &syn::PatIdent, names: &mut Names) -> Option<ir::Pattern> {
        let name = ident.ident.unraw().to_string();
        let inner = match &ident.subpat {
            Some((_, pattern)) => Some(Box::new(self.pattern_ir(pattern, names)?)),
            None if name == "None" => return Some(ir::Pattern::None),
            // Constants and variants start with a capital letter.
            None if name.starts_with(char::is_uppercase) => {
                return Some(self.pattern_path(ident.to_token_stream(), &ident.ident.clone().into()));
            }
            None => None,
        };
        let (id, slot) = match names.get(&name) {
            Some(known) => *known,
            None => {
                let id = self.declare(&ident.ident, LocalKind::Value, ident.mutability.is_some());
                let slot = self.slot();
                names.insert(name, (id, slot));
                (id, slot)
            }
        };
        Some(ir::Pattern::Binding { name: self.unique_name(id), slot, pattern: inner })
    }

    fn pattern_path(&mut self, tokens: TokenStream, path: &syn::Path) -> ir::Pattern {
        if path.segments.last().is_some_and(|last| last.ident == "None") {
            return ir::Pattern::None;
        }
        ir::Pattern::Value(ir::PatternValue::Constant(self.constant(tokens)))
    }

    fn pattern_literal(&mut self, literal: &Lit) -> Option<ir::Literal> {
        let value = super::literal::value(literal, false);
        if value.is_none() {
            self.diagnostics.error(
                literal,
                "this literal is not supported in kernels",
                "use a number of at most 64 bits or a bool; text can't be used on a GPU",
            );
        }
        value
    }

    fn pattern_bound(&mut self, bound: &Expr) -> Option<ir::PatternValue> {
        match bound {
            Expr::Lit(literal) => self.pattern_literal(&literal.lit).map(ir::PatternValue::Literal),
            Expr::Unary(unary) if let (syn::UnOp::Neg(_), Expr::Lit(literal)) = (&unary.op, &*unary.expr) => {
                super::literal::value(&literal.lit, true).map(ir::PatternValue::Literal)
            }
            Expr::Path(path) => Some(ir::PatternValue::Constant(self.constant(path.to_token_stream()))),
            _ => {
                self.diagnostics.error(bound, "this bound is not supported in kernels", "write a number or a constant");
                None
            }
        }
    }

    /// The patterns of a tuple's parts; `..` stands for those in between.
    fn numbered(
        &mut self,
        patterns: &syn::punctuated::Punctuated<Pat, syn::Token![,]>,
        names: &mut Names,
    ) -> Option<ir::Pattern> {
        if let Some(rest) = patterns.iter().position(is_rest)
            && rest + 1 != patterns.len()
        {
            self.diagnostics.error(
                &patterns[rest],
                "`..` is only supported at the end of a pattern in kernels",
                "write a `_` for each part that is left out",
            );
            return None;
        }
        let patterns = patterns.iter().filter(|pattern| !is_rest(pattern)).enumerate();
        let fields: Option<Vec<_>> =
            patterns.map(|(number, pattern)| Some((number.to_string(), self.pattern_ir(pattern, names)?))).collect();
        fields.map(ir::Pattern::Fields)
    }

    fn field_pattern(&mut self, field: &FieldPat, names: &mut Names) -> Option<(String, ir::Pattern)> {
        Some((member_name(&field.member), self.pattern_ir(&field.pat, names)?))
    }

    /// A constant that rustc evaluates, by its number.
    pub(super) fn constant(&mut self, path: TokenStream) -> u32 {
        self.constants.push(path);
        // A function has fewer than 2^32 constants.
        (self.constants.len() - 1) as u32
    }
}

/// The name of a field, as the model writes it.
pub(super) fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn is_rest(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Rest(_))
}

fn names_of(names: &Names, id: LocalId) -> String {
    names.iter().find(|(_, (found, _))| *found == id).map(|(name, _)| name.clone()).unwrap_or_default()
}

/// Gives the names of a pattern their unique forms.
struct Rename(HashMap<String, Ident>);

impl VisitMut for Rename {
    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        if let Some(unique) = self.0.get(&pattern.ident.unraw().to_string()) {
            pattern.ident = unique.clone();
        }
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    // `Point { x }` is `Point { x: x }`.
    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        field.colon_token.get_or_insert(syn::token::Colon(Span::mixed_site()));
        visit_mut::visit_field_pat_mut(self, field);
    }
}

/// Whether a pattern can fail to match only if a `let … else` or an `if let` follows is rustc's to say; this says whether
/// it is a plain name.
pub(super) fn is_name(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(ident) => {
            ident.by_ref.is_none() && ident.subpat.is_none() && !ident.ident.to_string().starts_with(char::is_uppercase)
        }
        Pat::Paren(paren) => is_name(&paren.pat),
        Pat::Type(typed) => is_name(&typed.pat),
        _ => false,
    }
}
