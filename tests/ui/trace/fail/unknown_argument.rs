#[lens::trace(nmae = "step", field(a = 1))]
fn step() {}

fn main() {
    step();
}
