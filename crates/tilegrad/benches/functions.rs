//! Cycles per vector of eight lanes, for the elementary functions, noise and the
//! optimiser.
//!
//! Run: `cargo bench -p tilegrad --bench functions`. Cycles are counted against a chain of dependent
//! multiplications (three cycles each on the processors this was written on), so they hold whatever
//! the clock does.

use std::hint::black_box;
use std::time::Instant;

use tilegrad::math::single;
use tilegrad::noise::Noise;
use tilegrad::optim::{Adam, AdamSettings, Average, clip_global_norm};
use wide::{f32x8, u32x8};

/// The best of several runs, in nanoseconds per call.
fn best(calls: usize, mut run: impl FnMut()) -> f64 {
    run();
    let time = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e9 / calls as f64
    };
    (0..40).map(|_| time(&mut run)).fold(f64::INFINITY, f64::min)
}

fn nanoseconds_per_cycle() -> f64 {
    let links = 1 << 16;
    best(links, || {
        let mut product = black_box(3_u64);
        for _ in 0..links {
            product = product.wrapping_mul(product);
        }
        black_box(product);
    }) / 3.0
}

fn report(name: &str, nanoseconds: f64, cycle: f64) {
    println!("{name:12} {nanoseconds:6.2} ns {:6.1} cycles", nanoseconds / cycle);
}

fn over_a_buffer(name: &str, cycle: f64, function: impl Fn(f32x8) -> f32x8) {
    let input: Vec<f32x8> = (0..128).map(|i| f32x8::splat(0.04 * (i + 1) as f32)).collect();
    let mut output = vec![f32x8::splat(0.0); input.len()];
    let nanoseconds = best(input.len() * 80, || {
        for _ in 0..80 {
            for (y, &x) in output.iter_mut().zip(black_box(&input)) {
                *y = function(x);
            }
            black_box(&mut output);
        }
    });
    report(name, nanoseconds, cycle);
}

/// Twelve independent chains of fused multiply-adds: half a cycle each where nothing else competes
/// for the core.
fn fused_multiply_add(cycle: f64) {
    let calls = 1 << 14;
    let nanoseconds = best(calls * 12, || {
        let factor = black_box(f32x8::splat(0.999));
        let mut sums = black_box([f32x8::splat(1.0); 12]);
        for _ in 0..calls {
            for sum in &mut sums {
                *sum = sum.mul_add(factor, factor);
            }
        }
        black_box(sums);
    });
    report("multiply-add", nanoseconds, cycle);
}

fn draws(name: &str, cycle: f64, draw: impl Fn(u64, u32x8) -> [f32x8; 4]) {
    let mut output = vec![[f32x8::splat(0.0); 4]; 32];
    let lanes = u32x8::new([0, 1, 2, 3, 4, 5, 6, 7]);
    let nanoseconds = best(output.len() * 4 * 80, || {
        for step in 0..80 {
            for (i, rows) in output.iter_mut().enumerate() {
                *rows = draw(step, u32x8::splat(8 * i as u32) + lanes);
            }
            black_box(&mut output);
        }
    });
    report(name, nanoseconds, cycle);
}

fn optimiser(cycle: f64) {
    let count = 4096;
    let mut parameters = vec![0.5_f32; count];
    let mut gradient: Vec<f32> = (0..count).map(|i| 1e-3 * (i % 17) as f32).collect();
    let mut adam = Adam::new(AdamSettings::default(), count).expect("valid settings");
    let mut average = Average::new(0.999, count).expect("valid decay");
    let vectors = count / 8;
    let adam_step = best(vectors, || adam.step(&mut parameters, &gradient, 1e-3).expect("finite"));
    report("Adam", adam_step, cycle);
    let update = best(vectors, || average.update(&parameters).expect("finite"));
    report("average", update, cycle);
    let clip = best(vectors, || {
        black_box(clip_global_norm(black_box(&mut gradient), f64::INFINITY).expect("valid limit"));
    });
    report("norm", clip, cycle);
}

fn main() {
    let cycle = nanoseconds_per_cycle();
    println!("{:.2} GHz", 1.0 / cycle);
    fused_multiply_add(cycle);
    over_a_buffer("copy", cycle, |x| x);
    over_a_buffer("exp", cycle, single::exp);
    over_a_buffer("ln", cycle, single::ln);
    over_a_buffer("tanh", cycle, single::tanh);
    over_a_buffer("sigmoid", cycle, single::sigmoid);
    over_a_buffer("softplus", cycle, single::softplus);
    draws("uniform", cycle, |step, items| Noise::new(1).uniform(2, step, items, 3));
    draws("normal", cycle, |step, items| Noise::new(1).normal(2, step, items, 3));
    optimiser(cycle);
}
