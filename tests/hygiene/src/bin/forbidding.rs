//! A program that lets nobody allow a lint again, generated code included.

#![forbid(
    unsafe_code,
    unreachable_code,
    unused_imports,
    unused_mut,
    unused_variables,
    missing_docs,
    unused_qualifications,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable
)]

use std::future::Future;
use std::pin::Pin;

#[telemetry::trace(crate = telemetry, group = "step", fields(count = list.len()))]
fn total(mut list: Vec<u8>, (left, right): (u8, u8)) -> Result<u64, String> {
    use std::iter;
    list.extend(iter::once(left ^ right));
    list.iter().map(|item| Ok(u64::from(*item))).sum()
}

#[telemetry::trace(crate = telemetry)]
async fn later(mut text: String) -> Result<usize, Box<dyn std::error::Error>> {
    tokio::task::yield_now().await;
    text.push_str(&text.parse::<usize>()?.to_string());
    Ok(text.len())
}

#[telemetry::trace(crate = telemetry)]
fn boxed(text: String) -> Pin<Box<dyn Future<Output = Result<usize, String>> + Send>> {
    Box::pin(async move { later(text).await.map_err(|error| error.to_string()) })
}

#[telemetry::trace(crate = telemetry)]
fn never(code: u8) -> ! {
    let success = code == 0;
    std::process::exit(i32::from(!success))
}

#[telemetry::main(crate = telemetry, enabled = false, root_span = "job", groups = ["job", "step"])]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let _span = telemetry::span!("all", kind = "server", list:? = [1, 2]);
    let sum = total(vec![1], (2, 3))?;
    telemetry::record!(sum);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let length = runtime.block_on(boxed("7".to_owned()))?;
    never(u8::from(sum != 2 || length != 2))
}
