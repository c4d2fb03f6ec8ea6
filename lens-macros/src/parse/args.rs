//! The arguments of an attribute, checked against its table of keys.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, LitStr, Path, Token};

use super::Errors;
use super::field::{Field, parse_field};
use super::key::{Key, Kind};
use super::near::nearest;

/// The arguments that were understood, in the order given.
#[derive(Default)]
pub(crate) struct Args(Vec<(Ident, &'static str, Value)>);

/// A value of the right kind.
pub(crate) enum Value {
    Expr(Expr),
    Word(LitStr),
    Names(String),
    Millis(Expr),
    Path(Path),
    Fields(Vec<Field>),
    Idents(Vec<Ident>),
    Switch(bool),
    Part(f64),
}

impl Args {
    /// The arguments with their keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Ident, &Value)> {
        self.0.iter().map(|(ident, _, value)| (ident, value))
    }

    /// The key of the argument called `name`, where it stands.
    pub(crate) fn key(&self, name: &str) -> Option<&Ident> {
        let mut args = self.0.iter();
        args.find(|(_, known, _)| *known == name)
            .map(|(key, ..)| key)
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
    let mut args = Args::default();
    parse_list(tokens, errors, |input, errors| {
        parse_arg(input, keys, &mut args, errors)
    });
    args
}

/// Parses one after another with commas between them, and goes on behind a mistake.
pub(super) fn parse_list(
    tokens: TokenStream,
    errors: &mut Errors,
    mut parse_one: impl FnMut(ParseStream<'_>, &mut Errors) -> syn::Result<()>,
) {
    let parse = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if let Err(error) = parse_one(input, errors) {
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
}

pub(super) fn parse_arg(
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
        Kind::Fields => Value::Fields(parse_parenthesized(input, &ident, key, parse_field)?),
        Kind::Bare if input.is_empty() || input.peek(Token![,]) => Value::Switch(true),
        Kind::Bare => {
            let message = format!("argument `{ident}` takes no value; write `{}`", key.example);
            return Err(syn::Error::new(ident.span(), message));
        }
        Kind::Idents => Value::Idents(parse_parenthesized(input, &ident, key, Ident::parse_any)?),
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
        (Kind::Flag | Kind::FlagOrExpr(_), Some(Lit::Bool(_)) | None) => Ok(Value::Expr(expr)),
        (Kind::Flag, _) => Err(wrong("`true` or `false`")),
        (Kind::FlagOrExpr(other), _) => Err(wrong(&format!("`true`, `false` or {other}"))),
        (Kind::Switch, Some(Lit::Bool(switch))) => Ok(Value::Switch(switch.value)),
        (Kind::Switch, _) => Err(wrong("`true` or `false`")),
        (Kind::Number, Some(Lit::Int(_)) | None) => Ok(Value::Expr(expr)),
        (Kind::Number, _) => Err(wrong("a number")),
        (Kind::Word(words) | Kind::WordOrExpr(words, _), Some(Lit::Str(word))) => {
            parse_word(word, words, key)
        }
        (Kind::Words(words), Some(Lit::Str(list))) => parse_words(list, words, key),
        (Kind::Word(_) | Kind::Words(_), _) => Err(wrong("a string")),
        (Kind::WordOrExpr(..), None) => Ok(Value::Expr(expr)),
        (Kind::WordOrExpr(_, other), _) => Err(wrong(&format!("a word or {other}"))),
        (Kind::Names, Some(Lit::Str(names))) => Ok(Value::Names(names.value())),
        (Kind::Names, _) => {
            parse_names(&expr).ok_or_else(|| wrong("a string or a list of strings"))
        }
        (Kind::Timeout, Some(Lit::Int(_))) => Ok(Value::Millis(expr)),
        (Kind::Timeout, None) => Ok(Value::Expr(expr)),
        (Kind::Timeout, _) => Err(wrong("milliseconds or a `Duration`")),
        (Kind::Count, Some(Lit::Int(number))) if number.base10_parse::<u32>().is_ok() => {
            Ok(Value::Expr(expr))
        }
        (Kind::Count, _) => Err(wrong("a number")),
        (Kind::Part, Some(Lit::Int(number))) if matches!(number.base10_parse(), Ok(0_u8 | 1)) => {
            Ok(Value::Part(number.base10_parse()?))
        }
        (Kind::Part, Some(Lit::Float(part)))
            if (part.base10_parse::<f64>()).is_ok_and(|part| (0.0..=1.0).contains(&part)) =>
        {
            Ok(Value::Part(part.base10_parse()?))
        }
        (Kind::Part, _) => Err(wrong("a number from 0 to 1")),
        (Kind::Expr, _) => Ok(Value::Expr(expr)),
        (Kind::Path | Kind::Fields | Kind::Idents | Kind::Bare, _) => Err(wrong("a path")),
    }
}

fn parse_word(word: &LitStr, words: &[&str], key: &Key) -> syn::Result<Value> {
    let given = word.value();
    for known in words {
        if known.eq_ignore_ascii_case(&given) {
            return Ok(Value::Word(LitStr::new(known, word.span())));
        }
        if let (Some((kind, _)), Some((given, rest))) =
            (known.split_once(':'), given.split_once(':'))
            && kind.eq_ignore_ascii_case(given)
            && !rest.is_empty()
        {
            return Ok(Value::Word(word.clone()));
        }
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

/// Words with commas between them.
fn parse_words(list: &LitStr, words: &[&str], key: &Key) -> syn::Result<Value> {
    let given = list.value();
    for word in given.split(',') {
        parse_word(&LitStr::new(word.trim(), list.span()), words, key)?;
    }
    Ok(Value::Word(list.clone()))
}

/// `["a", "b"]` as `a,b`.
fn parse_names(expr: &Expr) -> Option<Value> {
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
        // What a user's own `macro_rules!` passed on.
        Expr::Group(group) => literal(&group.expr),
        _ => None,
    }
}

fn parse_parenthesized<T>(
    input: ParseStream<'_>,
    ident: &Ident,
    key: &Key,
    parse_one: fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    if !input.peek(syn::token::Paren) {
        let message = format!("argument `{ident}` needs a list, such as `{}`", key.example);
        return Err(syn::Error::new(ident.span(), message));
    }
    let list;
    syn::parenthesized!(list in input);
    match Punctuated::<T, Token![,]>::parse_terminated_with(&list, parse_one) {
        Ok(parsed) => Ok(parsed.into_iter().collect()),
        Err(error) => {
            // The rest is of no interest, and would be another mistake.
            list.parse::<TokenStream>()?;
            Err(error)
        }
    }
}

/// Leaves out what is left of something that is wrong.
pub(super) fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
