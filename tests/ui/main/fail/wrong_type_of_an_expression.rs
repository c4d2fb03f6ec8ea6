const TIMEOUT: &str = "5s";

#[lens::main(shutdown_timeout = TIMEOUT)]
fn main() {}
