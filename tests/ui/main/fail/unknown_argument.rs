#[lens::main(lgos = true)]
fn main() {}
