//! What `#[lens_testkit::test]` prints a call to.

use std::cell::Cell;
use std::process::Command;
use std::sync::OnceLock;

use lens::opentelemetry::Context;
use lens::opentelemetry_sdk::trace::Sampler;

use crate::capture::{Capture, CaptureBuilder};

/// Set in the process of a test that has one to itself.
const CHILD: &str = "LENS_TESTKIT_TEST";

thread_local! {
    static TOLD: Cell<bool> = const { Cell::new(false) };
}

/// Whether this process runs one test alone: in one of its own, or under nextest.
pub(crate) fn is_alone() -> bool {
    static ALONE: OnceLock<bool> = OnceLock::new();
    *ALONE.get_or_init(|| {
        std::env::var_os(CHILD).is_some()
            || std::env::var_os("NEXTEST_EXECUTION_MODE").is_some_and(|m| m == "process-per-test")
    })
}

/// Ends the test with a text that shows what was captured.
///
/// Suppressed: a failed assertion is the test's affair and no record of the code under test.
#[track_caller]
pub(crate) fn fail(text: &str) -> ! {
    TOLD.set(true);
    let _quiet = Context::enter_telemetry_suppressed_scope();
    panic!("{text}")
}

/// A test and its settings.
#[derive(Debug)]
pub struct Test {
    /// The crate, the modules and the function.
    path: &'static str,
    capture: CaptureBuilder,
    runtime: Runtime,
    alone: bool,
    strict: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Runtime {
    workers: Option<usize>,
    multi_thread: bool,
    paused: bool,
}

impl Test {
    /// A test with no settings.
    #[must_use]
    pub fn new(path: &'static str) -> Self {
        Self {
            path,
            capture: Capture::builder().title(path),
            runtime: Runtime::default(),
            alone: false,
            strict: true,
        }
    }

    /// `level = "debug"`.
    #[must_use]
    pub fn level(mut self, level: &str) -> Self {
        self.capture = self.capture.level(level);
        self
    }

    /// `logger = "a,b"`.
    #[must_use]
    pub fn logger(mut self, names: &str) -> Self {
        self.capture = self.capture.logger(names);
        self
    }

    /// `filter = "warn,shop=debug"`.
    #[must_use]
    pub fn filter(mut self, directives: &str) -> Self {
        self.capture = self.capture.filter(directives);
        self
    }

    /// `groups = "step"`.
    #[must_use]
    pub fn groups(mut self, groups: &str) -> Self {
        self.capture = self.capture.groups(groups);
        self
    }

    /// `resource(team = "core")`.
    #[must_use]
    pub fn resource(mut self, key: &str, value: &str) -> Self {
        self.capture = self.capture.resource(key, value);
        self
    }

    /// `env(NAME = "value")`.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.capture = self.capture.env(name, value);
        self
    }

    /// `sampler = "always_off"`.
    #[must_use]
    pub fn sampler(mut self, name: &str) -> Self {
        if name == "always_off" {
            self.capture = self.capture.sampler(Sampler::AlwaysOff);
        }
        self
    }

    /// `ids = "counting"`.
    #[must_use]
    pub fn ids(mut self, kind: &str) -> Self {
        if kind == "counting" {
            self.capture = self.capture.counting_ids();
        }
        self
    }

    /// `flavor = "multi_thread"`.
    #[must_use]
    pub fn flavor(mut self, flavor: &str) -> Self {
        self.runtime.multi_thread = flavor == "multi_thread";
        self
    }

    /// `worker_threads = 4`.
    #[must_use]
    pub fn worker_threads(mut self, workers: usize) -> Self {
        self.runtime.workers = Some(workers);
        self
    }

    /// `start_paused = true`.
    #[must_use]
    pub fn start_paused(mut self, paused: bool) -> Self {
        self.runtime.paused = paused;
        self
    }

    /// `isolation = "process"`.
    #[must_use]
    pub fn isolation(mut self, isolation: &str) -> Self {
        self.alone = isolation == "process";
        self
    }

    /// `strict = false`.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether this process is to run the test; else another one has.
    fn is_here(&self) -> bool {
        let here = !self.alone || std::env::var(CHILD).is_ok_and(|path| path == self.path);
        if !here {
            run_alone(self.path);
        }
        here
    }
}

