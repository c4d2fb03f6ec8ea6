#[lens::trace(err, group, fields(a b))]
fn step() {}

fn main() {
    step();
}
