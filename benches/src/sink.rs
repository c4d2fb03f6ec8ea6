//! Where everything goes and nothing stays: a server that answers, and an SDK that does not send.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use lens::opentelemetry_sdk::error::OTelSdkResult;
use lens::opentelemetry_sdk::logs::{
    BatchConfigBuilder, BatchLogProcessor, LogBatch, LogExporter, SdkLoggerProvider,
};

/// A server that takes every request; returns its address.
pub fn sink() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(stream));
        }
    });
    format!("http://{address}")
}

fn answer(stream: TcpStream) -> Option<()> {
    let mut requests = BufReader::new(stream.try_clone().ok()?);
    let mut replies = stream;
    let (mut line, mut length) = (String::new(), 0_usize);
    loop {
        line.clear();
        if requests.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line == "\r\n" {
            std::io::copy(
                &mut requests.by_ref().take(length as u64),
                &mut std::io::sink(),
            )
            .ok()?;
            replies
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
                .ok()?;
        }
    }
}

#[derive(Debug)]
struct Nowhere;

impl LogExporter for Nowhere {
    async fn export(&self, _: LogBatch<'_>) -> OTelSdkResult {
        Ok(())
    }
}

/// The SDK's provider with its batch processor, which loses nothing of so many records, and sends
/// nothing.
pub fn lossless(records: u32) -> SdkLoggerProvider {
    let config = BatchConfigBuilder::default()
        .with_max_queue_size(4 * records as usize)
        .with_max_export_batch_size(512)
        .build();
    let batch = BatchLogProcessor::builder(Nowhere)
        .with_batch_config(config)
        .build();
    SdkLoggerProvider::builder()
        .with_log_processor(batch)
        .build()
}
