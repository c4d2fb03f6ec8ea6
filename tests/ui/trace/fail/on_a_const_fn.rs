#[lens::trace]
const fn size() -> usize {
    7
}

fn main() {
    size();
}
