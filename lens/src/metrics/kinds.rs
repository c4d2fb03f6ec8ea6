//! The kinds of instruments.

use opentelemetry::KeyValue;
use opentelemetry::metrics::{self, AsyncInstrument, Meter};

use super::amount::Number;
use super::metric::{About, Metric};
use crate::diag;

/// A kind of instrument, with one for whole numbers and one for others.
pub trait Kind: Sized + 'static {
    /// The instrument for whole numbers.
    type Whole: Send + Sync;
    /// The instrument for others.
    type Real: Send + Sync;

    /// Takes a measurement.
    fn measure(metric: &Metric<Self>, epoch: u32, number: Number, attributes: &[KeyValue]);

    /// Has `observe` asked for numbers at each collection.
    fn observe(meter: &Meter, about: &About, is_real: bool, observe: Observe);
}

/// Calls what it is given with each number there is.
pub(crate) type Observe = Box<dyn Fn(&mut dyn FnMut(Number, &[KeyValue])) + Send + Sync>;

/// A sum that grows.
#[derive(Debug)]
pub struct Counter;

/// A sum that grows and shrinks.
#[derive(Debug)]
pub struct UpDownCounter;

/// The latest of some numbers.
#[derive(Debug)]
pub struct Gauge;

/// How many of some numbers are how large.
#[derive(Debug)]
pub struct Histogram;

/// Builds an instrument with its unit and its description.
macro_rules! built {
    ($meter:expr, $instrument:ident, $about:expr $(, $with:ident($more:expr))?) => {{
        let (meter, about): (&Meter, &About) = ($meter, $about);
        let mut builder = meter.$instrument(about.name);
        if let Some(unit) = about.unit {
            builder = builder.with_unit(unit);
        }
        if let Some(description) = about.description {
            builder = builder.with_description(description);
        }
        $(builder = builder.$with($more);)?
        builder.build()
    }};
}

/// A kind with two instruments, each of its own type of numbers.
macro_rules! kind {
    (
        $kind:ident, $take:ident,
        $whole:ty: $whole_instrument:ident, $whole_observed:ident, $to_whole:expr,
        f64: $real_instrument:ident, $real_observed:ident, $to_real:expr $(,)?
    ) => {
        impl Kind for $kind {
            type Whole = metrics::$kind<$whole>;
            type Real = metrics::$kind<f64>;

            #[inline(always)]
            fn measure(metric: &Metric<Self>, epoch: u32, number: Number, attributes: &[KeyValue]) {
                let about = &metric.about;
                if let Number::Real(_) = number {
                    let make = || built!(&about.meter(), $real_instrument, about);
                    match $to_real(number) {
                        Some(real) => metric.real.get(epoch, make).$take(real, attributes),
                        None => shrinks(about, number),
                    }
                } else {
                    let make = || built!(&about.meter(), $whole_instrument, about);
                    match $to_whole(number) {
                        Some(whole) => metric.whole.get(epoch, make).$take(whole, attributes),
                        None => shrinks(about, number),
                    }
                }
            }

            fn observe(meter: &Meter, about: &About, is_real: bool, observe: Observe) {
                if is_real {
                    let callback = observing(observe, $to_real);
                    built!(meter, $real_observed, about, with_callback(callback));
                } else {
                    let callback = observing(observe, $to_whole);
                    built!(meter, $whole_observed, about, with_callback(callback));
                }
            }
        }
    };
}

kind! {
    Counter, add,
    u64: u64_counter, u64_observable_counter, Number::growth,
    f64: f64_counter, f64_observable_counter, |number: Number| {
        Some(number.real()).filter(|real| *real >= 0.0)
    },
}
kind! {
    UpDownCounter, add,
    i64: i64_up_down_counter, i64_observable_up_down_counter, |number: Number| Some(number.whole()),
    f64: f64_up_down_counter, f64_observable_up_down_counter, |number: Number| Some(number.real()),
}
kind! {
    Gauge, record,
    i64: i64_gauge, i64_observable_gauge, |number: Number| Some(number.whole()),
    f64: f64_gauge, f64_observable_gauge, |number: Number| Some(number.real()),
}

/// Has each number observed as `convert` takes it.
fn observing<T: 'static>(
    observe: Observe,
    convert: fn(Number) -> Option<T>,
) -> impl Fn(&dyn AsyncInstrument<T>) + Send + Sync {
    move |instrument| {
        observe(&mut |number, attributes| {
            if let Some(value) = convert(number) {
                instrument.observe(value, attributes);
            }
        });
    }
}

/// A counter was to be made less.
#[cold]
fn shrinks(about: &About, number: Number) {
    let name = about.name;
    diag::fault(
        &format!("counter {name} shrinks"),
        format_args!(
            "the counter {name} cannot take {}; write `up_down_counter!` for what shrinks",
            number.real()
        ),
    );
}

impl Kind for Histogram {
    type Whole = ();
    type Real = metrics::Histogram<f64>;

    #[inline(always)]
    fn measure(metric: &Metric<Self>, epoch: u32, number: Number, attributes: &[KeyValue]) {
        let about = &metric.about;
        let make = || match about.buckets {
            Some(bounds) => {
                let bounds = bounds.to_vec();
                built!(
                    &about.meter(),
                    f64_histogram,
                    about,
                    with_boundaries(bounds)
                )
            }
            None => built!(&about.meter(), f64_histogram, about),
        };
        // Its sum is a floating-point number on the wire, whatever it is the sum of.
        metric
            .real
            .get(epoch, make)
            .record(number.real(), attributes);
    }

    fn observe(_: &Meter, _: &About, _: bool, _: Observe) {
        // The macro takes no closure for it.
    }
}
