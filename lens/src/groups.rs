//! The places in the code that make spans, and which of them are on.
//!
//! In: a site for each macro call, registered at link time, and a selection of groups. Out:
//! one flag in each site, which is all that a span that is off reads.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use opentelemetry::trace::SpanKind;

pub use inventory;

/// The groups that are on unless somebody asks otherwise.
const DEFAULT: [&str; 3] = ["job", "checkpoint", "evaluate"];
/// What the preset `per_step` adds.
const PER_STEP: [&str; 5] = [
    "model_init",
    "load_checkpoint",
    "step",
    "forward_backward",
    "optimizer",
];

/// Held by the one who switches.
static SWITCH: Mutex<()> = Mutex::new(());

/// A place in the code that makes spans.
#[derive(Debug)]
pub struct Site {
    pub(crate) package: Option<&'static str>,
    pub(crate) version: Option<&'static str>,
    pub(crate) file: &'static str,
    pub(crate) line: u32,
    pub(crate) kind: SpanKind,
    pub(crate) group: Option<&'static str>,
    is_on: AtomicBool,
    /// The type name of a function that stands at the site.
    here: fn() -> &'static str,
    path: OnceLock<String>,
}

impl Site {
    /// The site of a span that no macro makes.
    #[cfg(feature = "sdk")]
    pub(crate) const UNKNOWN: &Self = {
        static UNKNOWN: Site = Site::new((None, None), ("", 0), || "");
        &UNKNOWN
    };

    /// The site of the spans of a server's requests.
    #[cfg(feature = "tower")]
    pub(crate) const REQUEST: &Self = {
        const PACKAGE: Option<&str> = Some("lens");
        const VERSION: Option<&str> = Some(env!("CARGO_PKG_VERSION"));
        static REQUEST: Site = Site::new((PACKAGE, VERSION), ("", 0), || "").kind(SpanKind::Server);
        &REQUEST
    };

    /// A site that is always on.
    #[must_use]
    pub const fn new(
        (package, version): (Option<&'static str>, Option<&'static str>),
        (file, line): (&'static str, u32),
        here: fn() -> &'static str,
    ) -> Self {
        Self {
            package,
            version,
            file,
            line,
            kind: SpanKind::Internal,
            group: None,
            is_on: AtomicBool::new(true),
            here,
            path: OnceLock::new(),
        }
    }

    /// Sets the kind of its spans.
    #[must_use]
    pub const fn kind(mut self, kind: SpanKind) -> Self {
        self.kind = kind;
        self
    }

    /// Puts it into a group; on from the beginning where the preset `default` has that.
    #[must_use]
    pub const fn group(mut self, group: &'static str) -> Self {
        self.group = Some(group);
        self.is_on = AtomicBool::new(is_default(group));
        self
    }

    /// Whether it makes spans.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.is_on.load(Relaxed)
    }

    /// The path of the function it stands in, such as `megatron::Model::step`.
    pub(crate) fn path(&self) -> &str {
        self.path.get_or_init(|| path((self.here)()))
    }
}

const fn is_default(group: &str) -> bool {
    let [job, checkpoint, evaluate] = DEFAULT;
    let group = group.as_bytes();
    is_same(job.as_bytes(), group)
        || is_same(checkpoint.as_bytes(), group)
        || is_same(evaluate.as_bytes(), group)
}

const fn is_same(left: &[u8], right: &[u8]) -> bool {
    match (left, right) {
        ([], []) => true,
        ([a, left @ ..], [b, right @ ..]) => a.eq_ignore_ascii_case(b) && is_same(left, right),
        _ => false,
    }
}

/// A site that the program knows of before it is reached.
#[derive(Debug)]
pub struct Registered(pub &'static Site);

inventory::collect!(Registered);

fn registered() -> impl Iterator<Item = &'static Site> {
    inventory::iter::<Registered>
        .into_iter()
        .map(|Registered(site)| *site)
}

