//! How often the thread that logs asks for memory, in 10,000 calls of each kind.

use allocation_counter::measure;

fn allocations(call: fn(u64)) -> u64 {
    call(0);
    measure(|| (0..10_000).for_each(call)).count_total
}

#[lens::main(level = "info", local = "off", tracing = true)]
fn main() {
    let formatted = allocations(|i| log::info!("iteration {i} loss {:.4}", i as f64 * 0.001));
    let fixed = allocations(|_| log::info!("a message without arguments"));
    let span = lens::span!("outer");
    let in_a_span = allocations(|_| log::info!("a message with ids"));
    drop(span);
    let event = allocations(|i| tracing::info!("iteration {i} loss {:.4}", i as f64 * 0.001));
    let by_level = allocations(|i| log::debug!("never formatted {i}"));
    lens::handle().set_filter("off").expect("a directive");
    let by_filter = allocations(|i| log::error!("never formatted {i}"));
    let no_event = allocations(|i| tracing::info!("never formatted {i}"));
    println!("{formatted} {fixed} {in_a_span} {event} {by_level} {by_filter} {no_event}");
}
