use tracing_subscriber::prelude::*;

mod handed_over {
    use tracing_subscriber::prelude::*;

    fn subscriber() -> impl tracing::Subscriber + Send + Sync + for<'a> tracing_subscriber::registry::LookupSpan<'a>
    {
        tracing_subscriber::registry().with(tracing_subscriber::fmt::layer())
    }

    #[lens::main(logs = true, tracing = subscriber(), exporter = "none")]
    pub fn main() {
        tracing::info!("said");
    }
}

#[lens::main(level = "info", tracing = true, local = "none", exporter = "none")]
fn main() {
    tracing_subscriber::registry().with(lens::layer()).init();
    handed_over::main();
}
