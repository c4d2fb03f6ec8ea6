#[lens::main(logs = "yes", service = 7, level = 3, logger = ["a", 1], shutdown_timeout = "5s")]
fn main() {}
