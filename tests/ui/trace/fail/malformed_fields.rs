#[lens::trace(fields(7 = a, b))]
fn step() {}

fn main() {
    step();
}