/// Which groups are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Groups {
    /// Those of the preset `default`.
    #[default]
    Default,
    /// Every one.
    All,
    /// These.
    Named(Vec<String>),
}

impl Groups {
    /// Reads presets and names with commas between them, and returns the names that are in
    /// no preset and at no site of the program, too.
    pub(crate) fn parse(text: &str) -> (Self, Vec<String>) {
        let (mut named, mut unknown) = (Vec::new(), Vec::new());
        let mut all = false;
        let own = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        for word in text
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
        {
            match word.to_ascii_lowercase().as_str() {
                "all" => all = true,
                "none" => {}
                "default" => named.extend(own(&DEFAULT)),
                "per_step" => named.extend([own(&DEFAULT), own(&PER_STEP)].concat()),
                _ if known().any(|known| known.eq_ignore_ascii_case(word)) => {
                    named.push(word.to_owned());
                }
                _ => unknown.push(word.to_owned()),
            }
        }
        let groups = if all { Self::All } else { Self::Named(named) };
        (groups, unknown)
    }

    /// Whether `group` is on.
    pub(crate) fn has(&self, group: &str) -> bool {
        match self {
            Self::Default => is_default(group),
            Self::All => true,
            Self::Named(names) => names.iter().any(|name| name.eq_ignore_ascii_case(group)),
        }
    }

    /// Turns the sites of these groups on, and those of all others off.
    pub(crate) fn switch(&self) {
        let _one = SWITCH.lock().unwrap_or_else(PoisonError::into_inner);
        for site in registered() {
            if let Some(group) = site.group {
                site.is_on.store(self.has(group), Relaxed);
            }
        }
    }
}

/// The groups that sites of the program have, and whether each is on.
#[cfg(feature = "sdk")]
pub(crate) fn of_program() -> std::collections::BTreeMap<&'static str, bool> {
    let sites = registered().filter_map(|site| Some((site.group?, site.is_on())));
    sites.collect()
}

/// The names a selection may have beside the presets.
fn known() -> impl Iterator<Item = &'static str> {
    let sites = registered().filter_map(|site| site.group);
    sites.chain(DEFAULT).chain(PER_STEP)
}

/// What to say of names that no site has.
pub(crate) fn unknown_groups(unknown: &[String]) -> String {
    let mut names: Vec<_> = known().collect();
    names.sort_unstable();
    names.dedup();
    let plural = if unknown.len() == 1 { "" } else { "s" };
    format!(
        "unknown span group{plural} {}; known are {}, and the presets default, per_step, all \
         and none",
        unknown.join(", "),
        names.join(", "),
    )
}

/// The path of a function, from the type name of something declared in it.
///
/// Generic arguments and closures go, and of an implementation its type stays:
/// `<a::Model<T> as a::Train>::step::{{closure}}::here` is `a::Model::step`. What the
/// compiler prints is no promise of its; whatever it is, this gives some text.
fn path(type_name: &str) -> String {
    let mut rest = type_name
        .rsplit_once("::")
        .map_or(type_name, |(path, _)| path);
    let mut path = String::new();
    while let Some((before, inside, after)) = first_angle(rest) {
        path.push_str(before);
        // Generic arguments follow a name; an implementation stands for one.
        if path.is_empty() || path.ends_with("::") {
            path = self::path(&format!("{}::", implementor(inside)));
        }
        rest = after;
    }
    path.push_str(rest);
    path.replace("::{{closure}}", "")
        .trim_end_matches(':')
        .to_owned()
}

/// The type in `Type as Trait`, `impl Trait for Type` and `impl Type`.
fn implementor(inside: &str) -> &str {
    let Some(of_impl) = inside.strip_prefix("impl ") else {
        return split_outside(inside, " as ").map_or(inside, |(of, _)| of);
    };
    split_outside(of_impl, " for ").map_or(of_impl, |(_, of)| of)
}

