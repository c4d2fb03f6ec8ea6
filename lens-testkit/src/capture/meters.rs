//! The meter provider of the process: each measurement goes to the capture that owns it, also by
//! an instrument that was made before.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use lens::opentelemetry::metrics::{
    AsyncInstrument, AsyncInstrumentBuilder, Callback, Counter, Gauge, Histogram, HistogramBuilder,
    InstrumentBuilder, InstrumentProvider, Meter, MeterProvider, ObservableCounter,
    ObservableGauge, ObservableUpDownCounter, SyncInstrument, UpDownCounter,
};
use lens::opentelemetry::{Context, InstrumentationScope, KeyValue};
use lens::opentelemetry_sdk::error::OTelSdkResult;
use lens::opentelemetry_sdk::metrics::data::ResourceMetrics;
use lens::opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use lens::opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider, Temporality};

use super::registry;
use crate::model::Point;
use crate::receiver::points;

/// Longer than any test: what is measured is collected when it is asked for.
const NEVER: Duration = Duration::from_secs(24 * 60 * 60);

/// What was made outside of every capture, for each that comes.
static FOR_ALL: Mutex<Vec<Arc<Register>>> = Mutex::new(Vec::new());

type Register = dyn Fn(&SdkMeterProvider) + Send + Sync;

/// See above.
#[derive(Debug)]
pub(super) struct MeterRouter;

impl MeterProvider for MeterRouter {
    fn meter_with_scope(&self, scope: InstrumentationScope) -> Meter {
        Meter::new(Arc::new(RoutingMeter(scope)))
    }
}

/// What one capture measures; made when something is.
#[derive(Debug)]
pub(super) struct Meters {
    provider: SdkMeterProvider,
    collected: Collected,
}

impl Meters {
    pub(super) fn new() -> Self {
        let collected = Collected::default();
        // The reader's own thread is nobody's.
        let _quiet = Context::enter_telemetry_suppressed_scope();
        let reader = PeriodicReader::builder(collected.clone()).with_interval(NEVER);
        let provider = SdkMeterProvider::builder()
            .with_reader(reader.build())
            .build();
        let for_all = FOR_ALL.lock().unwrap_or_else(PoisonError::into_inner);
        let for_all = for_all.clone();
        for_all.iter().for_each(|register| register(&provider));
        Self {
            provider,
            collected,
        }
    }

    /// What was measured so far, by name.
    pub(super) fn points(&self) -> Vec<Arc<Point>> {
        let _ = self.provider.force_flush();
        let mut points = std::mem::take(&mut *self.collected.lock());
        points.sort_by(|a, b| a.name.cmp(&b.name));
        points.into_iter().map(Arc::new).collect()
    }
}

#[derive(Clone, Debug, Default)]
struct Collected(Arc<Mutex<Vec<Point>>>);

impl Collected {
    fn lock(&self) -> MutexGuard<'_, Vec<Point>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PushMetricExporter for Collected {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        let mut collected = self.lock();
        collected.clear();
        points(metrics.into(), &mut collected);
        Ok(())
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }

    fn temporality(&self) -> Temporality {
        Temporality::Cumulative
    }
}

/// A meter of one instrumentation scope.
#[derive(Debug)]
struct RoutingMeter(InstrumentationScope);

/// An instrument that finds those of the captures.
struct Routed<T, I> {
    scope: InstrumentationScope,
    make: Box<dyn Fn(&Meter) -> I + Send + Sync>,
    measure: fn(&I, T, &[KeyValue]),
    /// Those made so far, by capture.
    made: Mutex<HashMap<u64, Arc<I>>>,
}

impl<T, I> Routed<T, I> {
    fn new(
        scope: &InstrumentationScope,
        make: impl Fn(&Meter) -> I + Send + Sync + 'static,
        measure: fn(&I, T, &[KeyValue]),
    ) -> Arc<Self> {
        Arc::new(Self {
            scope: scope.clone(),
            make: Box::new(make),
            measure,
            made: Mutex::default(),
        })
    }
}

impl<T: Send, I: Send + Sync> SyncInstrument<T> for Routed<T, I> {
    fn measure(&self, measurement: T, attributes: &[KeyValue]) {
        // What no capture owns is measured for nobody.
        let Some(capture) = registry::current() else {
            return;
        };
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if !made.contains_key(&capture.id) {
            made.retain(|id, _| registry::is_live(*id));
        }
        let instrument = made.entry(capture.id).or_insert_with(|| {
            let meter = capture
                .meters()
                .provider
                .meter_with_scope(self.scope.clone());
            Arc::new((self.make)(&meter))
        });
        let instrument = Arc::clone(instrument);
        drop(made);
        (self.measure)(&instrument, measurement, attributes);
    }
}

