struct Model;

#[lens::trace(name = "model", fields(a = 1), skip(nwe, banana))]
impl Model {
    fn new() -> Self {
        Self
    }
}

fn main() {
    Model::new();
}
