//! What `#[lens::main]` prints a call to: main between start and delivery.

use crate::bridge::{about_main, release_held_panic};
use crate::config::{Builder, Package};
use crate::groups::Site;
use crate::handle::Guard;
use crate::panics;
use crate::reentry::quietly;
use crate::span::{Instrumented, Outcome};
use crate::state;

/// A builder that knows the annotated crate.
pub fn builder(name: Option<&'static str>, site: &'static Site, module: &'static str) -> Builder {
    Builder::new().package(Package {
        name: name.or(site.package),
        site: Some(site),
        module,
    })
}

/// Runs `body` after the start.
pub fn main<R>(builder: Builder, body: impl FnOnce() -> R) -> Finished<R> {
    let guard = builder.start();
    Finished {
        result: body(),
        guard,
    }
}

/// What main returned, before the delivery.
#[derive(Debug)]
#[must_use]
pub struct Finished<R> {
    result: R,
    guard: Guard,
}

impl<R> Finished<R> {
    /// Tells of an `Err` in a log record, delivers what is buffered, and returns the result.
    pub fn told(self, outcome: fn(&R) -> Outcome) -> R {
        let Self { result, guard } = self;
        if let Some((active, bridge)) = panics::recording()
            && let Some(Outcome::Failed(failure)) = quietly(|| outcome(&result))
        {
            release_held_panic(active, bridge);
            guard.fail_root(&failure.message);
            let _in_root = active.root.get().map(|root| root.clone().attach());
            let record = about_main(bridge, active.main.module, &failure, None);
            bridge.emit(record);
        }
        drop(guard);
        result
    }
}

/// Main as a future, inside its root span, or what this process was given, if there is one.
pub fn within_root<F: Future>(main: F) -> Instrumented<F> {
    let root = state::current().and_then(|active| active.root.get().cloned());
    Instrumented::within(main, root.or_else(state::inherited))
}
