//! A legal `#[lens::main]`.

use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned;

use super::logger_init::logger_init;
use crate::parse::{Args, Errors, FnItem, MAIN, Value, parse_args, parse_fn};

/// An annotated main.
pub(crate) struct Main {
    /// The arguments as written, for the attribute that is printed again.
    pub(crate) tokens: TokenStream,
    pub(crate) args: Args,
    pub(crate) func: FnItem,
    pub(crate) body: Body,
}

/// How main is run.
pub(crate) enum Body {
    /// As it stands.
    Sync,
    /// By the attribute of a runtime that stands below and must be expanded first.
    Runtime,
    /// Not at all: nothing can run it.
    None,
}

/// Checks an annotated main; `None` when the item is no function.
pub(crate) fn main(tokens: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Main> {
    let args = parse_args(tokens.clone(), MAIN, errors);
    let mut func = parse_fn(item, ("#[lens::main]", "`fn main`"), errors)?;
    let sig = &func.sig;
    if sig.ident != "main" {
        errors.add(
            sig.ident.span(),
            format_args!(
                "`#[lens::main]` goes on `fn main`, not on `fn {}`; use `#[lens::trace]` here",
                sig.ident
            ),
        );
        return None;
    }
    let argument = sig.inputs.first().map(Spanned::span);
    if let Some(argument) = argument {
        errors.add(argument, "`fn main` cannot have arguments");
        func.sig.inputs.clear();
    }
    let body = match (&func.sig.asyncness, has_runtime(&func)) {
        _ if argument.is_some() => Body::None,
        (None, _) => Body::Sync,
        (Some(_), true) => Body::Runtime,
        (Some(asyncness), false) => {
            errors.add(
                asyncness.span,
                "`async fn main` needs a runtime; add `#[tokio::main]` below `#[lens::main]`",
            );
            Body::None
        }
    };
    if !leaves_logger_slot(&args) {
        for span in logger_init(func.body.stream()) {
            errors.add(span, LOGGER_INIT);
        }
    }
    Some(Main {
        tokens,
        args,
        func,
        body,
    })
}

/// Refuses to start a program by a lens that is the API only.
pub(crate) fn main_without_sdk(
    _: TokenStream,
    _: TokenStream,
    errors: &mut Errors,
) -> Option<Main> {
    errors.add(
        Span::call_site(),
        "`#[lens::main]` needs the feature `sdk` of lens; depend on lens without \
         `default-features = false`, or with `features = [\"sdk\"]`",
    );
    None
}

const LOGGER_INIT: &str = "`#[lens::main]` already installs what `env_logger::init()` would; \
    remove this statement and keep env_logger in Cargo.toml, since its features decide the \
    format, or hand your logger over with `local = my_logger()`";

/// Attributes of runtimes are called `main`, whoever made the runtime.
fn has_runtime(func: &FnItem) -> bool {
    (func.attrs.iter()).any(|attr| {
        let last = attr.path().segments.last();
        last.is_some_and(|segment| segment.ident == "main")
    })
}

fn leaves_logger_slot(args: &Args) -> bool {
    matches!(args.get("local"), Some(Value::Word(word)) if word.value().eq_ignore_ascii_case("none"))
}
