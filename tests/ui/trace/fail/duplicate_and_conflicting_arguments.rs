#[lens::trace(name = "a", group = "step", name = "b")]
fn step() {}

fn main() {
    step();
}
