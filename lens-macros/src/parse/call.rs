//! What stands in `span!(…)` and `record!(…)`.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, Token};

use super::Errors;
use super::args::{Args, parse_arg, parse_list};
use super::field::{Field, parse_field};
use super::key::{HISTOGRAM, Key, METRIC, SPAN};

/// A call of `span!`, or of `record!`, which has no name and no arguments.
pub(crate) struct SpanCall {
    /// The path of the lens crate.
    pub(crate) lens: TokenStream,
    pub(crate) name: Option<Expr>,
    pub(crate) args: Args,
    pub(crate) fields: Vec<Field>,
}

const NO_NAME: &str = "expected the name of the span first, such as `span!(\"evaluate\")`";

/// Parses `crate; "name", group = "step", key = value`.
pub(crate) fn parse_span(tokens: TokenStream, errors: &mut Errors) -> SpanCall {
    let (lens, tokens) = split_path(tokens);
    let mut call = SpanCall::new(lens);
    if let Some((name, rest)) = parse_first(tokens, NO_NAME, errors) {
        call.name = Some(name);
        parse_rest(rest, SPAN, (&mut call.args, &mut call.fields), errors);
    }
    call
}

/// Parses an expression and a comma; returns it, and what is behind them.
fn parse_first(
    tokens: TokenStream,
    missing: &str,
    errors: &mut Errors,
) -> Option<(Expr, TokenStream)> {
    let is_empty = tokens.is_empty();
    let parse = |input: ParseStream<'_>| {
        let expr: Expr = input.parse()?;
        if let Expr::Assign(field) = &expr {
            return Err(syn::Error::new(field.left.span(), missing));
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok((expr, input.parse::<TokenStream>()?))
    };
    match parse.parse2(tokens) {
        Ok(first) => return Some(first),
        Err(error) if is_empty => errors.add(error.span(), missing),
        Err(error) => errors.add_error(error),
    }
    None
}

/// Parses arguments and attributes in any order.
fn parse_rest(
    rest: TokenStream,
    keys: &'static [Key],
    (args, fields): (&mut Args, &mut Vec<Field>),
    errors: &mut Errors,
) {
    parse_list(rest, errors, |input, errors| {
        let known = |key: &Key| {
            input.peek2(Token![=])
                && (input.fork().parse::<proc_macro2::Ident>()).is_ok_and(|ident| ident == key.name)
        };
        if let Some(key) = keys.iter().find(|key| known(key)) {
            return parse_arg(input, keys, args, errors).map_err(|error| {
                let name = key.name;
                let message = format!("{error} (an attribute of that name is `\"{name}\" = …`)");
                syn::Error::new(error.span(), message)
            });
        }
        fields.push(parse_field(input)?);
        Ok(())
    });
}

/// A call of `counter!` or its like.
pub(crate) struct MetricCall {
    /// The path of the lens crate.
    pub(crate) lens: TokenStream,
    /// The kind of instrument.
    pub(crate) kind: TokenStream,
    /// The name and the value.
    pub(crate) measured: Option<(Expr, Expr)>,
    pub(crate) args: Args,
    pub(crate) fields: Vec<Field>,
}

const NO_METRIC: &str =
    "expected the name and the value of the measurement first, such as `counter!(\"requests\", 1)`";

/// Parses `crate; Counter; "name", value, unit = "s", key = value`.
pub(crate) fn parse_metric(tokens: TokenStream, errors: &mut Errors) -> MetricCall {
    let (lens, tokens) = split_path(tokens);
    let (kind, tokens) = split_path(tokens);
    let is_histogram = kind.to_string() == HISTOGRAM_KIND;
    let mut call = MetricCall {
        lens,
        kind,
        measured: None,
        args: Args::default(),
        fields: Vec::new(),
    };
    let Some((name, rest)) = parse_first(tokens, NO_METRIC, errors) else {
        return call;
    };
    let Some((value, rest)) = parse_first(rest, NO_METRIC, errors) else {
        return call;
    };
    let keys = if is_histogram { HISTOGRAM } else { METRIC };
    parse_rest(rest, keys, (&mut call.args, &mut call.fields), errors);
    match &value {
        Expr::Closure(closure) if is_histogram => errors.add(
            closure.span(),
            "a histogram is of single measurements and asks no closure; measure where the value \
             is known",
        ),
        _ => call.measured = Some((name, value)),
    }
    call
}

const HISTOGRAM_KIND: &str = "Histogram";

/// Parses `crate; key = value`.
pub(crate) fn parse_record(tokens: TokenStream, errors: &mut Errors) -> SpanCall {
    let (lens, tokens) = split_path(tokens);
    let mut call = SpanCall::new(lens);
    parse_list(tokens, errors, |input, _| {
        call.fields.push(parse_field(input)?);
        Ok(())
    });
    call
}

impl SpanCall {
    fn new(lens: TokenStream) -> Self {
        Self {
            lens,
            name: None,
            args: Args::default(),
            fields: Vec::new(),
        }
    }
}

/// The path that the macro around this one gave, and what its user wrote.
pub(crate) fn split_path(tokens: TokenStream) -> (TokenStream, TokenStream) {
    let mut tokens = tokens.into_iter();
    let is_end = |token: &proc_macro2::TokenTree| matches!(token, proc_macro2::TokenTree::Punct(punct) if punct.as_char() == ';');
    let lens = tokens.by_ref().take_while(|token| !is_end(token)).collect();
    (lens, tokens.collect())
}