/// Splits at the first `word` that is in no angle brackets.
fn split_outside<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    text.match_indices(word).find_map(|(at, _)| {
        let before = text.get(..at)?;
        let depth = |c| before.matches(c).count();
        let arrows = before.matches("->").count();
        let is_outside = depth('<') == depth('>').checked_sub(arrows)?;
        is_outside.then(|| Some((before, text.get(at + word.len()..)?)))?
    })
}

/// Splits at the first `<` and the `>` that belongs to it.
fn first_angle(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('<')?;
    let mut depth = 1;
    for (index, c) in rest.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if !rest.get(..index)?.ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((before, rest.get(..index)?, rest.get(index + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Model<T>(T);
    trait Train {
        fn step(&self) -> &'static str;
        fn all(&self) -> &'static str {
            fn here() {}
            std::any::type_name_of_val(&here)
        }
    }
    impl<T> Model<T> {
        fn start() -> &'static str {
            let started = Some(()).map(|()| {
                fn here() {}
                std::any::type_name_of_val(&here)
            });
            started.unwrap_or_default()
        }
    }
    impl<T: Fn() -> Vec<u8>> Train for Model<T> {
        fn step(&self) -> &'static str {
            fn here() {}
            std::any::type_name_of_val(&here)
        }
    }
    impl Train for [u8] {
        fn step(&self) -> &'static str {
            fn here() {}
            std::any::type_name_of_val(&here)
        }
    }

    #[test]
    fn a_path_is_that_of_the_function_whatever_holds_it() {
        fn here() {}
        let function = std::any::type_name_of_val(&here);
        let test = "lens::groups::tests::";
        assert_eq!(
            path(function),
            format!("{test}a_path_is_that_of_the_function_whatever_holds_it")
        );
        let model = Model(Vec::new);
        for (found, expected) in [
            (Model::<Vec<u8>>::start(), "Model::start"),
            (model.step(), "Model::step"),
            (model.all(), "Train::all"),
        ] {
            assert_eq!(path(found), format!("{test}{expected}"), "{found}");
        }
        assert_eq!(path([0_u8].as_slice().step()), "[u8]::step");
    }

    #[test]
    fn a_path_of_another_form_is_some_path() {
        assert_eq!(
            path("a::<impl a::T for b::M<fn() -> u8>>::f::here"),
            "b::M::f"
        );
        assert_eq!(
            path("a::ops::<impl a::types::Cart<u8>>::checkout::here"),
            "a::types::Cart::checkout"
        );
        assert_eq!(
            path("<a::M<<b::X as b::T>::O, fn() -> u8> as a::Go>::go::{{closure}}::here"),
            "a::M::go"
        );
        assert_eq!(path("a::f<b"), "a");
        assert_eq!(path("here"), "here");
        assert_eq!(path(""), "");
    }

    fn named(names: &[&str]) -> Groups {
        Groups::Named(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn a_selection_is_made_of_presets_and_names() {
        let parse = |text| Groups::parse(text).0;
        assert_eq!(parse("step, Optimizer"), named(&["step", "Optimizer"]));
        assert_eq!(parse("step,all"), Groups::All);
        assert_eq!(parse("none"), named(&[]));
        assert_eq!(parse("default"), named(&DEFAULT));
        let per_step = parse("per_step");
        assert!(per_step.has("job") && per_step.has("step") && !per_step.has("io"));
        assert!(parse("Optimizer").has("optimizer") && !parse("step").has("job"));
        assert!(Groups::Default.has("evaluate") && !Groups::Default.has("step"));
        assert!(Groups::All.has("io"));
    }

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let (groups, unknown) = Groups::parse("step,opitmizer");
        assert_eq!(groups, named(&["step"]));
        assert_eq!(
            unknown_groups(&unknown),
            "unknown span group opitmizer; known are checkpoint, evaluate, forward_backward, \
             job, load_checkpoint, model_init, optimizer, step, and the presets default, \
             per_step, all and none"
        );
    }
}
