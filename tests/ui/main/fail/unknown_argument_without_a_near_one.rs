#[lens::main(banana = true)]
fn main() {}
