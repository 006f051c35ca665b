//! `println!` and its like, `panic!` and its like, and assertions.
//!
//! A message is a tuple of values and a closure that makes text of it by `format!`, so that rustc checks the user's format
//! string and the text is Rust's own. In the CPU form the closure is called; in the probe its type is the answer of a slot,
//! and on a CUDA device the values' bits are written down and the closure is called on the host.

use super::format::{Argument, Format, arguments};
use super::{LoweredBlock, Lowerer, slot_ident};
use crate::cpu::{CpuStmt, Split};
use crate::facts::Facts;
use crate::paths::context;
use crate::spans::Extent;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, LitStr, Macro};
use warpcell_ir as ir;

/// A macro that is a statement of kernels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Print {
        newline: bool,
        to_stderr: bool,
    },
    /// The message is `alone` where the user has written none, else it starts with `prefix`.
    Panic {
        alone: &'static str,
        prefix: &'static str,
    },
    /// `only_debug`: checked where the kernel's crate is compiled with debug assertions.
    Assert {
        only_debug: bool,
    },
    /// Two values and how they must compare.
    Compare {
        operator: &'static str,
        only_debug: bool,
    },
}

/// What `call` is, if it is one of these.
fn output(call: &Macro) -> Option<Output> {
    let name = call.path.segments.last()?.ident.to_string();
    let only_debug = name.starts_with("debug_");
    Some(match &*name {
        "print" => Output::Print { newline: false, to_stderr: false },
        "println" => Output::Print { newline: true, to_stderr: false },
        "eprint" => Output::Print { newline: false, to_stderr: true },
        "eprintln" => Output::Print { newline: true, to_stderr: true },
        "panic" => Output::Panic { alone: "explicit panic", prefix: "" },
        "todo" => Output::Panic { alone: "not yet implemented", prefix: "not yet implemented: " },
        "unimplemented" => Output::Panic { alone: "not implemented", prefix: "not implemented: " },
        "unreachable" => Output::Panic {
            alone: "internal error: entered unreachable code",
            prefix: "internal error: entered unreachable code: ",
        },
        "assert" | "debug_assert" => Output::Assert { only_debug },
        "assert_eq" | "debug_assert_eq" => Output::Compare { operator: "==", only_debug },
        "assert_ne" | "debug_assert_ne" => Output::Compare { operator: "!=", only_debug },
        _ => return None,
    })
}

/// Whether `call` is a statement without a value.
pub(super) fn is_statement(call: &Macro) -> bool {
    output(call).is_some()
}

/// Whether `expr` is `panic!` or its like: what stands behind it is not reached.
pub(super) fn ends_thread(expr: &Expr) -> bool {
    matches!(expr, Expr::Macro(call) if matches!(output(&call.mac), Some(Output::Panic { .. })))
}

/// A message in its forms.
struct Message {
    probe_values: TokenStream,
    cpu_values: TokenStream,
    closure: TokenStream,
    ir: Vec<ir::Expr>,
    facts: Facts,
}