impl<T, I> fmt::Debug for Routed<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Routed")
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

/// Applies what a builder says to another one.
macro_rules! like {
    ($builder:expr, $unit:expr, $description:expr) => {{
        let mut builder = $builder;
        if let Some(unit) = $unit.clone() {
            builder = builder.with_unit(unit);
        }
        if let Some(description) = $description.clone() {
            builder = builder.with_description(description);
        }
        builder
    }};
}

/// The methods for instruments that are told.
macro_rules! told {
    ($($method:ident: $kind:ident<$number:ty>, $take:ident;)*) => {$(
        fn $method(&self, builder: InstrumentBuilder<'_, $kind<$number>>) -> $kind<$number> {
            let (name, unit, description) = (builder.name, builder.unit, builder.description);
            let make = move |meter: &Meter| {
                like!(meter.$method(name.clone()), unit, description).build()
            };
            $kind::new(Routed::new(&self.0, make, |instrument, number, attributes| {
                instrument.$take(number, attributes);
            }))
        }
    )*};
}

/// The methods for histograms.
macro_rules! distributed {
    ($($method:ident: $number:ty;)*) => {$(
        fn $method(
            &self,
            builder: HistogramBuilder<'_, Histogram<$number>>,
        ) -> Histogram<$number> {
            let (name, unit, description) = (builder.name, builder.unit, builder.description);
            let boundaries = builder.boundaries;
            let make = move |meter: &Meter| {
                let mut builder = like!(meter.$method(name.clone()), unit, description);
                if let Some(boundaries) = boundaries.clone() {
                    builder = builder.with_boundaries(boundaries);
                }
                builder.build()
            };
            Histogram::new(Routed::new(&self.0, make, |instrument, number, attributes| {
                instrument.record(number, attributes);
            }))
        }
    )*};
}

/// The methods for instruments that ask.
macro_rules! asking {
    ($($method:ident: $kind:ident<$number:ty>;)*) => {$(
        fn $method(
            &self,
            builder: AsyncInstrumentBuilder<'_, $kind<$number>, $number>,
        ) -> $kind<$number> {
            let (name, unit, description) = (builder.name, builder.unit, builder.description);
            let callbacks: Arc<[Callback<$number>]> = builder.callbacks.into();
            let scope = self.0.clone();
            register(move |provider| {
                let meter = provider.meter_with_scope(scope.clone());
                let callbacks = Arc::clone(&callbacks);
                let observe = move |observer: &dyn AsyncInstrument<$number>| {
                    callbacks.iter().for_each(|callback| callback(observer));
                };
                like!(meter.$method(name.clone()), unit, description)
                    .with_callback(observe)
                    .build();
            });
            $kind::new()
        }
    )*};
}

/// For the capture that owns the current code, or for each that comes.
fn register(register: impl Fn(&SdkMeterProvider) + Send + Sync + 'static) {
    match registry::current() {
        Some(capture) => register(&capture.meters().provider),
        None => {
            let mut for_all = FOR_ALL.lock().unwrap_or_else(PoisonError::into_inner);
            for_all.push(Arc::new(register));
        }
    }
}

impl InstrumentProvider for RoutingMeter {
    told! {
        u64_counter: Counter<u64>, add;
        f64_counter: Counter<f64>, add;
        i64_up_down_counter: UpDownCounter<i64>, add;
        f64_up_down_counter: UpDownCounter<f64>, add;
        u64_gauge: Gauge<u64>, record;
        i64_gauge: Gauge<i64>, record;
        f64_gauge: Gauge<f64>, record;
    }
    distributed! {
        u64_histogram: u64;
        f64_histogram: f64;
    }
    asking! {
        u64_observable_counter: ObservableCounter<u64>;
        f64_observable_counter: ObservableCounter<f64>;
        i64_observable_up_down_counter: ObservableUpDownCounter<i64>;
        f64_observable_up_down_counter: ObservableUpDownCounter<f64>;
        u64_observable_gauge: ObservableGauge<u64>;
        i64_observable_gauge: ObservableGauge<i64>;
        f64_observable_gauge: ObservableGauge<f64>;
    }
}

/// The meters of a capture, once something is measured.
#[derive(Debug, Default)]
pub(super) struct Lazy(OnceLock<Meters>);

impl Lazy {
    pub(super) fn get(&self) -> &Meters {
        self.0.get_or_init(Meters::new)
    }

    /// What was measured so far; nothing where nothing was.
    pub(super) fn points(&self) -> Vec<Arc<Point>> {
        let for_all = FOR_ALL.lock().unwrap_or_else(PoisonError::into_inner).len();
        if self.0.get().is_none() && for_all == 0 {
            return Vec::new();
        }
        self.get().points()
    }
}
