fn main() {
    lens::counter!();
    lens::counter!("requests");
    lens::counter!(unit = "s");
    lens::gauge!("depth", unit = "s");
}
