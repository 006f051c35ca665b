//! The arguments of `println!` and its like: a format string, and values.

use proc_macro2::{Ident, TokenStream};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, Token};

/// `value` or `name = value`
pub(super) struct Argument {
    pub name: Option<Ident>,
    pub value: Expr,
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Argument> {
        let named = input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if named {
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            Some(name)
        } else {
            None
        };
        let mut value = input.parse()?;
        crate::input::ungroup_expr(&mut value);
        Ok(Argument { name, value })
    }
}

/// The arguments of a macro, separated by commas.
pub(super) fn arguments(tokens: TokenStream) -> syn::Result<Vec<Argument>> {
    let arguments = Punctuated::<Argument, Token![,]>::parse_terminated.parse2(tokens)?;
    Ok(arguments.into_iter().collect())
}

/// A format string with all its values, also those that it captures by their names.
pub(super) struct Format {
    pub literal: LitStr,
    pub arguments: Vec<Argument>,
}

impl Format {
    /// Of a macro's arguments from the format string on; the first argument if that is no string literal.
    pub(super) fn new(arguments: Vec<Argument>) -> Result<Format, Box<Expr>> {
        let mut arguments = arguments.into_iter();
        let literal = match arguments.next() {
            Some(Argument { name: None, value: Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) }) => literal,
            Some(other) => return Err(Box::new(other.value)),
            None => LitStr::new("", proc_macro2::Span::mixed_site()),
        };
        let mut arguments: Vec<Argument> = arguments.collect();
        for name in captured(&literal.value()) {
            let known = arguments.iter().any(|argument| argument.name.as_ref().is_some_and(|known| *known == name));
            // A name that is a keyword is left to rustc.
            if let (false, Ok(mut name)) = (known, syn::parse_str::<Ident>(&name)) {
                name.set_span(literal.span());
                let path = syn::ExprPath { attrs: Vec::new(), qself: None, path: name.clone().into() };
                arguments.push(Argument { name: Some(name), value: Expr::Path(path) });
            }
        }
        Ok(Format { literal, arguments })
    }

    /// Whether it prints an address (`{:p}`).
    pub(super) fn has_pointer(&self) -> bool {
        placeholders(&self.literal.value()).iter().any(|(_, spec)| spec.ends_with('p'))
    }
}

/// The names that a format string uses, each once: `{name}`, `{:width$}`, `{:.precision$}`.
fn captured(format: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (argument, spec) in placeholders(format) {
        for name in std::iter::once(argument).chain(counts(spec)) {
            let is_name = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
            if is_name && !names.iter().any(|known| known == name) {
                names.push(name.to_string());
            }
        }
    }
    names
}

/// The arguments and the specifications of `{argument:specification}`.
fn placeholders(format: &str) -> Vec<(&str, &str)> {
    let (mut out, mut rest) = (Vec::new(), format);
    while let Some(open) = rest.find('{') {
        rest = &rest[open + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            rest = after;
            continue;
        }
        let Some(close) = rest.find('}') else { break };
        let (argument, spec) = rest[..close].split_once(':').unwrap_or((&rest[..close], ""));
        out.push((argument.trim(), spec.trim()));
        rest = &rest[close + 1..];
    }
    out
}

/// What stands before each `$` of a specification: the width and the precision.
fn counts(spec: &str) -> impl Iterator<Item = &str> {
    let mut letters = spec.chars();
    // A fill may be any character.
    let filled = letters.next().is_some() && matches!(letters.next(), Some('<' | '^' | '>'));
    let spec = if filled { letters.as_str() } else { spec };
    let mut parts: Vec<&str> = spec.split('$').collect();
    parts.pop();
    parts.into_iter().map(|part| {
        let name = part.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
        // A zero before it is a flag.
        name.trim_start_matches(|letter: char| letter.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_wherever_a_format_string_may_have_them() {
        for (format, names) in [
            ("", &[][..]),
            ("{} {0} {1:?} {:5} {:.2}", &[]),
            ("{{x}} {x} {{{y}}}", &["x", "y"]),
            ("{x:?} {x}", &["x"]),
            ("{:width$} {:>w$} {:$<w$}", &["width", "w"]),
            ("{:.p$} {v:0w$.p$e} {:+.*}", &["p", "v", "w"]),
            ("{ x } {x :#010x }", &["x"]),
            ("{:1$} {0:.1$}", &[]),
            ("{", &[]),
        ] {
            assert_eq!(captured(format), names, "{format}");
        }
    }

    #[test]
    fn pointers_are_found() {
        let format = |text: &str| Format::new(arguments(text.parse().unwrap()).unwrap()).ok().unwrap();
        assert!(format(r#""{:p}", x"#).has_pointer());
        assert!(format(r#""{x:#p}""#).has_pointer());
        assert!(!format(r#""{:p<3} p {p}", x"#).has_pointer());
    }
}
