fn main() {
    let _span = lens::span!("a", kind = "sever", group = "x", group = "y");
    let kind = "b";
    let _span = lens::span!("a", kind = kind);
}
