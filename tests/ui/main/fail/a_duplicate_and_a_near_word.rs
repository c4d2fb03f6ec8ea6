#[lens::main(root_spam = "job", groups = "all", groups = 7, level = "inof")]
fn main() {}
