#[lens::bridge(level = "debug")]
fn step() {}

#[lens::bridge]
impl Model {}

struct Model;

fn main() {
    step();
    let _ = Model;
}
