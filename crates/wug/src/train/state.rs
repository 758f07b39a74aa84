//! What a step of training changes: parameters, optimiser, average.

use tilegrad::optim::{Adam, AdamSettings, Average, OptimError};

/// The numbers of a run between two steps.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    /// The parameters that the next gradient is taken at.
    pub(super) parameters: Vec<f32>,
    pub(super) adam: Adam<f32>,
    /// The exponential moving average of the parameters, unless its decay is 0.
    pub(super) ema: Option<Average>,
}

impl State {
    /// The state before the first step.
    pub(super) fn new(parameters: Vec<f32>, ema_decay: f64) -> Result<Self, OptimError> {
        let adam = Adam::new(AdamSettings::default(), parameters.len())?;
        let ema = if ema_decay > 0.0 { Some(Average::new(ema_decay, parameters.len())?) } else { None };
        Ok(Self { parameters, adam, ema })
    }

    /// Steps taken.
    pub(super) fn step(&self) -> u64 {
        self.adam.steps()
    }

    /// One step of Adam; whether all parameters are finite after it. If not, the state is of no use.
    pub(super) fn update(&mut self, gradient: &[f32], learning_rate: f64) -> bool {
        let moved = self.adam.step(&mut self.parameters, gradient, learning_rate).is_ok();
        moved
            && match &mut self.ema {
                // It refuses others.
                Some(ema) => ema.update(&self.parameters).is_ok(),
                None => self.parameters.iter().all(|number| number.is_finite()),
            }
    }

    /// The parameters of the model: their average if one is kept, otherwise the last ones.
    pub(super) fn model_parameters(&self) -> Vec<f32> {
        match &self.ema {
            Some(ema) if self.step() > 0 => ema.values().iter().map(|&value| value as f32).collect(),
            _ => self.parameters.clone(),
        }
    }
}
