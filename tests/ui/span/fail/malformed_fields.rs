fn main() {
    let a = 1;
    let _span = lens::span!("a", a:! = 1, "b", c = , a a);
    let _span = lens::span!("a" b = 1);
    lens::record!(1 = a, x:);
}
