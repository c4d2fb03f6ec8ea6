#[lens::trace(skip(step))]
fn step() {}

fn main() {
    step();
}
