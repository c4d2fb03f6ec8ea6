use super::*;
use serde::Serialize;
use std::collections::BTreeMap;

fn made(value: &(impl Serialize + 'static)) -> AnyValue {
    let redact = Redact::default();
    any_value(&Value::from_serde(value), &redact)
        .unwrap()
        .unwrap()
}

fn map(pairs: &[(&'static str, AnyValue)]) -> AnyValue {
    let pairs = pairs
        .iter()
        .map(|(key, value)| ((*key).into(), value.clone()));
    AnyValue::Map(Box::new(pairs.collect()))
}

fn list(values: Vec<AnyValue>) -> AnyValue {
    AnyValue::ListAny(Box::new(values))
}

// https://github.com/open-telemetry/opentelemetry-python/issues/3466 (KV-02)
#[test]
fn lists_and_maps_keep_their_structure_and_types() {
    assert_eq!(made(&[1_u8, 2]), list(vec![1.into(), 2.into()]));
    assert_eq!(made(&Vec::<u8>::new()), list(vec![]));
    assert_eq!(
        made(&(1, "a", 0.5, None::<u8>, u64::MAX)),
        list(vec![
            1.into(),
            "a".into(),
            0.5.into(),
            "null".into(),
            u64::MAX.to_string().into()
        ])
    );
    assert_eq!(
        made(&BTreeMap::from([(1, true), (2, false)])),
        map(&[("1", true.into()), ("2", false.into())])
    );
}

#[test]
fn what_is_deep_or_large_is_cut_and_marked() {
    #[derive(Serialize)]
    struct Nested(Option<Box<Nested>>, u8);
    let mut nested = Nested(None, 0);
    for depth in 1..50 {
        nested = Nested(Some(Box::new(nested)), depth);
    }
    let text = format!("{:?}", made(&nested));
    assert!(text.matches("ListAny").count() <= DEPTH, "{text}");
    assert!(text.contains(CUT));
    let AnyValue::ListAny(long) = made(&vec![7; 5_000]) else {
        panic!("a list stays one");
    };
    assert_eq!((long.len(), long.last()), (VALUES + 1, Some(&CUT.into())));
}

#[test]
fn a_secret_in_a_map_stays_in_it() {
    assert_eq!(
        made(&BTreeMap::from([("password", "hunter2"), ("user", "ann")])),
        map(&[("password", REDACTED.into()), ("user", "ann".into())])
    );
}

#[test]
fn a_display_that_fails_costs_itself_only() {
    struct Fails;
    impl fmt::Display for Fails {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("half")?;
            Err(fmt::Error)
        }
    }
    let value = any_value(&Value::from_display(&Fails), &Redact::default());
    assert_eq!(value, Some(Some("half<format error>".into())));
}

#[test]
fn a_long_chain_of_single_values_is_cut() {
    #[derive(Serialize)]
    struct Link(Option<Box<Link>>);
    let mut chain = Link(None);
    for _ in 0..1_000 {
        chain = Link(Some(Box::new(chain)));
    }
    assert_eq!(made(&chain), CUT.into());
    // Dropped by hand: the chain's own drop goes as deep as it is long.
    while let Some(next) = chain.0.take() {
        chain = *next;
    }
}
