// https://github.com/palantir/rust-zipkin/issues/38 (MAC-11)
use std::rc::Rc;

#[lens::trace]
async fn local(rc: Rc<u8>) {
    std::future::ready(()).await;
    drop(rc);
}

#[lens::trace]
async fn guarded() {
    let _guard = lens::span!("held across an await");
    std::future::ready(()).await;
}

fn send<T: Send>(_: T) {}

fn main() {
    send(local(Rc::new(1)));
    send(guarded());
}
