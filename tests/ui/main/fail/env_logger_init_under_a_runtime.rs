#[tokio::main]
#[lens::main(logs = true)]
async fn main() {
    env_logger::init();
}
