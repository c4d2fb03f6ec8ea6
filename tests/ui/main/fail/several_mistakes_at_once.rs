#[lens::main(lgos = true, level = "verbose", traces = 1, service)]
fn main() {}
