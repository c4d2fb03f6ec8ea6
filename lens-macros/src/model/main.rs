//! A legal `#[lens::main]`.

use proc_macro2::{Span, TokenStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::token::Async;
use syn::{FnArg, Token};

use super::logger_init::{LoggerInit, logger_init};
use crate::parse::{Args, Attributes, Errors, FnItem, MAIN, Value, parse_args, parse_fn};

/// An annotated main.
pub(crate) struct Main {
    /// The arguments as written, for the attribute that is printed again.
    pub(crate) tokens: TokenStream,
    pub(crate) args: Args,
    pub(crate) func: FnItem,
    /// What stands between the parentheses.
    pub(crate) inputs: Punctuated<FnArg, Token![,]>,
    pub(crate) body: Body,
}

/// How main is run.
pub(crate) enum Body {
    /// As it stands.
    Sync,
    /// By the attribute of a runtime that stands below and must be expanded first.
    Runtime,
    /// Not at all: nothing can run it, asynchronous or not.
    None(Option<Async>),
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
    let has_runtime = has_runtime(&func);
    let asyncness = sig.asyncness;
    let inputs = std::mem::take(&mut func.sig.inputs);
    let body = match (asyncness, inputs.first()) {
        // Some runtimes hand something to main, and take the argument away.
        (Some(_), _) if has_runtime => {
            func.sig.inputs = inputs.clone();
            Body::Runtime
        }
        (_, Some(argument)) => {
            errors.add(argument.span(), "`fn main` cannot have arguments");
            func.sig.asyncness = None;
            Body::None(asyncness)
        }
        (None, None) => Body::Sync,
        (Some(keyword), None) => {
            errors.add(
                keyword.span,
                "`async fn main` needs a runtime; add `#[tokio::main]` below `#[lens::main]`",
            );
            func.sig.asyncness = None;
            Body::None(asyncness)
        }
    };
    if leaves_logger_slot(&args) {
        // With a layer in the program's own subscriber, records come from there.
        let bridges = args.get("tracing").is_some();
        for name in ["level", "logger", "filter"] {
            if let Some(key) = args.key(name).filter(|_| !bridges) {
                let message = format!(
                    "`{name}` and `local = \"none\"` cannot both be set; without the logger slot \
                     nothing is bridged"
                );
                errors.add(key.span(), message);
            }
        }
    } else {
        for init in logger_init(func.body.stream()) {
            match init {
                LoggerInit::EnvLogger(span) => errors.add(span, LOGGER_INIT),
                LoggerInit::Tracing(span) => errors.add(span, SUBSCRIBER_INIT),
            }
        }
    }
    if let Some(trace) = func.attrs.find("trace") {
        errors.add(trace.path().span(), TRACED_MAIN);
    }
    Some(Main {
        tokens,
        args,
        func,
        inputs,
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

/// Said of a span that would start before, and end behind, all telemetry.
pub(super) const TRACED_MAIN: &str = "`#[lens::trace]` cannot be used on main, where telemetry \
    does not run yet; write `root_span = \"job\"` in `#[lens::main(…)]`";

const LOGGER_INIT: &str = "`#[lens::main]` already installs what `env_logger::init()` would; \
    remove this statement and keep env_logger in Cargo.toml, since its features decide the \
    format, or hand your logger over with `local = my_logger()`";

const SUBSCRIBER_INIT: &str = "`#[lens::main]` is in the slot of `log`, which this would take, too, \
    and panic; write `tracing = true`, which prints what `tracing_subscriber::fmt::init()` would, \
    and remove this statement, or hand your subscriber over with `tracing = my_subscriber()`";

/// The attributes that leave a function as it is.
const INERT: [&str; 17] = [
    "allow",
    "cfg",
    "cfg_attr",
    "clippy",
    "cold",
    "deny",
    "deprecated",
    "diagnostic",
    "doc",
    "expect",
    "forbid",
    "inline",
    "must_use",
    "rustfmt",
    "track_caller",
    "unsafe",
    "warn",
];

/// Whether an attribute may make main a plain function, as that of a runtime does. Most are
/// called `main`, but `#[apply(main!)]` is one, too.
fn has_runtime(func: &FnItem) -> bool {
    func.attrs.iter().any(|attr| {
        let first = attr.path().segments.first();
        first.is_some_and(|first| !INERT.iter().any(|inert| first.ident == inert))
    })
}

fn leaves_logger_slot(args: &Args) -> bool {
    matches!(args.get("local"), Some(Value::Word(word)) if word.value().eq_ignore_ascii_case("none"))
}
