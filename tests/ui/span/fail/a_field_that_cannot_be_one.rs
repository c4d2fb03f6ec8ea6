struct Model;

fn main() {
    let model = Model;
    let _span = lens::span!("a", model, shown:% = model);
    lens::record!(model:?);
}
