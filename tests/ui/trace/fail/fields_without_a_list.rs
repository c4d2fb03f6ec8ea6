#[lens::trace(name = 7, fields = "a")]
fn step() {}

fn main() {
    step();
}
