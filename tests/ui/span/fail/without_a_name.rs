fn main() {
    let _span = lens::span!();
    let _span: lens::SpanGuard = lens::span!(a = 1);
}
