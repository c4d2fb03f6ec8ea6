//! The laws of the house that a compiler does not know, checked on the source.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

const CODE: [&str; 6] = [
    "lens/src",
    "lens-macros/src",
    "lens-testkit/src",
    "examples",
    "tests/process",
    "tests/programs",
];

/// A source file: its path from the root, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The lines of code: no comments, no unit tests at the end of the file.
    fn code(&self) -> impl Iterator<Item = &str> {
        let code = self
            .text
            .split("\n#[cfg(test)]\n")
            .next()
            .unwrap_or_default();
        code.lines()
            .filter(|line| !line.trim_start().starts_with("//"))
    }

    fn has(&self, pattern: &str) -> bool {
        self.code().any(|line| line.contains(pattern))
    }
}

/// The Rust files below a folder, without the unit tests that have a file of their own.
fn sources(folder: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a text");
                let path = path.strip_prefix(root()).expect("below the root");
                let path = path.to_string_lossy().into_owned();
                if !path.ends_with("_tests.rs") {
                    found.push(Source { path, text });
                }
            }
        }
    }
    assert!(found.len() > 3, "{folder} has sources");
    found
}

/// Fails with every file outside of `rooms` that has `pattern` in its code.
fn only_in(folder: &str, pattern: &str, rooms: &[&str]) {
    let strays: Vec<_> = sources(folder)
        .into_iter()
        .filter(|source| {
            source.has(pattern) && !rooms.iter().any(|room| source.path.starts_with(room))
        })
        .map(|source| source.path)
        .collect();
    assert_eq!(strays, [""; 0], "{pattern} belongs to {rooms:?}");
}

/// The modules of lens by floor: the paragraphs of `lib.rs`.
fn floors() -> HashMap<String, usize> {
    let lib = fs::read_to_string(root().join("lens/src/lib.rs")).expect("lib.rs");
    let mut floors = HashMap::new();
    for (floor, paragraph) in lib.split("\n\n").enumerate() {
        for line in paragraph.lines() {
            let module = line.strip_prefix("pub mod ").or(line.strip_prefix("mod "));
            if let Some(module) = module.and_then(|module| module.strip_suffix(';')) {
                floors.insert(module.to_owned(), floor);
            }
        }
    }
    assert!(
        floors.len() > 15,
        "lib.rs is a table of contents: {floors:?}"
    );
    floors
}

#[test]
fn a_module_names_modules_of_earlier_floors_only() {
    let floors = floors();
    let mut strays = Vec::new();
    for source in sources("lens/src") {
        let inside = source.path.trim_start_matches("lens/src/");
        let module = inside.split(['/', '.']).next().unwrap_or_default();
        let module = if module == "private" {
            "__private"
        } else {
            module
        };
        let Some(floor) = floors.get(module) else {
            continue;
        };
        for line in source.code() {
            for named in named_modules(line) {
                if named != module && floors.get(&named).is_some_and(|other| other >= floor) {
                    strays.push(format!("{} names {named}", source.path));
                }
            }
        }
    }
    assert_eq!(strays, [""; 0]);
}

/// The modules in `crate::a::…` and `use crate::{a, b::…}`.
fn named_modules(line: &str) -> Vec<String> {
    let mut named = Vec::new();
    for rest in line.split("crate::").skip(1) {
        let word = |text: &str| {
            let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
            text.get(..end.unwrap_or(text.len()))
                .unwrap_or_default()
                .to_owned()
        };
        match rest.strip_prefix('{') {
            Some(list) => named.extend(list.split(", ").map(word)),
            None => named.push(word(rest)),
        }
    }
    named
}

#[test]
fn a_mod_rs_is_a_table_of_contents() {
    for folder in ["lens/src", "lens-macros/src", "lens-testkit/src"] {
        for source in sources(folder) {
            if source.path.ends_with("/mod.rs") || source.path == "lens/src/lib.rs" {
                assert!(
                    !source.has("fn ") && !source.has("impl "),
                    "{}",
                    source.path
                );
            }
        }
    }
}

