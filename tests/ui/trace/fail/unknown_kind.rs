#[lens::trace(kind = "sever", err = "no", group = 7)]
fn step() {}

fn main() {
    step();
}
