//! What lens is to do for `tracing`.

use std::fmt;

/// What lens is to do for `tracing`; made from a word or a subscriber by [`IntoTracing`].
pub struct Tracing(pub(crate) TracingKind);

pub(crate) enum TracingKind {
    /// Nothing.
    #[cfg_attr(not(feature = "tracing"), expect(dead_code, reason = "nobody can ask"))]
    Off,
    /// Install what `tracing_subscriber::fmt::init()` would, and lens's layer.
    #[cfg(feature = "tracing")]
    On,
    /// Install this, which shows nothing below a level.
    #[cfg(feature = "tracing")]
    Subscriber(tracing_core::Dispatch, log::LevelFilter),
}

impl Tracing {
    /// Whether anything is to be done.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(self.0, TracingKind::Off)
    }
}

impl fmt::Debug for Tracing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            TracingKind::Off => "off",
            #[cfg(feature = "tracing")]
            TracingKind::On => "on",
            #[cfg(feature = "tracing")]
            TracingKind::Subscriber(..) => "a subscriber of the program",
        })
    }
}

/// What [`Builder::tracing`](crate::Builder::tracing) takes.
///
/// * `true`: what `tracing_subscriber::fmt::init()` would print in this program, and lens's layer;
/// * `false`: nothing;
/// * a subscriber: that, with [lens's layer](crate::layer) added where it has none.
///
/// `Marker` only tells these forms apart; it is always inferred.
#[cfg_attr(
    feature = "tracing",
    diagnostic::on_unimplemented(
        message = "`{Self}` is nothing that `tracing` takes",
        note = "it takes `true`, `false` or a subscriber over a registry, such as `tracing_subscriber::fmt().finish()`"
    )
)]
#[cfg_attr(
    not(feature = "tracing"),
    diagnostic::on_unimplemented(
        message = "`tracing` needs the feature `tracing` of lens",
        note = "write `features = [\"tracing\"]` where Cargo.toml names lens"
    )
)]
pub trait IntoTracing<Marker> {
    /// Says what is to be done.
    fn into_tracing(self) -> Tracing;
}

#[cfg(feature = "tracing")]
impl IntoTracing<super::marker::Word> for bool {
    fn into_tracing(self) -> Tracing {
        Tracing(if self {
            TracingKind::On
        } else {
            TracingKind::Off
        })
    }
}
