//! The arguments of an attribute, checked against its table of keys.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, LitStr, Path, Token};

use super::Errors;
use super::key::{Key, Kind};
use super::near::nearest;

/// The arguments that were understood, in the order given.
pub(crate) struct Args(Vec<(Ident, &'static str, Value)>);

/// A value of the right kind.
pub(crate) enum Value {
    Expr(Expr),
    Word(LitStr),
    Names(String),
    Millis(Expr),
    Path(Path),
    Fields(Vec<Field>),
}

/// One attribute of a span.
pub(crate) struct Field {
    pub(crate) key: String,
    pub(crate) value: Expr,
}

impl Args {
    /// The arguments with their keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Ident, &Value)> {
        self.0.iter().map(|(ident, _, value)| (ident, value))
    }

    /// The argument called `name`.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        let mut args = self.0.iter();
        args.find(|(_, known, _)| *known == name)
            .map(|(_, _, value)| value)
    }
}

/// Parses what stands in the parentheses of an attribute.
pub(crate) fn parse_args(tokens: TokenStream, keys: &'static [Key], errors: &mut Errors) -> Args {
    let mut args = Args(Vec::new());
    let parse = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if let Err(error) = parse_arg(input, keys, &mut args, errors) {
                errors.add_error(error);
                skip_to_comma(input)?;
            }
            if !input.is_empty()
                && let Err(error) = input.parse::<Token![,]>()
            {
                errors.add_error(error);
                skip_to_comma(input)?;
                input.parse::<Option<Token![,]>>()?;
            }
        }
        Ok(())
    };
    if let Err(error) = parse.parse2(tokens) {
        errors.add_error(error);
    }
    args
}

fn parse_arg(
    input: ParseStream<'_>,
    keys: &'static [Key],
    args: &mut Args,
    errors: &mut Errors,
) -> syn::Result<()> {
    let ident = input.call(Ident::parse_any)?;
    let Some(key) = keys.iter().find(|key| ident == key.name) else {
        errors.add(ident.span(), unknown(&ident, keys));
        return skip_to_comma(input);
    };
    if args.get(key.name).is_some() {
        errors.add(ident.span(), format_args!("duplicate argument `{ident}`"));
        return skip_to_comma(input);
    }
    let value = match key.kind {
        Kind::Fields => parse_fields(input, &ident, key)?,
        _ => {
            if input.is_empty() || input.peek(Token![,]) {
                let message = format!(
                    "argument `{ident}` needs a value, such as `{}`",
                    key.example
                );
                return Err(syn::Error::new(ident.span(), message));
            }
            input.parse::<Token![=]>()?;
            parse_value(input, key)?
        }
    };
    args.0.push((ident, key.name, value));
    Ok(())
}

fn unknown(ident: &Ident, keys: &[Key]) -> String {
    let names = || keys.iter().map(|key| key.name);
    match nearest(&ident.to_string(), names()) {
        Some(near) => format!("unknown argument `{ident}`; did you mean `{near}`?"),
        None => format!(
            "unknown argument `{ident}`; expected one of {}",
            listed(names())
        ),
    }
}

fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn parse_value(input: ParseStream<'_>, key: &Key) -> syn::Result<Value> {
    if let Kind::Path = key.kind {
        return input.call(Path::parse_mod_style).map(Value::Path);
    }
    let expr: Expr = input.parse()?;
    let wrong = |what: &str| {
        let message = format!(
            "expected {what} for `{}`, such as `{}`",
            key.name, key.example
        );
        syn::Error::new(expr.span(), message)
    };
    match (&key.kind, literal(&expr)) {
        (Kind::Text, Some(Lit::Str(_)) | None) => Ok(Value::Expr(expr)),
        (Kind::Text, _) => Err(wrong("a string")),
        (Kind::Flag, Some(Lit::Bool(_)) | None) => Ok(Value::Expr(expr)),
        (Kind::Flag, _) => Err(wrong("`true` or `false`")),
        (Kind::Number, Some(Lit::Int(_)) | None) => Ok(Value::Expr(expr)),
        (Kind::Number, _) => Err(wrong("a number")),
        (Kind::Word(words) | Kind::WordOrExpr(words), Some(Lit::Str(word))) => {
            parse_word(word, words, key)
        }
        (Kind::Word(_), _) => Err(wrong("a string")),
        (Kind::WordOrExpr(_), None) => Ok(Value::Expr(expr)),
        (Kind::WordOrExpr(_), _) => Err(wrong("a word or a logger")),
        (Kind::Names, Some(Lit::Str(names))) => Ok(Value::Names(names.value())),
        (Kind::Names, _) => parse_list(&expr).ok_or_else(|| wrong("a string or a list of strings")),
        (Kind::Timeout, Some(Lit::Int(_))) => Ok(Value::Millis(expr)),
        (Kind::Timeout, None) => Ok(Value::Expr(expr)),
        (Kind::Timeout, _) => Err(wrong("milliseconds or a `Duration`")),
        (Kind::Path | Kind::Fields, _) => Err(wrong("a path")),
    }
}

fn parse_word(word: &LitStr, words: &[&str], key: &Key) -> syn::Result<Value> {
    let given = word.value();
    if let Some(known) = words
        .iter()
        .find(|known| known.eq_ignore_ascii_case(&given))
    {
        return Ok(Value::Word(LitStr::new(known, word.span())));
    }
    let known = || words.iter().copied();
    let message = match nearest(&given, known()) {
        Some(near) => format!(
            "unknown value `{given}` for `{}`; did you mean `{near}`?",
            key.name
        ),
        None => format!(
            "unknown value `{given}` for `{}`; expected one of {}",
            key.name,
            listed(known())
        ),
    };
    Err(syn::Error::new(word.span(), message))
}

/// `["a", "b"]` as `a,b`.
fn parse_list(expr: &Expr) -> Option<Value> {
    let Expr::Array(list) = expr else { return None };
    let names: Option<Vec<_>> = (list.elems.iter())
        .map(|element| match literal(element) {
            Some(Lit::Str(name)) => Some(name.value()),
            _ => None,
        })
        .collect();
    names.map(|names| Value::Names(names.join(",")))
}

fn literal(expr: &Expr) -> Option<&Lit> {
    match expr {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        _ => None,
    }
}

fn parse_fields(input: ParseStream<'_>, ident: &Ident, key: &Key) -> syn::Result<Value> {
    if !input.peek(syn::token::Paren) {
        let message = format!("argument `{ident}` needs a list, such as `{}`", key.example);
        return Err(syn::Error::new(ident.span(), message));
    }
    let list;
    syn::parenthesized!(list in input);
    let fields = Punctuated::<Field, Token![,]>::parse_terminated_with(&list, parse_field)?;
    Ok(Value::Fields(fields.into_iter().collect()))
}

fn parse_field(input: ParseStream<'_>) -> syn::Result<Field> {
    let key =
        Punctuated::<Ident, Token![.]>::parse_separated_nonempty_with(input, Ident::parse_any)?;
    let words: Vec<_> = key.iter().map(|ident| ident.unraw().to_string()).collect();
    let value = if input.parse::<Option<Token![=]>>()?.is_some() {
        input.parse()?
    } else {
        // A name alone is the variable of that name.
        syn::parse2(quote_idents(&key))?
    };
    Ok(Field {
        key: words.join("."),
        value,
    })
}

fn quote_idents(key: &Punctuated<Ident, Token![.]>) -> TokenStream {
    use quote::ToTokens;
    key.to_token_stream()
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
