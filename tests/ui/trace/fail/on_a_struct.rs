#[lens::trace]
struct Step;

fn main() {
    let _ = Step;
}
