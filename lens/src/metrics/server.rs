//! What servers are measured by.

use super::kinds::Histogram;
use super::metric::Metric;

/// <https://opentelemetry.io/docs/specs/semconv/http/http-metrics/#metric-httpserverrequestduration>
static DURATION: Metric<Histogram> = Metric::new(
    "http.server.request.duration",
    (Some("lens"), Some(env!("CARGO_PKG_VERSION"))),
)
.unit("s")
.description("Duration of HTTP server requests.")
.buckets(&[
    0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
]);

/// How long requests take.
pub(crate) fn server_duration() -> &'static Metric<Histogram> {
    &DURATION
}
