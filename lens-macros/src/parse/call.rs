//! What stands in `span!(…)` and `record!(…)`.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, Token};

use super::Errors;
use super::args::{Args, parse_arg, parse_list};
use super::field::{Field, parse_field};
use super::key::SPAN;

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
    let is_empty = tokens.is_empty();
    let name = |input: ParseStream<'_>| {
        let name: Expr = input.parse()?;
        if let Expr::Assign(field) = &name {
            return Err(syn::Error::new(field.left.span(), NO_NAME));
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok((name, input.parse::<TokenStream>()?))
    };
    match name.parse2(tokens) {
        Ok((name, rest)) => {
            call.name = Some(name);
            parse_list(rest, errors, |input, errors| {
                let known = |key: &super::key::Key| {
                    input.peek2(Token![=])
                        && (input.fork().parse::<proc_macro2::Ident>())
                            .is_ok_and(|ident| ident == key.name)
                };
                if let Some(key) = SPAN.iter().find(|key| known(key)) {
                    return parse_arg(input, SPAN, &mut call.args, errors).map_err(|error| {
                        let name = key.name;
                        let message =
                            format!("{error} (an attribute of that name is `\"{name}\" = …`)");
                        syn::Error::new(error.span(), message)
                    });
                }
                call.fields.push(parse_field(input)?);
                Ok(())
            });
        }
        Err(error) if is_empty => errors.add(error.span(), NO_NAME),
        Err(error) => errors.add_error(error),
    }
    call
}

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
