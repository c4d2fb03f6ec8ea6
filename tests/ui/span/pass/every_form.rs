#![deny(warnings)]

fn main() {
    let shots = 5;
    let model = vec![1];
    let name = String::from("owned");
    let _plain = lens::span!("plain");
    let _comma = lens::span!("comma",);
    let _owned = lens::span!(name, group = "step", kind = "client",);
    const GROUP: &str = "io";
    let _all = lens::span!("all", shots, twice = shots * 2, a.b = -shots, model:?, m:? = model, kind = "server", c:% = 'c', d:%= "d", "e-f" = Some(true), group = GROUP);
    lens::record!();
    lens::record!(shots, x.y = 1 + 1, model:? = &model[..]);
    drop(lens::span!("future").instrument(async {}));
}
