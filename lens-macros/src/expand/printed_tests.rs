//! What is printed, held against `EXPANSIONS.md`: calls, in at most fifteen lines, with the
//! body in them once.
//!
//! `BLESS=1 cargo test -p lens-macros` writes the file anew.

use std::fmt::Write;

use proc_macro2::TokenStream;

use super::{bridge, main, metric, record, span, test, trace};
use crate::model;
use crate::parse::{Errors, parse_metric, parse_record, parse_span};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/EXPANSIONS.md");

/// The user's own lines, of which an item has at most one more than the expansion may have.
const BODY: &str = "body()";

const ITEMS: &[&str] = &[
    r#"#[lens::main(logs = true, level = "info", shutdown_timeout = 500)]
fn main() -> Result<(), Error> { body() }"#,
    r#"#[lens::main(logs = true)]
fn main() -> ! { body() }"#,
    r#"#[lens::main(logs = true)]
#[tokio::main]
async fn main() { body() }"#,
    r#"#[lens::main(root_span = "job")]
fn main() { let main = async { body() }; runtime.block_on(main) }"#,
    r#"#[lens::trace(name = "train.step", group = "step", fields(iteration = i))]
fn step(i: u64, mut model: Model) -> Result<(), Error> { body() }"#,
    r#"#[lens::trace(kind = "server")]
fn serve(request: Request) -> u16 { body() }"#,
    r#"#[lens::trace]
async fn load(&self, mut text: &str) -> Result<impl Debug, Error> { body() }"#,
    r#"#[lens::trace]
fn load(&self) -> impl Future<Output = Result<u8, Error>> + Send { body() }"#,
    r#"#[lens::trace]
fn load(&self) -> Pin<Box<dyn Future<Output = u8> + Send + '_>> { body() }"#,
    r#"#[lens::trace(group = "io", skip(len))]
impl Model { fn load(&self) { body() } fn len(&self) -> u8 { body() } const fn size() -> u8 { 1 } }"#,
    r#"#[lens_testkit::test(level = "debug")]
async fn a_test(cap: Capture) -> Result<(), Error> { body() }"#,
    r#"#[lens::bridge(level = "debug", max_per_second = 100)]
mod optimizer { fn step() { body() } }"#,
    r#"lens::span!("evaluate", group = "evaluate", dataset = "mmlu", shots)"#,
    r#"lens::span!("process", kind = "consumer", parent = lens::extract(&headers), links = [batch])"#,
    r#"lens::record!(loss = a + b, model:?)"#,
    r#"lens::counter!("train.tokens", tokens, unit = "{token}", optimizer = "sgd", rank)"#,
    r#"lens::gauge!("queue.depth", move || queue.len())"#,
];

/// The item as the macro in front of it prints it.
fn printed(item: &str) -> String {
    let mut errors = Errors::default();
    let call = |start: &str| {
        let tokens = item.strip_prefix(start)?.strip_suffix(')')?;
        Some(
            format!("::lens; {tokens}")
                .parse::<TokenStream>()
                .expect("tokens"),
        )
    };
    let metric_of = |start: &str, kind: &str| {
        let tokens = item.strip_prefix(start)?.strip_suffix(')')?;
        format!("::lens; {kind}; {tokens}")
            .parse::<TokenStream>()
            .ok()
    };
    let measured = metric_of("lens::counter!(", "Counter");
    let measured = measured.or_else(|| metric_of("lens::gauge!(", "Gauge"));
    let printed = if let Some(tokens) = measured {
        in_function(metric(parse_metric(tokens, &mut errors)))
    } else if let Some(tokens) = call("lens::span!(") {
        in_function(span(parse_span(tokens, &mut errors)))
    } else if let Some(tokens) = call("lens::record!(") {
        in_function(record(parse_record(tokens, &mut errors)))
    } else {
        let (attribute, item) = item.split_once('\n').expect("an attribute and its item");
        let attribute = attribute.trim_start_matches("#[").trim_end_matches(']');
        let (name, arguments) = attribute.split_once('(').unwrap_or((attribute, ")"));
        let arguments = arguments.strip_suffix(')').expect("a parenthesis");
        let arguments = arguments.parse().expect("arguments");
        let item = item.parse().expect("an item");
        let printed = match name {
            "lens::bridge" => model::bridge(arguments, item, &mut errors).map(bridge),
            "lens::main" => model::main(arguments, item, &mut errors).map(main),
            "lens::trace" => model::trace(arguments, item, &mut errors).map(trace),
            _ => model::test(arguments, item, &mut errors).map(test),
        };
        printed.expect("it is legal")
    };
    assert!(errors.into_tokens().is_empty(), "{item}");
    prettyplease::unparse(&syn::parse2(printed).expect("it is an item"))
}

fn in_function(expression: TokenStream) -> TokenStream {
    quote::quote!(fn around() { #expression })
}

#[test]
fn what_is_printed_is_calls_as_the_file_shows_them() {
    let mut text =
        "# What the macros print\n\nHeld against the macros by their tests.\n".to_owned();
    for item in ITEMS {
        let printed = printed(item);
        let bodies = item.matches(BODY).count();
        assert_eq!(
            printed.matches(BODY).count(),
            bodies,
            "the body once\n{printed}"
        );
        let lines = printed.lines().count();
        assert!(lines <= 15, "{lines} lines\n{printed}");
        assert!(
            !printed.contains(" if ") && !printed.contains("match "),
            "no branch\n{printed}"
        );
        writeln!(
            text,
            "\n```rust\n{item}\n```\n\nbecomes\n\n```rust\n{printed}```"
        )
        .expect("a text");
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(FILE, &text).expect("the file can be written");
    }
    let file = std::fs::read_to_string(FILE).expect("the file is there");
    assert!(
        file == text,
        "EXPANSIONS.md differs; BLESS=1 writes it anew\n{text}"
    );
}

#[test]
fn main_without_the_sdk_says_which_feature_it_needs() {
    let mut errors = Errors::default();
    let model = model::main_without_sdk(TokenStream::new(), TokenStream::new(), &mut errors);
    assert!(model.is_none());
    assert!(
        errors
            .into_tokens()
            .to_string()
            .contains("needs the feature `sdk` of lens")
    );
}
