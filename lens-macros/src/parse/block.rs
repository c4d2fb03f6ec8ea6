//! The functions in an `impl`, a `trait` or an inline module; their bodies stay tokens.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Visibility};

/// An item that holds functions.
pub(crate) struct Block {
    /// What kind of item it is.
    pub(crate) keyword: String,
    /// Everything before the braces.
    pub(crate) head: TokenStream,
    /// What stands at the top of the braces.
    pub(crate) inner_attrs: Vec<Attribute>,
    pub(crate) items: Vec<Item>,
    pub(crate) braces: Span,
}

/// An item of a block.
pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    /// Everything behind the attributes.
    pub(crate) tokens: TokenStream,
    pub(crate) kind: ItemKind,
}

pub(crate) enum ItemKind {
    /// A function with a body.
    Function(Ident),
    /// An item that holds functions, by its keyword.
    Block(String),
    Other,
}

/// Parses the item, if it is one that holds functions.
pub(crate) fn parse_block(item: TokenStream) -> Option<Block> {
    let parse = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        let item = parse_item(input, attrs)?;
        Ok((item, input.parse::<TokenStream>()?))
    };
    let (item, _) = parse.parse2(item).ok()?;
    let ItemKind::Block(keyword) = item.kind else {
        return None;
    };
    let mut head: Vec<TokenTree> = item.tokens.into_iter().collect();
    let Some(TokenTree::Group(braces)) = head.pop() else {
        return None;
    };
    let parse = |input: ParseStream<'_>| {
        let inner_attrs = input.call(Attribute::parse_inner)?;
        let mut items = Vec::new();
        parse_items(input, &mut items)?;
        Ok((inner_attrs, items))
    };
    let (inner_attrs, items) = parse.parse2(braces.stream()).ok()?;
    let attrs = item
        .attrs
        .into_iter()
        .map(quote::ToTokens::into_token_stream);
    Some(Block {
        keyword,
        head: attrs.chain([head.into_iter().collect()]).collect(),
        inner_attrs,
        items,
        braces: braces.span(),
    })
}

fn parse_items(input: ParseStream<'_>, items: &mut Vec<Item>) -> syn::Result<()> {
    while !input.is_empty() {
        // Items that a user's own `macro_rules!` passed on are in invisible groups.
        let group = input.step(|cursor| match cursor.group(Delimiter::None) {
            Some((inside, _, after)) => Ok((Some(inside.token_stream()), after)),
            None => Ok((None, *cursor)),
        })?;
        if let Some(group) = group {
            let parse = |input: ParseStream<'_>| parse_items(input, items);
            parse.parse2(group)?;
        } else {
            let attrs = input.call(Attribute::parse_outer)?;
            items.push(parse_item(input, attrs)?);
        }
    }
    Ok(())
}

/// The names of all functions in `tokens`, however deep.
pub(crate) fn functions(tokens: TokenStream) -> Vec<String> {
    let (mut names, mut after_fn) = (Vec::new(), false);
    for token in tokens {
        match token {
            TokenTree::Group(group) => names.extend(functions(group.stream())),
            TokenTree::Ident(ident) if after_fn => names.push(ident.to_string()),
            TokenTree::Ident(ident) => {
                after_fn = ident == "fn";
                continue;
            }
            _ => {}
        }
        after_fn = false;
    }
    names
}

/// Takes the tokens of one item, and what they are.
fn parse_item(input: ParseStream<'_>, attrs: Vec<Attribute>) -> syn::Result<Item> {
    let (word, name) = keyword(input);
    let mut tokens = Tokens::default();
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let ends = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            // The value of a constant may have braces.
            TokenTree::Group(group) => {
                group.delimiter() == Delimiter::Brace
                    && tokens.depth == 0
                    && !matches!(word.as_str(), "const" | "static" | "type" | "use")
            }
            _ => false,
        };
        tokens.push(token);
        if ends {
            break;
        }
    }
    let has_braces = matches!(&tokens.last, Some(group) if group.delimiter() == Delimiter::Brace);
    let kind = match (word.as_str(), name) {
        ("fn", Some(name)) if has_braces => ItemKind::Function(name),
        ("impl" | "mod" | "trait", _) if has_braces => ItemKind::Block(word),
        _ => ItemKind::Other,
    };
    Ok(Item {
        attrs,
        tokens: tokens.all,
        kind,
    })
}

/// The tokens of an item, and how deep in `<…>` the last one is.
#[derive(Default)]
struct Tokens {
    all: TokenStream,
    depth: usize,
    last: Option<Group>,
    before: Option<char>,
}

impl Tokens {
    fn push(&mut self, token: TokenTree) {
        let punct = match &token {
            TokenTree::Punct(punct) => Some(punct.as_char()),
            _ => None,
        };
        match punct {
            Some('<') => self.depth += 1,
            // Not that of an arrow.
            Some('>') if !matches!(self.before, Some('-' | '=')) => {
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
        self.before = punct;
        self.last = match &token {
            TokenTree::Group(group) => Some(group.clone()),
            _ => None,
        };
        self.all.extend([token]);
    }
}

/// The word that tells what kind of item begins here, and the name behind it.
///
/// `const` of a constant, not of a `const fn`.
fn keyword(input: ParseStream<'_>) -> (String, Option<Ident>) {
    let input = input.fork();
    let _ = input.parse::<Visibility>();
    let mut first = None;
    let mut is_const = false;
    while let Ok(ident) = input.call(Ident::parse_any) {
        let word = ident.to_string();
        match word.as_str() {
            "fn" if is_const => return ("const fn".to_owned(), None),
            "fn" => return (word, input.call(Ident::parse_any).ok()),
            "const" => is_const = true,
            "async" | "unsafe" | "safe" | "default" | "auto" => {}
            "extern" => _ = input.parse::<syn::LitStr>(),
            _ if is_const => return ("const".to_owned(), None),
            _ => return (word, None),
        }
        first = first.or(Some(word));
    }
    (first.unwrap_or_default(), None)
}
