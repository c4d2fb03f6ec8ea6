fn main() {
    let headers = std::collections::HashMap::<String, String>::new();
    let _span = lens::span!("process", parent = &headers);
    let _other = lens::span!("process", links = [headers]);
}
