#[lens::main(logs = true)]
#[lens::trace]
fn main() {}
