//! Trains a softmax regression on Fisher's Iris data and shows what happened and why.
//!
//! `cargo run --example training` prints the spans as a tree with the log lines in them;
//! `NEMO_LENS_EXPORTER=console` prints one JSON object a line, `NEMO_LENS_EXPORTER=otlp`
//! sends it to a collector, `NEMO_LENS_SPAN_GROUPS=default` leaves out the spans of every step.
//! `-- 100` trains for 100 epochs.

mod checkpoint;
mod data;
mod model;

use model::{Model, rounded};

const BATCH: usize = 40;
const LEARNING_RATE: f64 = 0.5;

#[lens::main(
    logs = true,
    level = "debug",
    logger = "crate",
    exporter = "pretty",
    groups = "per_step"
)]
fn main() -> anyhow::Result<()> {
    let epochs = match std::env::args().nth(1) {
        Some(epochs) => epochs.parse()?,
        None => 2,
    };
    job(epochs)
}

#[lens::trace(name = "job", group = "job", fields(epochs))]
fn job(epochs: usize) -> anyhow::Result<()> {
    let (train, test) = data::load()?;
    let directory = checkpoint::directory();
    let mut model = match checkpoint::load(&directory) {
        Ok(model) => model,
        Err(error) => {
            log::warn!(error:err = error; "no checkpoint, starting afresh");
            Model::default()
        }
    };
    for epoch in 0..epochs {
        for (i, batch) in train.chunks(BATCH).enumerate() {
            step(&mut model, batch, epoch * train.len().div_ceil(BATCH) + i);
        }
        evaluate(&model, &test, epoch);
    }
    checkpoint::save(&model, &directory)?;
    std::fs::remove_dir_all(&directory)?;
    Ok(())
}

#[lens::trace(name = "step", group = "step", fields(iteration))]
fn step(model: &mut Model, batch: &[data::Flower], iteration: usize) {
    let (loss, gradient) = model.forward_backward(batch);
    model.update(&gradient, LEARNING_RATE);
    lens::counter!("train.samples", batch.len(), unit = "{sample}");
    lens::gauge!("train.loss", rounded(loss));
    log::info!(loss = rounded(loss), learning_rate = LEARNING_RATE; "iteration {iteration}");
}

#[lens::trace(name = "evaluate", group = "evaluate", fields(epoch))]
fn evaluate(model: &Model, test: &[data::Flower], epoch: usize) {
    let right = test
        .iter()
        .filter(|flower| model.predict(flower) == flower.species);
    let accuracy = right.count() as f64 / test.len() as f64;
    log::info!(accuracy = rounded(accuracy); "epoch {epoch}");
}
