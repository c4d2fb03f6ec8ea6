#[lens::main]
fn main(argument: u8) {}
