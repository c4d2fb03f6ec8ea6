fn main() {
    lens::counter!("requests", "one");
    lens::gauge!("depth", || "deep").forever();
    lens::counter!("requests", 1, path = std::path::Path::new("/"));
    lens::counter!("requests", 1, buckets = [1.0]);
}
