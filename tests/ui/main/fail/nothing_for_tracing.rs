#[lens::main(logs = true, tracing = "yes")]
fn main() {}
