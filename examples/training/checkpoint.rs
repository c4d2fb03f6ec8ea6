//! The model on disk: one weight a line.

use std::io;
use std::path::{Path, PathBuf};

use crate::model::Model;

/// Where this run keeps its checkpoint.
pub fn directory() -> PathBuf {
    std::env::temp_dir().join(format!("lens-training-{}", std::process::id()))
}

#[lens::trace(name = "load_checkpoint", group = "load_checkpoint")]
pub fn load(directory: &Path) -> io::Result<Model> {
    let text = std::fs::read_to_string(directory.join("model.txt"))?;
    let mut model = Model::default();
    for (weight, line) in model.weights.iter_mut().flatten().zip(text.lines()) {
        *weight = line.parse().map_err(io::Error::other)?;
    }
    Ok(model)
}

#[lens::trace(name = "checkpoint", group = "checkpoint")]
pub fn save(model: &Model, directory: &Path) -> io::Result<()> {
    let lines = model
        .weights
        .iter()
        .flatten()
        .map(|weight| format!("{weight}\n"));
    let text: String = lines.collect();
    std::fs::create_dir_all(directory)?;
    std::fs::write(directory.join("model.txt"), &text)?;
    log::info!(bytes = text.len(); "saved the model");
    Ok(())
}
