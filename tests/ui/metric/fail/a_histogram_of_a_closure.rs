fn main() {
    lens::histogram!("duration", || 0.5);
}
