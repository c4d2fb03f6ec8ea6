#[lens::main]
struct Trainer;

fn main() {}
