//! Whatever stands in the environment, settings are settled, and no secret is shown.

use std::collections::HashMap;
use std::ffi::OsString;

use proptest::prelude::*;

use super::*;
use crate::config::settings::known;

const CANARY: &str = "SECRETCANARY";

/// Everything that a person or a line on stderr could see.
fn shown(env: &[(String, String)]) -> String {
    let env = Env::from_iter(env.iter().cloned());
    let (config, _, notices) = resolve(&mut Builder::new().logs(true), &env);
    format!("{notices:?} {:?} {config:?}", config.unknown)
}

/// What is in effect.
#[cfg(unix)]
fn settled(env: &Env) -> Vec<String> {
    let (config, ..) = resolve(&mut Builder::new().logs(true), env);
    let shown = |settled: &Settled| format!("{}={}", settled.name, settled.value);
    config.settled.iter().map(shown).collect()
}

/// Words that are often there, and anything else.
fn value() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "",
        " ",
        "true",
        "0",
        "-1",
        "1.5",
        "none",
        "otlp,console",
        "http://",
        "https://[::1]:4318/x?y#z",
        "unix://",
        "grpc",
        "a=b,c=%zz",
        "a=%41,b",
        "parentbased_traceidratio",
        "NaN",
        "0-3,last",
        "warn,a::b=debug,=,",
        "file:",
        "file:/tmp/x",
        "\u{0}",
        "żółć",
    ];
    prop_oneof![
        proptest::sample::select(WORDS).prop_map(str::to_owned),
        any::<String>()
    ]
}

proptest! {
    #[test]
    fn every_value_of_every_variable_can_be_settled(
        values in proptest::collection::vec((any::<prop::sample::Index>(), value()), 0..12)
    ) {
        let known: Vec<_> = known().collect();
        let env = values.into_iter().map(|(at, value)| (at.get(&known).clone(), value));
        shown(&env.collect::<Vec<_>>());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_text_is_as_good_as_unset(
        values in proptest::collection::vec((any::<prop::sample::Index>(), any::<Vec<u8>>()), 1..12),
        unknown in proptest::collection::vec((any::<Vec<u8>>(), any::<Vec<u8>>()), 0..4)
    ) {
        use std::os::unix::ffi::OsStringExt as _;
        let known: Vec<_> = known().collect();
        let values = values.into_iter().map(|(at, value)| (at.get(&known).clone().into_bytes(), value));
        let vars: HashMap<_, _> = values.chain(unknown).collect();
        let of_bytes = |(name, value)| (OsString::from_vec(name), OsString::from_vec(value));
        let all = Env::of_system(vars.clone().into_iter().map(of_bytes));
        let is_text = |(name, value): &(Vec<u8>, Vec<u8>)| {
            [name, value].iter().all(|bytes| std::str::from_utf8(bytes).is_ok())
        };
        let readable = Env::of_system(vars.into_iter().filter(is_text).map(of_bytes));
        prop_assert_eq!(settled(&all), settled(&readable));
    }

    #[test]
    fn what_stands_before_the_host_of_an_endpoint_is_never_shown(
        scheme in "(http|https|ftp|unix|)(://|:|)", user in "[a-z%@:/?]{0,6}", host in "[a-z0-9.:\\[\\]/?#]{0,12}"
    ) {
        let url = format!("{scheme}{user}:{CANARY}@{host}");
        // There it is the path of a socket.
        prop_assume!(!url.starts_with("unix:///"));
        let names = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"];
        let shown = shown(&names.map(|name| (name.to_owned(), url.clone())));
        prop_assert!(!shown.contains(CANARY), "{url}: {shown}");
    }

    #[test]
    fn no_value_of_a_header_is_ever_shown(before in "[a-z=,% ]{0,8}", after in "[a-z=,%;\"\\r\\n ü]{0,8}") {
        let headers = format!("{before}=Bearer {CANARY}{after}");
        let shown = shown(&[("OTEL_EXPORTER_OTLP_HEADERS".to_owned(), headers.clone())]);
        prop_assert!(!shown.contains(CANARY), "{headers:?}: {shown}");
    }
}
