//! A runtime by hand below an annotated main, beside a block that has nothing to do with it.

#[lens::main(logs = true)]
fn main() {
    log::info!("before the runtime");
    let other = async { log::info!("in the other block") };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    runtime.block_on(serve());
    runtime.block_on(other);
}

async fn serve() {
    log::info!("in main's own future");
}
