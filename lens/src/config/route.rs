//! Where a signal goes: which exporters.

use std::fmt;
use std::path::{PathBuf, absolute};

use crate::config::list::{Listed, list};
use crate::config::otlp::target;
use crate::config::read::Reader;
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

#[derive(PartialEq)]
enum Exporter {
    Console,
    Pretty,
    File(PathBuf),
    Otlp,
}

/// Settles where `signal` goes; nowhere is a choice, too.
pub(super) fn routes(signal: Signal, builder: &Builder, read: &mut Reader<'_>) -> Vec<Route> {
    let code = [builder.export_of(signal), &builder.export]
        .into_iter()
        .find_map(|export| export.exporter.as_deref());
    let vars = [vars::EXPORTER, vars::exporter(signal)];
    let exporters = list(&vars, ("exporter", code), vec![Exporter::Otlp], read);
    let routes = exporters.into_iter().filter_map(|exporter| match exporter {
        Exporter::Console => Some(Route::Console),
        Exporter::Pretty => Some(Route::Pretty),
        Exporter::File(path) => Some(Route::File(path)),
        Exporter::Otlp => target(signal, builder, read).map(|target| Route::Otlp(Box::new(target))),
    });
    routes.collect()
}

impl Listed for Exporter {
    const KIND: &'static str = "exporter";
    const EXPECTED: &'static str = EXPORTERS;
    const NOTHING: &'static str = "nothing is exported";

    fn parse(word: &str) -> Option<Self> {
        if let Some((kind, path)) = word.split_once(':') {
            let is_file = kind.eq_ignore_ascii_case("file") && !path.is_empty();
            // What a relative path means must not change with the working directory.
            return is_file.then(|| Self::File(absolute(path).unwrap_or_else(|_| path.into())));
        }
        match word.to_ascii_lowercase().as_str() {
            "console" => Some(Self::Console),
            "pretty" => Some(Self::Pretty),
            "otlp" => Some(Self::Otlp),
            _ => None,
        }
    }
}

impl fmt::Display for Exporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Console => f.write_str("console"),
            Self::Pretty => f.write_str("pretty"),
            Self::File(path) => write!(f, "file:{}", path.display()),
            Self::Otlp => f.write_str("otlp"),
        }
    }
}
