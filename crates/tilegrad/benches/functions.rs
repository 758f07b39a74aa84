//! Cycles per vector of eight lanes, for the elementary functions, noise and the
//! optimiser.
//!
//! Run: `cargo bench -p tilegrad --bench functions`. Cycles are counted against a chain of dependent
//! multiplications (three cycles each on the processors this was written on), so they hold whatever
//! the clock does.

use std::hint::black_box;
use std::time::Instant;

use tilegrad::noise::Noise;
use tilegrad::optim::{Adam, AdamSettings, Average, clip_global_norm};
use tilegrad::simd::{Chunk8, Path, Simd, Single, Task, Vector};

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

/// A pass of a function over a buffer.
struct Pass<'a> {
    function: &'static str,
    input: &'a [Chunk8],
    output: &'a mut [Chunk8],
}

impl Task<f32> for Pass<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) {
        let (input, output) = (S::vectors(self.input), S::vectors_mut(self.output));
        match self.function {
            "copy" => output.iter_mut().zip(input).for_each(|(y, &x)| *y = x),
            "exp" => output.iter_mut().zip(input).for_each(|(y, &x)| *y = x.exp()),
            "ln" => output.iter_mut().zip(input).for_each(|(y, &x)| *y = x.ln()),
            "tanh" => output.iter_mut().zip(input).for_each(|(y, &x)| *y = x.tanh()),
            "sigmoid" => output.iter_mut().zip(input).for_each(|(y, &x)| *y = x.sigmoid()),
            _ => output.iter_mut().zip(input).for_each(|(y, &x)| *y = x.softplus()),
        }
    }
}

fn over_a_buffer(path: Path, function: &'static str, cycle: f64) {
    let input: Vec<Chunk8> = (0..128).map(|i| Chunk8::new([0.04 * (i + 1) as f32; 8])).collect();
    let mut output = input.clone();
    let nanoseconds = best(input.len() * 80, || {
        for _ in 0..80 {
            path.run(Pass { function, input: black_box(&input), output: &mut output });
            black_box(&mut output);
        }
    });
    report(function, nanoseconds, cycle);
}

/// Twelve independent chains of multiply-adds: half a cycle each where nothing else competes for the core.
struct MultiplyAdds(usize);

impl Task<f32> for MultiplyAdds {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) {
        let factor = black_box(<S::Vector as Vector>::splat(0.999));
        let mut sums = black_box([<S::Vector as Vector>::splat(1.0); 12]);
        for _ in 0..self.0 {
            for sum in &mut sums {
                *sum = sum.mul_add(factor, factor);
            }
        }
        black_box(sums);
    }
}

fn multiply_add(path: Path, cycle: f64) {
    let calls = 1 << 14;
    report("multiply-add", best(calls * 12, || path.run(MultiplyAdds(calls))), cycle);
}

/// Rows of noise for the items of 32 tiles' rows.
struct Draws<'a> {
    normal: bool,
    step: u64,
    output: &'a mut [[[f32; 8]; 4]],
}

impl Task<f32> for Draws<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) {
        let noise = Noise::new(1);
        for (i, rows) in self.output.iter_mut().enumerate() {
            let items: [u32; 8] = std::array::from_fn(|lane| (8 * i + lane) as u32);
            let items: <S::Noise as Single>::Bits = bytemuck::cast(items);
            let numbers: [S::Noise; 4] = if self.normal {
                noise.normal_vectors(2, self.step, items, 3)
            } else {
                noise.uniform_vectors(2, self.step, items, 3)
            };
            *rows = numbers.map(bytemuck::cast);
        }
    }
}

fn draws(path: Path, name: &str, normal: bool, cycle: f64) {
    let mut output = vec![[[0.0; 8]; 4]; 32];
    let nanoseconds = best(output.len() * 4 * 80, || {
        for step in 0..80 {
            path.run(Draws { normal, step, output: &mut output });
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
    for path in Path::available() {
        println!("\n{path}");
        multiply_add(path, cycle);
        for function in ["copy", "exp", "ln", "tanh", "sigmoid", "softplus"] {
            over_a_buffer(path, function, cycle);
        }
        draws(path, "uniform", false, cycle);
        draws(path, "normal", true, cycle);
    }
    println!("\n{}, the current path", Path::current());
    optimiser(cycle);
}
