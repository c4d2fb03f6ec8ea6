use log::LevelFilter;
use proptest::prelude::*;

use super::*;

const PAGE: &str = include_str!("../../docs/which-records-leave.md");

fn scopes(text: &str) -> Vec<Settings> {
    let texts = text.split(',').filter(|text| !text.is_empty());
    let scope = |text: &str| {
        let (module, level) = text.split_once('=').unwrap_or((text, ""));
        Settings {
            module: module.to_owned().leak(),
            level: match level {
                "" => None,
                "off" => Some(Level::Off),
                "error" => Some(Level::Error),
                "debug" => Some(Level::Debug),
                "trace" => Some(Level::Trace),
                other => panic!("no test has {other}"),
            },
            max_per_second: None,
            sample: None,
        }
    };
    texts.map(scope).collect()
}

fn filter(level: &str, logger: &str, code: &str, scope: &str, top: &str) -> Filter {
    let level = parse_level(level).unwrap();
    let mut filter = Filter::new(level, &parse_names(logger, ""), "").with_scopes(scopes(scope));
    assert_eq!(filter.set_code(code), [""; 0]);
    assert_eq!(filter.set_top(top), [""; 0]);
    filter
}

#[test]
fn records_leave_as_the_page_says() {
    let rows: Vec<Vec<_>> = (PAGE.lines())
        .filter(|line| line.starts_with('|'))
        .map(|line| {
            let cells = line.trim_matches('|').split('|');
            cells.map(|cell| cell.trim().trim_matches('`')).collect()
        })
        .skip(2)
        .collect();
    assert!(rows.len() >= 40);
    for row in rows {
        let [level, logger, code, scope, top, target, module, expected] = row[..] else {
            panic!("a row has eight cells: {row:?}");
        };
        let table = filter(level, logger, code, scope, top).table();
        let expected = parse_level(expected).unwrap();
        let decision = table.decide(target, Some(module));
        assert_eq!(decision.level, expected, "{row:?}");
        assert!(table.max_level() >= expected, "{row:?}");
    }
}

// https://github.com/tokio-rs/tracing/issues/3539 (FIL-01)
#[test]
fn a_logger_covers_itself_and_its_children_only() {
    for logger in ["megatron.training", "megatron::training"] {
        let table = filter("info", logger, "", "", "").table();
        for (target, expected) in [
            ("megatron::training", LevelFilter::Info),
            ("megatron::training::loop_", LevelFilter::Info),
            ("megatron.training", LevelFilter::Info),
            ("megatron.training.optim", LevelFilter::Info),
            ("megatron::training_utils", LevelFilter::Off),
            ("megatron::trainingx", LevelFilter::Off),
            ("megatron", LevelFilter::Off),
            ("", LevelFilter::Off),
        ] {
            assert_eq!(table.decide(target, None).level, expected, "{target}");
        }
    }
}

#[test]
fn what_is_no_directive_is_told_and_left_out() {
    let mut filter = filter("info", "", "", "", "");
    assert_eq!(
        filter.set_top("a=loud,=debug,b=warn,"),
        ["a=loud", "=debug"]
    );
    assert_eq!(filter.table().max_level(), LevelFilter::Info);
    assert_eq!(filter.table().decide("b", None).level, LevelFilter::Warn);
}

#[test]
fn the_scope_with_the_longest_path_limits() {
    let limited = |module, max_per_second| Settings {
        module,
        level: None,
        max_per_second,
        sample: None,
    };
    let scopes = vec![
        limited("a", Some(1)),
        limited("a::b", Some(2)),
        limited("a::b::c", None),
    ];
    let table = filter("info", "", "", "", "").with_scopes(scopes).table();
    for (target, module, limit) in [
        ("a::x", "a::x", Some(0)),
        ("a::b::c", "a::b::c", Some(1)),
        ("pool", "a::b", Some(1)),
        ("pool", "x", None),
        ("ab", "ab", None),
    ] {
        assert_eq!(table.decide(target, Some(module)).limit, limit, "{target}");
    }
}

