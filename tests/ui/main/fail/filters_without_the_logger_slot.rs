#[lens::main(local = "none", level = "debug", logger = "a")]
fn main() {}
