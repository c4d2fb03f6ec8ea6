#![deny(warnings, clippy::all, clippy::pedantic, missing_docs)]
//! Every way to measure.

use std::time::Duration;

const STEPS: &str = "train.steps";

macro_rules! forwarded {
    ($name:expr, $value:expr, $($key:ident = $attribute:expr),*) => {
        lens::counter!($name, $value, $($key = $attribute),*)
    };
}

fn main() {
    let (optimizer, model) = ("sgd".to_owned(), Some("7b"));
    lens::counter!(STEPS, 1);
    lens::counter!(STEPS, 1,);
    lens::counter!("tokens", 4096_u64, description = "Tokens seen.", unit = "{token}", optimizer);
    lens::counter!("joules", 0.5, gpu.index = 7, "unit" = "J", path:? = model, shown:% = 1 + 1);
    lens::up_down_counter!("active", -1_i128);
    lens::gauge!("rate", 0.5_f32, model);
    lens::gauge!("bytes", usize::MAX, nothing = None::<bool>);
    lens::histogram!("duration", Duration::from_millis(20), unit = "s", buckets = [0.01, 0.1]);
    lens::histogram!("size", 7_u8);
    forwarded!("forwarded", 1 + 1, kind = "macro", other = 2);
    let queue = vec![1, 2];
    let depth = lens::gauge!("depth", move || queue.len(), queue = "first");
    drop(depth);
    lens::counter!("read", || 1_u64).forever();
    lens::up_down_counter!("balance", || -0.5).forever();
    for unit in 0..2 {
        lens::counter!("looped", unit, "unit" = unit);
    }
}
