#[lens::trace(group = name)]
fn step(name: &'static str) {}

fn main() {
    step("step");
}
