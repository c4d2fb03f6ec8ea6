//! A search that must find nothing.

use crate::capture::Capture;
use crate::program::Run;
use crate::receiver::Receiver;

/// Something with text in it that may hold a secret.
pub trait Searchable {
    /// Returns all of it.
    fn all_text(&self) -> String;
}

impl Searchable for Capture {
    fn all_text(&self) -> String {
        self.strings()
    }
}

impl Searchable for Receiver {
    fn all_text(&self) -> String {
        let bodies = self.attempts().into_iter().map(|attempt| attempt.body);
        let bodies: Vec<_> = bodies
            .map(|body| String::from_utf8_lossy(&body).into_owned())
            .collect();
        format!("{:?} {:?} {}", self.logs(), self.spans(), bodies.join("\n"))
    }
}

impl Searchable for Run {
    fn all_text(&self) -> String {
        format!("{}\n{}", self.stdout, self.stderr)
    }
}

/// Asserts that no secret stands in anything captured, received or printed.
///
/// ```
/// let cap = lens_testkit::Capture::new();
/// cap.in_scope(|| log::info!("logged in"));
/// lens_testkit::no_secrets!(cap, ["SECRETCANARY"]);
/// ```
///
/// # Panics
///
/// When one does.
#[macro_export]
macro_rules! no_secrets {
    ($($searched:ident),+, [$($secret:expr),+ $(,)?] $(,)?) => {{
        let searched = [$($crate::__private::Searchable::all_text(&$searched)),+].join("\n");
        for secret in [$($secret),+] {
            if let ::core::option::Option::Some(at) = searched.find(secret) {
                let start = searched.floor_char_boundary(at.saturating_sub(60));
                ::core::panic!("found {secret:?} after {:?}", &searched[start..at]);
            }
        }
    }};
}