#[test]
fn mutable_globals_have_their_rooms() {
    // Beside `state/`: what handlers of exit, fork and signals read and what a thread is (`os/`),
    // whether a thread still has its context (`context.rs`) and which guards are active on
    // it (`span/attached.rs`), which faults were told (`diag.rs`), what a thread is doing with
    // a record (`reentry.rs`), the hook that is installed once (`panics.rs`), the sites of
    // spans (`groups.rs`) and the macro that prints them (`private.rs`), and a thread's latest
    // decisions (`admission/decide.rs`), calls (`bridge/site.rs`) and encoded records
    // (`pipeline/front.rs`), the names of events (`bridge/event_name.rs`), the ids that a
    // thread draws (`ids.rs`), which provider measurements belong to (`epoch.rs`), what metrics
    // ask (`asked.rs`) and the one of lens's own (`metrics/server.rs`). For `tracing`: where there
    // are events (`bridge/event.rs`), the subscribers with lens's layer (`state/subscribers.rs`), a
    // thread's spans (`tracing/kept.rs`) and whether it starts one (`tracing/spans.rs`), and what
    // the events are made of that records of `log` become (`tracing/forward.rs`).
    let rooms = [
        "lens/src/asked.rs",
        "lens/src/state/active.rs",
        "lens/src/state/facts.rs",
        "lens/src/state/installed.rs",
        "lens/src/state/scope.rs",
        "lens/src/state/subscribers.rs",
        "lens/src/os/process.rs",
        "lens/src/os/signals.rs",
        "lens/src/context.rs",
        "lens/src/span/attached.rs",
        "lens/src/diag.rs",
        "lens/src/epoch.rs",
        "lens/src/metrics/server.rs",
        "lens/src/reentry.rs",
        "lens/src/panics.rs",
        "lens/src/groups.rs",
        "lens/src/private.rs",
        "lens/src/admission/decide.rs",
        "lens/src/bridge/event.rs",
        "lens/src/bridge/event_name.rs",
        "lens/src/bridge/site.rs",
        "lens/src/ids.rs",
        "lens/src/pipeline/front.rs",
        "lens/src/tracing/forward.rs",
        "lens/src/tracing/kept.rs",
        "lens/src/tracing/spans.rs",
    ];
    for pattern in ["static ", "thread_local!"] {
        let strays: Vec<_> = sources("lens/src")
            .into_iter()
            .filter(|source| {
                let mut lines = source.code().map(str::trim_start);
                lines.any(|line| line.starts_with(pattern))
            })
            .map(|source| source.path)
            .filter(|path| !rooms.contains(&path.as_str()))
            .collect();
        assert_eq!(strays, [""; 0], "{pattern}");
    }
    only_in("lens/src", "LazyLock", &["lens/src/state/"]);
    let cells = [
        "lens/src/state/",
        "lens/src/groups.rs",
        "lens/src/metrics/cached.rs",
        "lens/src/tracing/layer.rs",
    ];
    only_in("lens/src", "OnceLock", &cells);
}

#[test]
fn everything_that_has_one_room_is_in_it() {
    only_in("lens/src", "std::env::", &["lens/src/env.rs"]);
    only_in("lens/src", "\"NEMO_LENS_", &["lens/src/config/vars.rs"]);
    only_in("lens/src", "\"OTEL_", &["lens/src/config/vars.rs"]);
    only_in("lens/src", "unsafe {", &["lens/src/os/"]);
    only_in("lens-testkit/src", "unsafe(", &["lens-testkit/src/os.rs"]);
    only_in("lens-testkit/src", "unsafe {", &["lens-testkit/src/os.rs"]);
    only_in("lens/src", "io::stderr()", &["lens/src/diag.rs"]);
    only_in("lens/src", "KeyValue::new(\"", &[]);
    only_in("lens/src", "Key::from_static_str(\"", &[]);
    only_in("lens/src", "add_attribute(\"", &[]);
    only_in("lens/src", "hyper::", &["lens/src/transport/"]);
    only_in("lens/src", "set_tracer_provider", &["lens/src/state/"]);
    only_in(
        "lens/src",
        "log::set_",
        &["lens/src/state/", "lens/src/bridge/install.rs"],
    );
    only_in("lens-macros/src", "quote!(", &["lens-macros/src/expand/"]);
    only_in("lens-macros/src", "quote! {", &["lens-macros/src/expand/"]);
    only_in(
        "lens-macros/src",
        "syn::Error",
        &["lens-macros/src/parse/", "lens-macros/src/model/"],
    );
}

