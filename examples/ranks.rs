//! A job of four processes: each trains on its part of the data, and the launcher gathers what
//! they found. The job is one trace, in which each rank's span is below the launcher's; the span
//! that gathers links to those whose results it has.
//!
//! `cargo run --example ranks` prints a tree for each process; `NEMO_LENS_EXPORTER=otlp` sends it
//! to a collector, where they are one.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};

use lens::opentelemetry::Context;

const RANKS: usize = 4;

#[lens::main(logs = true, exporter = "pretty", root_span = "job")]
fn main() -> anyhow::Result<()> {
    // As torchrun tells its processes.
    match (std::env::var("RANK"), std::env::var("MASTER_PORT")) {
        (Ok(rank), Ok(port)) => train(rank.parse()?, port.parse()?),
        _ => launch(),
    }
}

/// Starts the ranks, each with the context of this span, and waits for them.
#[lens::trace(name = "launch", fields(ranks = RANKS))]
fn launch() -> anyhow::Result<()> {
    let (this, listener) = (std::env::current_exe()?, TcpListener::bind("127.0.0.1:0")?);
    let port = listener.local_addr()?.port().to_string();
    let ranks: std::io::Result<Vec<Child>> = (0..RANKS)
        .map(|rank| {
            let mut command = Command::new(&this);
            command
                .env("RANK", rank.to_string())
                .env("MASTER_PORT", &port);
            command.env("WORLD_SIZE", RANKS.to_string());
            lens::process::inject(&mut command).spawn()
        })
        .collect();
    for mut rank in ranks? {
        let status = rank.wait()?;
        anyhow::ensure!(status.success(), "a rank failed: {status}");
    }
    let found: anyhow::Result<Vec<_>> = (0..RANKS).map(|_| receive(&listener)).collect();
    gather(&found?);
    Ok(())
}

/// The loss of a rank, and the context in which it found it.
fn receive(listener: &TcpListener) -> anyhow::Result<(f64, Context)> {
    let mut found = String::new();
    listener.accept()?.0.read_to_string(&mut found)?;
    let (loss, traceparent) = found.split_once(' ').unwrap_or((&found, ""));
    let context = lens::extract(&[("traceparent", traceparent)]);
    Ok((loss.parse()?, context))
}

#[lens::trace(name = "gather", links = found.iter().map(|(_, context)| context))]
fn gather(found: &[(f64, Context)]) {
    let loss: f64 = found.iter().map(|(loss, _)| loss).sum();
    log::info!(loss; "gathered");
}

#[lens::trace(name = "train", fields(rank))]
fn train(rank: usize, port: u16) -> anyhow::Result<()> {
    let part = (1..=100_u32).skip(rank).step_by(RANKS);
    let loss: f64 = part.map(|sample| 1.0 / f64::from(sample)).sum();
    log::info!(loss; "trained");
    let mut carrier = HashMap::new();
    lens::inject(&mut carrier);
    let traceparent = carrier.remove("traceparent").unwrap_or_default();
    let mut launcher = TcpStream::connect(("127.0.0.1", port))?;
    write!(launcher, "{loss} {traceparent}")?;
    Ok(())
}
