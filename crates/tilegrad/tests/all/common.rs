//! What the integration tests share: models, made-up inputs, comparisons.
#![allow(dead_code, reason = "each file of tests uses its own part")]

pub(crate) mod particles;
pub(crate) mod reference;

use tilegrad::noise::Noise;
use tilegrad::{Element, NoiseKey, Params, Program, Runner, Tile};

pub(crate) const KEY: NoiseKey = NoiseKey { seed: 11, step: 4 };

/// A standard normal number of its own for each (stream, item, row).
pub(crate) fn normal<T: Element>(stream: usize, item: usize, row: usize) -> T {
    let four = Noise::new(3).normal(stream as u16, 0, [item as u32; 8], (row / 4) as u16);
    T::from_f64(f64::from(four[row % 4][0]))
}

/// A model with parameters and tiles, ready to run.
pub(crate) struct Setup<T: Element> {
    pub(crate) params: Params,
    pub(crate) runner: Runner<T>,
    pub(crate) flat: Vec<T>,
    pub(crate) tiles: Vec<Tile<T>>,
}

impl<T: Element> Setup<T> {
    pub(crate) fn new(
        params: Params,
        programs: Vec<Program<T>>,
        flat: Vec<T>,
        tiles: Vec<Tile<T>>,
        threads: usize,
    ) -> Self {
        let runner = Runner::new(&params, programs, threads).expect("threads");
        Self { params, runner, flat, tiles }
    }

    /// Loss and gradient.
    pub(crate) fn gradient(&mut self) -> (f64, Vec<T>) {
        let mut gradient = vec![T::default(); self.flat.len()];
        let loss = self.runner.gradient(&self.flat, &self.tiles, KEY, &mut gradient);
        (loss, gradient)
    }
}

impl Setup<f64> {
    /// Compares the gradient of every tensor with five-point central differences.
    pub(crate) fn check_differences(&mut self) {
        // Choices must not change within a difference: small steps, which five points afford.
        let h = 2e-6;
        let (_, gradient) = self.gradient();
        let differences: Vec<f64> = (0..self.flat.len())
            .map(|i| {
                let own = self.flat[i];
                let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|steps| {
                    self.flat[i] = own + steps * h;
                    self.gradient().0
                });
                self.flat[i] = own;
                (8.0 * (c - b) - (d - a)) / (12.0 * h)
            })
            .collect();
        compare(&self.params, &gradient, &differences, 1e-6);
    }
}

/// Asserts that two gradients differ by at most `tolerance` of each tensor's norm.
pub(crate) fn compare<A: Element, B: Element>(params: &Params, found: &[A], expected: &[B], tolerance: f64) {
    for info in params.iter() {
        let norm = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|x| x * x).sum::<f64>().sqrt();
        let (found, expected) = (&found[info.range()], &expected[info.range()]);
        let size = norm(&mut expected.iter().map(|x| x.to_f64()));
        let distance = norm(&mut found.iter().zip(expected).map(|(x, y)| x.to_f64() - y.to_f64()));
        assert!(size > 0.0 && distance < tolerance * size, "{}: {distance:e} of {size:e}", info.name);
    }
}

/// Asserts that loss and gradient are the same bits for 1, 2, 3 and 8 threads, and every time.
pub(crate) fn check_threads<T: Element>(make: impl Fn(usize) -> Setup<T>) {
    let (loss, gradient) = make(1).gradient();
    assert!(loss.is_finite() && gradient.iter().all(|g| g.to_f64().is_finite()));
    for threads in [1, 2, 3, 8] {
        let mut setup = make(threads);
        for _ in 0..3 {
            let (again, same) = setup.gradient();
            assert_eq!(loss.to_bits(), again.to_bits(), "loss on {threads} threads");
            let bits = |x: &T| x.to_f64().to_bits();
            assert!(gradient.iter().map(bits).eq(same.iter().map(bits)), "gradient on {threads} threads");
        }
    }
}
