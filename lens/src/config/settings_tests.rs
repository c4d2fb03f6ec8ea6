use std::fmt::Write as _;
use std::path::Path;

use super::*;

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rows() -> impl Iterator<Item = &'static Row> {
    SETTINGS.iter().flat_map(|(_, rows)| rows.iter())
}

/// The page about settings, as the table has it.
fn page() -> String {
    let keys = text("../lens-macros/src/parse/key.rs");
    let keys = keys.split("const TRACE").next().unwrap();
    let mut page = text("docs/configuration-head.md");
    for (part, rows) in &SETTINGS {
        let _ = write!(
            page,
            "\n## {part}\n\n| variable | in code | argument | default | |\n|---|---|---|---|---|\n"
        );
        for row in *rows {
            let var = match row
                .var
                .strip_prefix(vars::OTLP)
                .filter(|_| row.is_of_signals)
            {
                Some(option) => format!("{}[{{LOGS,TRACES,METRICS}}_]{option}", vars::OTLP),
                None => row.var.to_owned(),
            };
            let (kind, setter) = row.code.split_once("::").unwrap_or(("", row.code));
            let is_argument = keys.contains(&format!("key(\"{setter}\""))
                || keys.contains(&format!("key(\n        \"{setter}\""));
            let argument = if kind == "Builder" && is_argument {
                format!("`{setter}`")
            } else {
                String::new()
            };
            let code = match row.code {
                "" => String::new(),
                code => format!("`{code}`"),
            };
            let _ = writeln!(
                page,
                "| `{var}` | {code} | {argument} | {} | {} |",
                row.default, row.meaning
            );
        }
    }
    page.push_str("\n## Standard variables without effect\n\n");
    page.push_str("Each is one line at the start, where it is set.\n\n");
    for (var, reason) in vars::UNSUPPORTED {
        let _ = writeln!(page, "- `{var}`: {reason}");
    }
    page
}

/// `BLESS=1` writes it anew.
#[test]
#[expect(clippy::disallowed_methods, reason = "for the developer, not for lens")]
fn the_page_about_settings_says_what_the_table_says() {
    let (page, path) = (page(), "../docs/configuration.md");
    if std::env::var_os("BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        std::fs::write(path, &page).unwrap();
    }
    assert!(
        text(path) == page,
        "docs/configuration.md is out of date; write it anew with \
         `BLESS=1 cargo test -p lens --lib settings`"
    );
}

#[test]
fn every_setting_is_set_in_code_by_what_the_table_says() {
    let setters = [
        "builder.rs",
        "setters.rs",
        "export.rs",
        "batching.rs",
        "limits.rs",
    ]
    .map(|file| text(&format!("src/config/{file}")))
    .concat();
    for row in rows().filter(|row| !row.code.is_empty() && row.code != "explain") {
        let (_, setter) = row.code.split_once("::").expect("type and setter");
        let declared = [format!("pub fn {setter}("), format!("pub fn {setter}<")];
        assert!(
            declared.iter().any(|text| setters.contains(text)),
            "{}",
            row.code
        );
    }
}

#[test]
fn every_variable_that_is_named_is_in_the_table() {
    let known: Vec<_> = known().collect();
    let source = text("src/config/vars.rs");
    let words = source.split('"').skip(1).step_by(2);
    let named = words.filter(|word| {
        (word.starts_with("OTEL_") || word.starts_with("NEMO_LENS_")) && !word.ends_with('_')
    });
    let unsupported = |name: &str| vars::UNSUPPORTED.iter().any(|(var, _)| *var == name);
    for name in named.filter(|name| !unsupported(name)) {
        assert!(known.iter().any(|known| known == name), "{name}");
    }
}

fn said(env: &[(&str, &str)], prefix: Option<&str>) -> (Vec<String>, Vec<(String, String)>) {
    let env = Env::from_iter(env.iter().copied());
    let mut read = Reader::new(&env).with_prefix(prefix);
    let unknown = unknown(&env, &mut read);
    (read.notices, unknown)
}

#[test]
fn a_slip_in_a_name_is_told_with_the_name_that_was_meant() {
    let (notices, unknown) = said(
        &[
            ("NEMO_LENS_LOG_LEVEL", "debug"),
            ("OTEL_EXPORTER_OTLP_ENDPIONT", "http://c"),
            ("MEGATRON_OTEL_EXPROTER", "none"),
            ("OTEL_PYTHON_LOG_CORRELATION", "true"),
            ("OTEL_CONFIG_FILE", "/etc/otel.yaml"),
            ("OTEL_SERVICE_NAME", "known"),
            ("RUST_LOG", "info"),
        ],
        Some("MEGATRON_OTEL"),
    );
    assert_eq!(
        notices,
        [
            "unknown variable MEGATRON_OTEL_EXPROTER; did you mean MEGATRON_OTEL_EXPORTER?",
            "unknown variable NEMO_LENS_LOG_LEVEL; did you mean NEMO_LENS_LOGS_LEVEL?",
            "OTEL_CONFIG_FILE is set and has no effect: a configuration file is not read yet",
            "unknown variable OTEL_EXPORTER_OTLP_ENDPIONT; did you mean \
             OTEL_EXPORTER_OTLP_ENDPOINT?",
        ]
    );
    assert_eq!(unknown.len(), 5, "{unknown:?}");
    let elsewhere = ("OTEL_PYTHON_LOG_CORRELATION", "lens knows no such variable");
    assert!(unknown.contains(&(elsewhere.0.to_owned(), elsewhere.1.to_owned())));
}
