//! Fisher's Iris data: 150 flowers, four measurements, three species.

use anyhow::Context;

const TEST: usize = 30;
const SPECIES: [&str; 3] = ["setosa", "versicolor", "virginica"];

pub struct Flower {
    /// Four measurements, standardised, and a constant for the bias.
    pub features: [f64; 5],
    pub species: usize,
}

/// Loads the flowers, shuffled the same way each time: for training and for testing.
#[lens::trace(name = "load_data")]
pub fn load() -> anyhow::Result<(Vec<Flower>, Vec<Flower>)> {
    let mut flowers = include_str!("iris.csv")
        .lines()
        .skip(1)
        .map(|line| parse(line).with_context(|| format!("bad line {line:?}")))
        .collect::<anyhow::Result<Vec<_>>>()?;
    standardise(&mut flowers);
    shuffle(&mut flowers);
    let test = flowers.split_off(flowers.len() - TEST);
    log::info!(train = flowers.len(), test = test.len(); "loaded the data");
    Ok((flowers, test))
}

fn parse(line: &str) -> anyhow::Result<Flower> {
    let (measurements, name) = line.rsplit_once(',').context("no species")?;
    let mut features = [1.0; 5];
    for (feature, text) in features.iter_mut().zip(measurements.split(',')) {
        *feature = text.parse()?;
    }
    let species = SPECIES.iter().position(|species| *species == name);
    Ok(Flower {
        features,
        species: species.context("unknown species")?,
    })
}

fn standardise(flowers: &mut [Flower]) {
    let count = flowers.len() as f64;
    for i in 0..4 {
        let mean = flowers.iter().map(|f| f.features[i]).sum::<f64>() / count;
        let squares = flowers.iter().map(|f| (f.features[i] - mean).powi(2));
        let deviation = (squares.sum::<f64>() / count).sqrt();
        for flower in flowers.iter_mut() {
            flower.features[i] = (flower.features[i] - mean) / deviation;
        }
    }
}

/// Fisher and Yates, with a small generator in place of a crate.
fn shuffle(flowers: &mut [Flower]) {
    let mut state = 1936_u64;
    for i in (1..flowers.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        flowers.swap(i, (state >> 33) as usize % (i + 1));
    }
}
