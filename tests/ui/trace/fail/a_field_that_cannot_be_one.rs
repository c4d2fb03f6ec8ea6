struct Model;

#[lens::trace(fields(model))]
fn step(model: &Model) {}

fn main() {
    step(&Model);
}
