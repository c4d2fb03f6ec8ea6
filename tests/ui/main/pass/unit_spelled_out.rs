#[lens::main(exporter = "none")]
fn main() -> () {
    std::hint::black_box(());
}
