#[lens::main(logs = true, logs = false)]
fn main() {}
