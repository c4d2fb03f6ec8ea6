//! Softmax regression: one linear score for each species.

use crate::data::Flower;

pub type Weights = [[f64; 5]; 3];

#[derive(Default)]
pub struct Model {
    pub weights: Weights,
}

impl Model {
    /// Returns the mean loss of a batch, and its gradient.
    #[lens::trace(name = "forward_backward", group = "forward_backward", fields(batch = batch.len()))]
    pub fn forward_backward(&self, batch: &[Flower]) -> (f64, Weights) {
        let mut loss = 0.0;
        let mut gradient = Weights::default();
        for flower in batch {
            let probabilities = self.probabilities(flower);
            loss -= probabilities[flower.species].ln() / batch.len() as f64;
            for (species, row) in gradient.iter_mut().enumerate() {
                let wanted = f64::from(species == flower.species);
                let error = (probabilities[species] - wanted) / batch.len() as f64;
                for (slope, feature) in row.iter_mut().zip(flower.features) {
                    *slope += error * feature;
                }
            }
        }
        log::debug!(loss = rounded(loss); "computed the gradient");
        (loss, gradient)
    }

    /// Takes one step down the gradient.
    #[lens::trace(name = "optimizer", group = "optimizer")]
    pub fn update(&mut self, gradient: &Weights, learning_rate: f64) {
        let slopes = gradient.iter().flatten();
        for (weight, slope) in self.weights.iter_mut().flatten().zip(slopes.clone()) {
            *weight -= learning_rate * slope;
        }
        let norm = slopes.map(|slope| slope * slope).sum::<f64>().sqrt();
        log::debug!(norm = rounded(norm); "updated the weights");
    }

    pub fn predict(&self, flower: &Flower) -> usize {
        let probabilities = self.probabilities(flower);
        let best = probabilities
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(b.1));
        best.map_or(0, |(species, _)| species)
    }

    fn probabilities(&self, flower: &Flower) -> [f64; 3] {
        let score = |row: [f64; 5]| row.iter().zip(flower.features).map(|(w, x)| w * x).sum();
        let scores: [f64; 3] = self.weights.map(score);
        let highest = scores.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let exponentials = scores.map(|score| (score - highest).exp());
        let sum: f64 = exponentials.iter().sum();
        exponentials.map(|exponential| exponential / sum)
    }
}

/// For log lines: four digits are enough for a person.
pub fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
