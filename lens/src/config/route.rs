//! Where a signal goes: which exporters.

use std::fmt;
use std::path::{PathBuf, absolute};

use crate::config::otlp::target;
use crate::config::read::{Or, Origin, Reader, code_or};
use crate::config::{Builder, Target, vars};
use crate::stats::Signal;

/// Where one signal goes.
#[derive(Clone, Debug)]
pub(crate) enum Route {
    Console,
    Pretty,
    /// Lines of OTLP JSON in a file.
    File(PathBuf),
    Otlp(Box<Target>),
}

const EXPORTERS: &str = "otlp, console, pretty, file:PATH or none";

/// Settles where `signal` goes; nowhere is a choice, too.
pub(super) fn routes(signal: Signal, builder: &Builder, read: &mut Reader<'_>) -> Vec<Route> {
    let code = [builder.export_of(signal), &builder.export]
        .into_iter()
        .find_map(|export| export.exporter.as_deref());
    let default = Exporters(vec![Exporter::Otlp]);
    let code = code.and_then(|text| Exporters::parse(text, ("exporter", &default), read));
    let mut exporters = code_or(code, default);
    for var in [vars::EXPORTER, vars::exporter(signal)] {
        if let Some(found) = read.find(var)
            && let Some(value) = Exporters::parse(found.text, (&found.var, &exporters.value), read)
        {
            let origin = Origin::Variable(found.var);
            exporters = Or { value, origin };
        }
    }
    let Or { value, origin } = exporters;
    read.settle(vars::exporter(signal), &value, origin);
    let routes = value.0.into_iter().filter_map(|exporter| match exporter {
        Exporter::None => None,
        Exporter::Console => Some(Route::Console),
        Exporter::Pretty => Some(Route::Pretty),
        Exporter::File(path) => Some(Route::File(path)),
        Exporter::Otlp => target(signal, builder, read).map(|target| Route::Otlp(Box::new(target))),
    });
    routes.collect()
}

#[derive(PartialEq)]
enum Exporter {
    None,
    Console,
    Pretty,
    File(PathBuf),
    Otlp,
}

/// Some exporters, each once; none is a list of its own.
struct Exporters(Vec<Exporter>);

impl Exporters {
    /// Reads a list that was said at `place`; what is no exporter is told and left out, and of a
    /// list of nothing else comes nothing, and what is used `otherwise`.
    fn parse(text: &str, (place, otherwise): (&str, &Self), read: &mut Reader<'_>) -> Option<Self> {
        let (mut exporters, mut bad) = (Vec::new(), Vec::new());
        let words = text.split(',').map(str::trim);
        for word in words.filter(|word| !word.is_empty()) {
            match Exporter::parse(word) {
                Some(exporter) if exporters.contains(&exporter) => {}
                Some(exporter) => exporters.push(exporter),
                None => bad.push(word),
            }
        }
        let instead = if exporters.is_empty() {
            format!("using {otherwise}")
        } else {
            "it is left out".to_owned()
        };
        for word in bad {
            read.say(format!(
                "invalid exporter {word:?} in {place}, expected {EXPORTERS}; {instead}"
            ));
        }
        if exporters.contains(&Exporter::None) && exporters.len() > 1 {
            read.say(format!(
                "{place} has none beside other exporters; nothing is exported"
            ));
            exporters = vec![Exporter::None];
        }
        (!exporters.is_empty()).then_some(Self(exporters))
    }
}

impl Exporter {
    fn parse(word: &str) -> Option<Self> {
        if let Some((kind, path)) = word.split_once(':') {
            let is_file = kind.eq_ignore_ascii_case("file") && !path.is_empty();
            // What a relative path means must not change with the working directory.
            return is_file.then(|| Self::File(absolute(path).unwrap_or_else(|_| path.into())));
        }
        match word.to_ascii_lowercase().as_str() {
            "none" => Some(Self::None),
            "console" => Some(Self::Console),
            "pretty" => Some(Self::Pretty),
            "otlp" => Some(Self::Otlp),
            _ => None,
        }
    }
}

impl fmt::Display for Exporters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, exporter) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{exporter}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Exporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Console => f.write_str("console"),
            Self::Pretty => f.write_str("pretty"),
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Otlp => f.write_str("otlp"),
        }
    }
}
