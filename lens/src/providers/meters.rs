//! The provider of meters, made when somebody asks for the first one: a program without metrics
//! pays nothing for them.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};

use opentelemetry::metrics::noop::NoopMeterProvider;
use opentelemetry::metrics::{Meter, MeterProvider};
use opentelemetry::{Context, InstrumentationScope, Key};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::metrics::{
    Aggregation, Instrument, InstrumentKind, MeterProviderBuilder, PeriodicReader,
    SdkMeterProvider, Stream, Temporality,
};
use tokio::runtime::Handle;

use crate::asked;
use crate::config::{self, Metrics, Own, OwnView};
use crate::diag;
use crate::export::{Collected, Item};
use crate::os;
use crate::pipeline::{Errand, Lane};
use crate::stats::FOR_EVER;

type Build = Box<dyn FnOnce() -> SdkMeterProvider + Send>;

/// Provides meters.
#[derive(Clone)]
pub(crate) struct Meters {
    provider: Arc<Mutex<Provider>>,
    lanes: Vec<Arc<Lane>>,
}

enum Provider {
    Unused(Build),
    Used(SdkMeterProvider),
    /// It came to its end, or it is being built.
    Gone,
}

impl fmt::Debug for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_used = self.used().is_some();
        f.debug_struct("Meters").field("is_used", &is_used).finish()
    }
}

impl Meters {
    /// Meters whose measurements are collected for `lanes` and for the program's own exporters.
    pub(super) fn new(
        lanes: Vec<Arc<Lane>>,
        metrics: Metrics,
        own: Own,
        resource: Resource,
    ) -> Self {
        let queues = lanes.clone();
        let build = move || {
            let mut builder = SdkMeterProvider::builder().with_resource(resource);
            if !queues.is_empty() {
                let queue = QueueMetrics {
                    lanes: queues,
                    temporality: metrics.temporality,
                };
                // lens says when, after it has asked the program's closures for their numbers.
                let reader = PeriodicReader::builder(queue).with_interval(FOR_EVER);
                builder = builder.with_reader(reader.build());
            }
            for add in own.metric_exporters {
                builder = add(builder);
            }
            with_views(builder, own.views, &metrics).build()
        };
        Self {
            provider: Arc::new(Mutex::new(Provider::Unused(Box::new(build)))),
            lanes,
        }
    }

    /// What takes the metrics that are collected.
    pub(super) fn lanes(&self) -> Vec<Arc<Lane>> {
        self.lanes.clone()
    }

    /// Collects once more, by `deadline` if there is one; `None` where nobody ever asked for a
    /// meter.
    pub(super) fn collect(&self, deadline: Option<Instant>) -> Option<Errand> {
        let provider = self.used()?;
        Some(Box::new(move || {
            ask_within(deadline.map_or(PATIENCE, patience));
            told(provider.force_flush());
        }))
    }

    /// Collects for the last time; `None` where nobody ever asked for a meter, and from now on
    /// nobody gets one that does anything.
    pub(super) fn end(&self, deadline: Instant) -> Option<Errand> {
        match std::mem::replace(&mut *self.lock(), Provider::Gone) {
            Provider::Used(provider) => Some(Box::new(move || {
                ask_within(patience(deadline));
                told(provider.shutdown());
            })),
            Provider::Unused(_) | Provider::Gone => None,
        }
    }

