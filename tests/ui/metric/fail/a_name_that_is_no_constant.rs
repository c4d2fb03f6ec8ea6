fn main() {
    let name = "requests";
    lens::counter!(name, 1);
}