impl Lowerer<'_> {
    /// One of these macros as a statement.
    pub(super) fn output_stmt(&mut self, call: &Macro, out: &mut LoweredBlock) {
        let output = output(call).expect("the caller has asked");
        let arguments = match arguments(call.tokens.clone()) {
            Ok(arguments) => arguments,
            Err(error) => {
                let at = quote_spanned!(error.span()=> _);
                return self.diagnostics.error(at, error.to_string(), "write it as in Rust: `println!(\"{x} {}\", y)`");
            }
        };
        match output {
            Output::Print { newline, to_stderr } => self.print(call, arguments, newline, to_stderr, out),
            Output::Panic { alone, prefix } => self.panic(call, arguments, alone, prefix, out),
            Output::Assert { only_debug } => self.assert(call, arguments, only_debug, out),
            Output::Compare { operator, only_debug } => self.compare(call, arguments, operator, only_debug, out),
        }
    }

    fn print(
        &mut self,
        call: &Macro,
        arguments: Vec<Argument>,
        newline: bool,
        to_stderr: bool,
        out: &mut LoweredBlock,
    ) {
        let end = if newline { quote!(__wc_text.push('\n');) } else { TokenStream::new() };
        let Some(message) = self.message(call, arguments, "", end) else { return };
        let Message { probe_values, cpu_values, closure, ir: arguments, mut facts } = message;
        let slot = self.slot();
        let (extent, name, thread) = (Extent::of(&call.path), slot_ident(slot), context());
        out.probe.extend(extent.private_call("message", quote!(#probe_values, #closure, &#name)));
        let tokens = extent.private_call("print", quote!(#thread, #to_stderr, #cpu_values, #closure));
        // Each thread prints for itself.
        facts.opaque = true;
        out.push(CpuStmt { tokens: quote!(#tokens;), split: Split::None, facts, declares: Vec::new() });
        out.ir.statements.push(ir::Stmt::Print { slot, to_stderr, arguments });
    }

    fn panic(
        &mut self,
        call: &Macro,
        mut arguments: Vec<Argument>,
        alone: &'static str,
        prefix: &'static str,
        out: &mut LoweredBlock,
    ) {
        let prefix = if arguments.is_empty() {
            arguments.push(literal(alone, call));
            ""
        } else {
            prefix
        };
        let Some(message) = self.message(call, arguments, prefix, TokenStream::new()) else { return };
        let Message { probe_values, cpu_values, closure, ir: arguments, mut facts } = message;
        if arguments.len() > ir::PANIC_VALUES {
            let what = format!("a message that ends a thread can have at most {} values", ir::PANIC_VALUES);
            self.diagnostics.error(emphasis(call), what, "print the others by a `println!` before it");
        }
        let slot = self.slot();
        let site = self.site(ir::SiteKind::Panic, call.path.span(), String::new());
        let (extent, name, thread, at) = (Extent::of(&call.path), slot_ident(slot), context(), self.site_tokens(site));
        out.probe.extend(extent.private_call("last_message", quote!(#probe_values, #closure, &#name)));
        let tokens = extent.private_call("panic", quote!(#thread, #at, #cpu_values, #closure));
        facts.faults = true;
        out.push(CpuStmt { tokens: quote!(#tokens;), split: Split::None, facts, declares: Vec::new() });
        out.ir.statements.push(ir::Stmt::Panic { slot, arguments, site });
    }

    /// `assert!(condition, …)` is `if !condition { panic!(…) }`.
    fn assert(&mut self, call: &Macro, mut arguments: Vec<Argument>, only_debug: bool, out: &mut LoweredBlock) {
        if arguments.is_empty() {
            let (what, help) = ("an assertion needs a condition", "write `assert!(x > 0)`");
            return self.diagnostics.error(emphasis(call), what, help);
        }
        let condition = arguments.remove(0).value;
        let span = call.path.span();
        let message = if arguments.is_empty() {
            let text = call.tokens.to_string();
            let text = format!("assertion failed: {}", text.trim_end().trim_end_matches(','));
            literal(&text.replace('{', "{{").replace('}', "}}"), call).value.to_token_stream()
        } else {
            tokens_of(&arguments)
        };
        let extent = Extent::of(&condition);
        let failed = extent.call(quote_spanned!(extent.first=> !), condition.to_token_stream());
        let debug = only_debug.then(|| quote_spanned!(span=> ::core::cfg!(debug_assertions) &&));
        self.expr_stmt(&syn::parse_quote_spanned!(span=> if #debug #failed { panic!(#message); }), out);
    }

    /// `assert_eq!(a, b, …)` keeps both values, so that the message can show them.
    fn compare(
        &mut self,
        call: &Macro,
        mut arguments: Vec<Argument>,
        operator: &'static str,
        only_debug: bool,
        out: &mut LoweredBlock,
    ) {
        if arguments.len() < 2 {
            let (what, help) = ("this assertion compares two values", "write `assert_eq!(x, 1)`");
            return self.diagnostics.error(emphasis(call), what, help);
        }
        let span = call.path.span();
        let [left, right] = [0, 1].map(|_| arguments.remove(0).value);
        let named = |name: &str, value: &Expr| Ident::new(name, Extent::of(value).first);
        let (left_name, right_name) = (named("__wc_left", &left), named("__wc_right", &right));
        let Some(message) = self.comparison_message(arguments, operator, call) else { return };
        let equal = syn::BinOp::Eq(syn::Token![==](span));
        let failed = if operator == "==" {
            quote_spanned!(span=> !(#left_name #equal #right_name))
        } else {
            quote_spanned!(span=> #left_name #equal #right_name)
        };
        let block: syn::Block = syn::parse_quote_spanned!(span=> {
            let #left_name = #left;
            let #right_name = #right;
            if #failed {
                panic!(#message, __wc_left = #left_name, __wc_right = #right_name);
            }
        });
        if only_debug {
            let condition = quote_spanned!(span=> ::core::cfg!(debug_assertions));
            return self.expr_stmt(&syn::parse_quote_spanned!(span=> if #condition #block), out);
        }
        for stmt in &block.stmts {
            self.stmt(stmt, out);
        }
    }

    /// The user's message between the parts that show the values.
    fn comparison_message(
        &mut self,
        mut arguments: Vec<Argument>,
        operator: &str,
        call: &Macro,
    ) -> Option<TokenStream> {
        let (start, end) =
            (format!("assertion `left {operator} right` failed"), "\n  left: {__wc_left:?}\n right: {__wc_right:?}");
        if arguments.is_empty() {
            return Some(literal(&format!("{start}{end}"), call).value.to_token_stream());
        }
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &arguments[0].value else {
            self.refuse_format(&arguments[0].value);
            return None;
        };
        let text = LitStr::new(&format!("{start}: {}{end}", text.value()), text.span());
        arguments[0] = Argument { name: None, value: Expr::Lit(ExprLit { attrs: Vec::new(), lit: Lit::Str(text) }) };
        Some(tokens_of(&arguments))
    }

    /// The message that a format string and its values make, with `prefix` before it and `end` run on the text.
    fn message(&mut self, call: &Macro, arguments: Vec<Argument>, prefix: &str, end: TokenStream) -> Option<Message> {
        let format = match Format::new(arguments) {
            Ok(format) => format,
            Err(other) => {
                self.refuse_format(&other);
                return None;
            }
        };
        if format.has_pointer() {
            let (what, help) = ("`{:p}` is not supported in kernels", "print the index of the element");
            self.diagnostics.error(&format.literal, what, help);
        }
        let mut message = Message {
            probe_values: quote!(()),
            cpu_values: quote!(()),
            closure: TokenStream::new(),
            ir: Vec::new(),
            facts: Facts::default(),
        };
        let (mut pattern, mut shown) = (quote!(()), TokenStream::new());
        let mut values = Vec::new();
        for (number, Argument { name, value }) in format.arguments.iter().enumerate() {
            let lowered = self.formatted_value(value);
            let extent = Extent::of(value);
            // With the user's span: no code of the user is inside of the closure.
            let ident = Ident::new(&format!("__wc_value_{number}"), extent.first);
            let name = name.as_ref().map(|name| quote!(#name =));
            shown.extend(quote!(, #name #ident));
            message.facts.add(&lowered.facts);
            message.ir.push(lowered.ir);
            values.push((ident, extent.private_call("formatted", lowered.probe), lowered.cpu));
        }
        for (ident, probe, cpu) in values.into_iter().rev() {
            let (probes, cpus) = (message.probe_values, message.cpu_values);
            (message.probe_values, message.cpu_values) = (quote!((#probe, #probes)), quote!((#cpu, #cpus)));
            pattern = quote!((#ident, #pattern));
        }
        message.closure = closure(call, &pattern, prefix, &format.literal, &shown, &end);
        Some(message)
    }

    /// A value of a message.
    fn formatted_value(&mut self, value: &Expr) -> super::Lowered {
        if let Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) = value {
            let (what, help) = ("text can't be a value in kernels", "write it into the format string");
            self.diagnostics.error(value, what, help);
            return self.refused();
        }
        let lowered = self.expr(value);
        if lowered.memory {
            let (what, help) = ("a slice can't be formatted in kernels", "print its elements one by one: `x[i]`");
            self.diagnostics.error(value, what, help);
        }
        lowered
    }

    fn refuse_format(&mut self, found: &Expr) {
        self.diagnostics.error(
            found,
            "a format string must be a literal in kernels",
            "write the text in quotes, and the values behind it: `\"x = {}\", x`",
        );
    }
}

/// `|values| format!(…)`
fn closure(
    call: &Macro,
    pattern: &TokenStream,
    prefix: &str,
    literal: &LitStr,
    shown: &TokenStream,
    end: &TokenStream,
) -> TokenStream {
    let text = match prefix {
        // The user's own token, in which rustc can point at a placeholder.
        "" => literal.clone(),
        _ => LitStr::new(&format!("{prefix}{}", literal.value()), literal.span()),
    };
    let text = quote_spanned!(call.path.span()=> ::std::format!(#text #shown));
    if end.is_empty() {
        return quote!(|#pattern| -> ::std::string::String { #text });
    }
    quote!(|#pattern| -> ::std::string::String { let mut __wc_text = #text; #end __wc_text })
}

/// The text as an argument, at the macro's name.
fn literal(text: &str, call: &Macro) -> Argument {
    let lit = Lit::Str(LitStr::new(text, call.path.span()));
    Argument { name: None, value: Expr::Lit(ExprLit { attrs: Vec::new(), lit }) }
}

fn tokens_of(arguments: &[Argument]) -> TokenStream {
    let arguments = arguments.iter().map(|Argument { name, value }| {
        let name = name.as_ref().map(|name: &Ident| quote!(#name =));
        quote!(#name #value)
    });
    quote!(#(#arguments),*)
}

/// The tokens that name the macro.
fn emphasis(call: &Macro) -> TokenStream {
    let (path, bang) = (&call.path, &call.bang_token);
    quote!(#path #bang)
}