#[test]
fn files_are_short() {
    for folder in CODE {
        for source in sources(folder) {
            let lines = source.text.lines().count();
            assert!(lines <= 450, "{} has {lines} lines", source.path);
            let code = source.code().filter(|line| !line.trim().is_empty()).count();
            assert!(code <= 300, "{} has {code} lines of code", source.path);
        }
    }
}

#[test]
fn a_todo_has_a_link() {
    for folder in CODE {
        for source in sources(folder) {
            for line in source.text.lines().filter(|line| line.contains("TODO")) {
                assert!(line.contains("https://"), "{}: {line}", source.path);
            }
        }
    }
}

#[test]
fn every_refused_program_has_its_message() {
    for folder in [
        "tests/ui/main/fail",
        "tests/ui/trace/fail",
        "tests/ui/span/fail",
        "tests/ui/bridge/fail",
        "tests/ui/test/fail",
    ] {
        let (mut programs, mut messages) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(root().join(folder)).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            let stem = path.with_extension("");
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("rs") => programs.push(stem),
                Some("stderr") => messages.push(stem),
                _ => panic!("{} is neither", path.display()),
            }
        }
        programs.sort();
        messages.sort();
        assert_eq!(programs, messages, "{folder}");
    }
}

#[test]
fn the_version_of_the_sdk_is_told_as_it_is() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let line = manifest
        .lines()
        .find(|line| line.starts_with("opentelemetry_sdk = "));
    let resource = fs::read_to_string(root().join("lens/src/resource/merge.rs")).expect("merge.rs");
    let told = resource
        .split("SDK_VERSION: &str = \"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let told = told.expect("merge.rs tells a version");
    assert!(
        line.is_some_and(|line| line.contains(&format!("version = \"{told}\""))),
        "{told}"
    );
}

#[test]
fn the_macros_and_the_runtime_know_the_same_words() {
    let keys = fs::read_to_string(root().join("lens-macros/src/parse/key.rs")).expect("key.rs");
    let resolve = ["records.rs", "route.rs", "strategy.rs"]
        .map(|file| fs::read_to_string(root().join("lens/src/config").join(file)).expect(file))
        .concat();
    for (list, sentence) in [
        ("LEVELS", "LEVELS: &str"),
        ("EXPORTERS", "EXPORTERS: &str"),
        ("STRATEGIES", "STRATEGIES: &str"),
    ] {
        let words = |text: &str, start: &str| {
            let rest = text.split(start).nth(1).expect("the list is there");
            let rest = rest.split(';').next().unwrap_or_default();
            let words = rest.split(|c: char| !c.is_ascii_lowercase() && c != '_');
            let mut words: Vec<_> = words
                .filter(|word| !matches!(*word, "" | "str" | "or" | "warning"))
                .map(str::to_owned)
                .collect();
            words.sort();
            words
        };
        assert_eq!(
            words(&keys, &format!("const {list}:")),
            words(&resolve, sentence),
            "{list}"
        );
    }
}

#[test]
fn a_test_that_a_page_names_is_there() {
    let page = fs::read_to_string(root().join("docs/reliability.md")).expect("the page");
    let (mut found, mut missing) = (0, Vec::new());
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let words: Vec<_> = line.split('`').skip(1).step_by(2).collect();
        for (at, word) in words.iter().enumerate() {
            let place = words.get(at + 1).filter(|place| place.ends_with(".rs"));
            let (file, name) = match (word.split_once("::"), place) {
                (Some((module, name)), _) if name.contains('_') => {
                    (format!("tests/process/{module}.rs"), name)
                }
                (None, Some(place)) => ((*place).to_string(), *word),
                _ => continue,
            };
            let text = fs::read_to_string(root().join(&file)).unwrap_or_default();
            found += 1;
            if !text.contains(&format!("fn {name}(")) {
                missing.push(format!("{file} has no {name}"));
            }
        }
    }
    assert_eq!(missing, [""; 0]);
    assert!(found > 40, "{found} tests are named");
}
