#[lens::main(level = "verbose", exporter = "oltp", protocol = "thrift", local = "sdterr")]
fn main() {}
