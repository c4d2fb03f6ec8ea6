//! A legal `#[lens::trace]`.

use proc_macro2::{Ident, TokenStream};
use syn::Attribute;
use syn::spanned::Spanned;

use super::main::TRACED_MAIN;
use crate::parse::{
    Args, Attributes, Block, Errors, FnItem, TRACE, Value, functions, nearest, parse_args,
    parse_block, parse_fn,
};

/// What is traced.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(crate) enum Traced {
    Function(Trace),
    Block(TraceBlock),
}

/// A traced function.
pub(crate) struct Trace {
    pub(crate) args: Args,
    pub(crate) func: FnItem,
    /// Whether an `Err` sets the status.
    pub(crate) err: bool,
    /// Whether the body asks who called the function, which a closure in it cannot.
    pub(crate) asks_caller: bool,
}

/// A block whose functions are traced, each as if it had the attribute itself.
pub(crate) struct TraceBlock {
    pub(crate) args: Args,
    pub(crate) block: Block,
    pub(crate) skip: Vec<Ident>,
}

/// Checks what is traced; `None` when it cannot be.
pub(crate) fn trace(tokens: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Traced> {
    let args = parse_args(tokens, TRACE, errors);
    if let Some(block) = parse_block(item.clone()) {
        return Some(Traced::Block(trace_block(args, block, item, errors)));
    }
    let place = "a function, an `impl` block, a trait or an inline module";
    let func = parse_fn(item, ("#[lens::trace]", place), errors)?;
    if let Some(constness) = &func.sig.constness {
        errors.add(
            constness.span,
            "`#[lens::trace]` cannot be used on a `const fn`",
        );
        return None;
    }
    if let Some(naked) = func.attrs.iter().find(|attr| is_naked(attr)) {
        errors.add(
            naked.path().span(),
            "`#[lens::trace]` cannot be used on a naked function",
        );
        return None;
    }
    if let Some(key) = args.key("skip") {
        let message = "argument `skip` goes on an `impl` block or a module, not on a function";
        errors.add(key.span(), message);
    }
    if let Some(main) = func.attrs.find("main").filter(|_| func.sig.ident == "main") {
        errors.add(main.path().span(), TRACED_MAIN);
    }
    let asks_caller = func.attrs.has("track_caller");
    let err = match (args.get("err"), args.key("err")) {
        (Some(Value::Switch(true)), Some(key)) if asks_caller => {
            errors.add(
                key.span(),
                "`err = true` and `#[track_caller]` cannot both be set; keep one",
            );
            false
        }
        (Some(Value::Switch(err)), _) => *err,
        _ => !asks_caller,
    };
    Some(Traced::Function(Trace {
        args,
        func,
        err,
        asks_caller,
    }))
}

/// `#[unsafe(naked)]`, whose body is assembly and nothing else.
fn is_naked(attr: &Attribute) -> bool {
    attr.path().is_ident("unsafe")
        && attr
            .parse_args::<Ident>()
            .is_ok_and(|inner| inner == "naked")
}

fn trace_block(args: Args, block: Block, item: TokenStream, errors: &mut Errors) -> TraceBlock {
    for name in ["name", "fields", "parent", "links"] {
        if let Some(key) = args.key(name) {
            let message = format!("argument `{name}` goes on a function, not on a block of them");
            errors.add(key.span(), message);
        }
    }
    let skip = match args.get("skip") {
        Some(Value::Idents(skip)) => skip.clone(),
        _ => Vec::new(),
    };
    let known = functions(item);
    for name in &skip {
        if !known.iter().any(|known| name == known) {
            let near = nearest(&name.to_string(), known.iter().map(String::as_str));
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            errors.add(name.span(), format_args!("unknown function `{name}`{hint}"));
        }
    }
    TraceBlock { args, block, skip }
}
