//! An application that has its own SDK: `cargo run -p own_sdk` prints the spans of a library
//! that instruments itself with lens, as the application's own exporter sees them.

use opentelemetry::global;
use opentelemetry::trace::{Status, TraceContextExt, Tracer};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use tokenizer::Vocabulary;

/// Prints one line for each span.
#[derive(Debug)]
struct Lines;

impl SpanExporter for Lines {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        for span in batch {
            let place = if span.parent_span_id == opentelemetry::SpanId::INVALID {
                "root"
            } else {
                "inside"
            };
            let status = match &span.status {
                Status::Error { description } => format!(" error={description:?}"),
                _ => String::new(),
            };
            println!(
                "{place} {} by {}{status}",
                span.name,
                span.instrumentation_scope.name()
            );
        }
        Ok(())
    }
}

fn main() -> Result<(), lens::Error> {
    let provider = SdkTracerProvider::builder()
        .with_simple_exporter(Lines)
        .build();
    global::set_tracer_provider(provider);
    lens::set_groups("tokenize")?;
    global::tracer("own_sdk").in_span("job", |context| {
        let vocabulary = Vocabulary::learn("a rose is a rose is a rose", 2);
        for line in ["a rose is", "a daisy"] {
            if let Err(error) = vocabulary.encode(line) {
                context.span().set_status(Status::error(error));
            }
        }
    });
    Ok(())
}