    /// The provider, where somebody asked for a meter.
    fn used(&self) -> Option<SdkMeterProvider> {
        match &*self.lock() {
            Provider::Used(provider) => Some(provider.clone()),
            Provider::Unused(_) | Provider::Gone => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Provider> {
        self.provider.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MeterProvider for Meters {
    fn meter_with_scope(&self, scope: InstrumentationScope) -> Meter {
        // In a forked child the lock may be held for ever, and nobody exports.
        if os::is_forked_child() {
            return NoopMeterProvider::new().meter_with_scope(scope);
        }
        {
            let mut provider = self.lock();
            *provider = match std::mem::replace(&mut *provider, Provider::Gone) {
                Provider::Unused(build) => Provider::Used(build()),
                other => other,
            };
        }
        match self.used() {
            Some(provider) => provider.meter_with_scope(scope),
            None => NoopMeterProvider::new().meter_with_scope(scope),
        }
    }
}

/// How long closures are waited for, where there is so much time.
const PATIENCE: Duration = Duration::from_secs(2);

/// Of what is left, half is for what has no closure.
fn patience(deadline: Instant) -> Duration {
    PATIENCE.min(deadline.saturating_duration_since(Instant::now()) / 2)
}

/// Asks all closures, on a thread of their own: one that does not come back costs its number and
/// those of the others, and nothing more.
fn ask_within(patience: Duration) {
    if !asked::is_any() {
        return;
    }
    let until = Instant::now() + patience;
    let (done, is_done) = mpsc::channel();
    let asking = asked::turn(patience).map(|turn| {
        Handle::current().spawn_blocking(move || {
            let _turn = turn;
            // These are the program's own measurements and records.
            let _attached = Context::new().attach();
            os::as_of_the_program(|| asked::ask_all(None));
            let _ = done.send(());
        })
    });
    let left = until.saturating_duration_since(Instant::now());
    if asking.is_none() || is_done.recv_timeout(left).is_err() {
        asked::forget_all();
        diag::fault(
            "ask metrics",
            "a closure of a metric does not return; metrics are collected without closures",
        );
    }
}

fn told(collected: OTelSdkResult) {
    if let Err(error) = collected
        && !matches!(error, OTelSdkError::AlreadyShutdown)
    {
        diag::fault(
            "collect metrics",
            format_args!("metrics cannot be collected: {error}; a callback may have panicked"),
        );
    }
}

/// Adds what an operator says of metrics, the program's views for what that is not for, and the one
/// for histograms that none of them is for.
fn with_views(
    mut builder: MeterProviderBuilder,
    own: Vec<OwnView>,
    metrics: &Metrics,
) -> MeterProviderBuilder {
    let said = Arc::new(metrics.views.clone());
    for view in &own {
        let (view, said) = (Arc::clone(view), Arc::clone(&said));
        builder = builder.with_view(move |instrument: &Instrument| {
            (said.of(instrument.name()).is_none()).then(|| view(instrument))?
        });
    }
    let exponential = metrics.exponential;
    builder.with_view(move |instrument: &Instrument| {
        let is_exponential = exponential && instrument.kind() == InstrumentKind::Histogram;
        match said.of(instrument.name()) {
            Some(view) => stream(&view, instrument.kind(), is_exponential),
            None if is_exponential && own.iter().all(|own| own(instrument).is_none()) => {
                Stream::builder().with_aggregation(EXPONENTIAL).build().ok()
            }
            None => None,
        }
    })
}

/// As the specification has it:
/// <https://opentelemetry.io/docs/specs/otel/metrics/sdk/#base2-exponential-bucket-histogram-aggregation>
const EXPONENTIAL: Aggregation = Aggregation::Base2ExponentialHistogram {
    max_size: 160,
    max_scale: 20,
    record_min_max: true,
};

fn stream(view: &config::View<'_>, kind: InstrumentKind, is_exponential: bool) -> Option<Stream> {
    let mut stream = Stream::builder();
    if view.is_off {
        stream = stream.with_aggregation(Aggregation::Drop);
    } else if let (Some(bounds), InstrumentKind::Histogram) = (view.buckets, kind) {
        stream = stream.with_aggregation(Aggregation::ExplicitBucketHistogram {
            boundaries: bounds.to_vec(),
            record_min_max: true,
        });
    } else if is_exponential {
        stream = stream.with_aggregation(EXPONENTIAL);
    }
    if let Some(keys) = view.keys {
        stream = stream.with_allowed_attribute_keys(keys.iter().cloned().map(Key::from));
    }
    if let Some(limit) = view.limit {
        stream = stream.with_cardinality_limit(limit);
    }
    stream.build().ok()
}

/// Queues what is collected.
#[derive(Debug)]
struct QueueMetrics {
    lanes: Vec<Arc<Lane>>,
    temporality: Temporality,
}

impl PushMetricExporter for QueueMetrics {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        let collected = Collected::from(metrics);
        if !collected.is_empty() {
            for lane in &self.lanes {
                lane.push(Item::Metrics(Box::new(collected.clone())));
            }
        }
        Ok(())
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    /// Delivery has one owner, [`Providers::stop`](super::Providers::stop).
    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }

    fn temporality(&self) -> Temporality {
        self.temporality
    }
}
