#[lens::trace]
#[lens::main(logs = true)]
fn main() {}