/// What the page says, word for word and slowly.
fn by_the_page(filter: &Filter, target: &str, module: &str) -> LevelFilter {
    let normal = |name: &str| name.replace("::", ".").replace('-', "_");
    let covers = |path: &str, name: &str| {
        path.is_empty() || name == path || name.starts_with(&format!("{path}."))
    };
    let text = |directive: &Directive| String::from_utf8(directive.path.clone()).unwrap();
    let directives = |list: &[Directive], rank: usize| -> Vec<_> {
        list.iter().map(|d| (text(d), rank, d.level)).collect()
    };
    let leveled = filter
        .scopes
        .iter()
        .filter_map(|scope| Some((normal(scope.module), 2, scope.level?.into())));
    let mut scopes: Vec<_> = leveled.collect();
    let all = |scopes: &[(String, usize, LevelFilter)]| {
        let mut all = directives(&filter.base, 0);
        all.extend(directives(&filter.code, 1));
        all.extend_from_slice(scopes);
        all.extend(directives(&filter.top, 3));
        all
    };
    let deciding = |list: &[(String, usize, LevelFilter)], name: &str| {
        let covering = list
            .iter()
            .enumerate()
            .filter(|(_, (path, ..))| covers(path, name));
        // Later in a text counts, hence the index.
        covering
            .max_by_key(|(index, (path, rank, _))| (path.len(), *rank, *index))
            .map(|(_, d)| d.clone())
    };
    let without = all(&scopes);
    for scope in filter.scopes.iter().filter(|scope| scope.level.is_none()) {
        let (path, ..) = deciding(&without, &normal(scope.module)).unwrap();
        // The base alone says something of everything, and it is `logger` that does.
        let has_loggers = filter.base.len() > 1;
        let roots = without.iter().filter(|(path, ..)| path.is_empty()).count();
        if path.is_empty() && has_loggers && roots == 1 {
            scopes.push((normal(scope.module), 2, filter.level));
        }
    }
    let (path, _, level) = deciding(&all(&scopes), &normal(target)).unwrap();
    match deciding(&scopes, &normal(module)) {
        Some((_, _, by_module)) if path.is_empty() => by_module,
        _ => level,
    }
}

fn name() -> impl Strategy<Value = String> {
    let part = prop_oneof![Just("a"), Just("b"), Just("ab"), Just("a_b"), Just("a-b")];
    let parts = proptest::collection::vec(part, 1..4);
    (parts, prop_oneof![Just("::"), Just(".")]).prop_map(|(parts, between)| parts.join(between))
}

fn directives() -> impl Strategy<Value = String> {
    let level = prop_oneof![Just("off"), Just("error"), Just("debug"), Just("trace")];
    let one = prop_oneof![
        level.clone().prop_map(str::to_owned),
        (name(), level).prop_map(|(name, level)| format!("{name}={level}")),
        name(),
    ];
    proptest::collection::vec(one, 0..4).prop_map(|all| all.join(","))
}

/// Of one module there is one scope.
fn declared() -> impl Strategy<Value = String> {
    let level = prop_oneof![Just(""), Just("=off"), Just("=debug"), Just("=trace")];
    let scopes = proptest::collection::btree_map(name(), level, 0..4);
    scopes.prop_map(|scopes| {
        let normal = |name: &str| name.replace("::", ".").replace('-', "_");
        let mut seen = std::collections::HashSet::new();
        let all = scopes
            .into_iter()
            .filter(|(name, _)| seen.insert(normal(name)));
        let all: Vec<_> = all.map(|(name, level)| format!("{name}{level}")).collect();
        all.join(",")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn the_table_decides_like_the_page_whatever_was_said(
        logger in prop_oneof![Just(String::new()), name()],
        code in directives(),
        scope in declared(),
        top in directives(),
        target in name(),
        module in name(),
    ) {
        let filter = filter("info", &logger, &code, &scope, &top);
        let found = filter.table().decide(&target, Some(&module)).level;
        prop_assert_eq!(found, by_the_page(&filter, &target, &module));
        prop_assert!(found <= filter.table().max_level());
    }

    #[test]
    fn any_text_is_directives_or_told(text in "\\PC*", target in "\\PC*") {
        let mut filter = Filter::new(LevelFilter::Info, &[], "crate_root");
        let bad = filter.set_top(&text);
        let pieces: Vec<_> = text.split(',').map(str::trim).filter(|text| !text.is_empty()).collect();
        prop_assert!(bad.iter().all(|bad| pieces.contains(bad)));
        prop_assert_eq!(filter.top.len() + bad.len(), pieces.len());
        filter.table().decide(&target, Some(&text));
    }
}