/// Runs a test.
pub fn run<R: Outcome>(test: Test, body: impl FnOnce(Capture) -> R) -> R {
    if !test.is_here() {
        return R::fine();
    }
    let strict = test.strict;
    let capture = test.capture.start();
    let report = Report(capture.clone());
    let guard = capture.enter();
    let result = body(capture.clone());
    let leaked = guard.leave();
    report.end(&result, strict, leaked);
    result
}

/// Runs an async test, on a runtime of its own.
pub fn run_async<R: Outcome, F: Future<Output = R>>(
    test: Test,
    body: impl FnOnce(Capture) -> F,
) -> R {
    if !test.is_here() {
        return R::fine();
    }
    let (strict, runtime) = (test.strict, test.runtime);
    let capture = test.capture.start();
    let report = Report(capture.clone());
    let guard = capture.enter();
    let runtime = start(runtime, &capture);
    // The runtime ends inside the capture, and with it what its tasks still emit.
    let result = runtime.block_on(capture.instrument(body(capture.clone())));
    drop(runtime);
    let leaked = guard.leave();
    report.end(&result, strict, leaked);
    result
}

#[expect(clippy::expect_used, reason = "a test without a runtime has failed")]
fn start(settings: Runtime, capture: &Capture) -> tokio::runtime::Runtime {
    let mut builder = if settings.multi_thread {
        tokio::runtime::Builder::new_multi_thread()
    } else {
        tokio::runtime::Builder::new_current_thread()
    };
    if let Some(workers) = settings.workers {
        builder.worker_threads(workers);
    }
    if settings.paused {
        builder.start_paused(true);
    }
    let capture = capture.clone();
    builder
        .enable_all()
        // Workers and the blocking pool belong to this test.
        .on_thread_start(move || capture.claim_thread())
        .build()
        .expect("a runtime for the test")
}

/// Shows what was captured when the test fails.
struct Report(Capture);

impl Report {
    fn end<R: Outcome>(self, result: &R, strict: bool, leaked_context: bool) {
        if !result.is_fine() {
            self.print();
            return;
        }
        self.0.warnings().iter().for_each(warn);
        let mut leaks = self.0.leaks();
        if leaked_context {
            leaks.push(
                "a context guard was never dropped: what it attached stays active".to_owned(),
            );
        }
        if strict && !leaks.is_empty() {
            fail(&format!(
                "the test left something behind (`strict = false` accepts that)\n  {}\n\n{}",
                leaks.join("\n  "),
                self.0.report()
            ));
        }
    }

    #[expect(
        clippy::print_stderr,
        reason = "libtest shows it with the test that failed"
    )]
    fn print(&self) {
        eprintln!("\n{}", self.0.report());
    }
}

#[expect(
    clippy::print_stderr,
    reason = "libtest keeps it with the output of the test"
)]
fn warn(warning: &String) {
    eprintln!("lens-testkit: {warning}");
}

impl Drop for Report {
    fn drop(&mut self) {
        let told = TOLD.replace(false);
        if std::thread::panicking() && !told {
            self.print();
        }
    }
}

/// Runs the test called `path` again, in a process that runs nothing else.
#[expect(clippy::expect_used, reason = "a test that cannot be run has failed")]
fn run_alone(path: &str) {
    let (_, name) = path.split_once("::").expect("a path begins with its crate");
    let this = std::env::current_exe().expect("a test binary has a path");
    let output = Command::new(this)
        .args([
            name,
            "--exact",
            "--include-ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(CHILD, path)
        .output()
        .expect("the test binary runs again");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let stdout = text(&output.stdout);
    assert!(
        output.status.success() && stdout.contains("1 passed"),
        "the test failed in its own process\n{stdout}\n{}",
        text(&output.stderr)
    );
}

/// What a test may return.
pub trait Outcome {
    /// Whether the test passes.
    fn is_fine(&self) -> bool;

    /// The result of a test that passes.
    fn fine() -> Self;
}

impl Outcome for () {
    fn is_fine(&self) -> bool {
        true
    }

    fn fine() -> Self {}
}

impl<T: Outcome, E> Outcome for Result<T, E> {
    fn is_fine(&self) -> bool {
        self.as_ref().is_ok_and(T::is_fine)
    }

    fn fine() -> Self {
        Ok(T::fine())
    }
}
