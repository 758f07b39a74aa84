//! The reference step with this engine, for side-by-side comparisons (`benches/step.py` drives it).
//!
//!     cargo bench -p tilegrad --bench step -- FOLDER B d H [words per tile or -] [threads]
//!     cargo bench -p tilegrad --bench step -- size B d H T K
//!     cargo bench -p tilegrad --bench step -- peak
//!
//! Reads the parameters and inputs that `benches/peers/step_data.py` wrote, prints READY with loss and
//! gradient norm; then for every line N on standard input runs N steps and prints their times in ns.
//! `size` does so with numbers of its own for any T and K; `peak` measures the processor's peak of
//! multiply-adds for every line.
//! Without arguments it measures the processor's peak of multiply-adds and times the step on data of
//! its own.

#[path = "../tests/all/common/reference.rs"]
mod reference;

use std::io::BufRead;
use std::time::Instant;

use reference::{FEATURES, PARTICLES, Reference, STEPS, SYMBOLS, Sizes};
use tilegrad::simd::{Columns, Path, Simd, Task, Vector};
use tilegrad::{NoiseKey, Runner, Tile};

const KEY: NoiseKey = NoiseKey { seed: 0, step: 0 };

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    match arguments.first().map(String::as_str) {
        Some("peak") => loop_peak(),
        Some("size") => serve_size(&arguments[1..]),
        Some(folder) => {
            let number = |i: usize| arguments.get(i).and_then(|a| a.parse().ok());
            let sizes = [1, 2, 3].map(|i| number(i).expect("usage: FOLDER B d H [words per tile] [threads]"));
            serve(folder, sizes, number(4), number(5).unwrap_or(1));
        }
        None => alone(),
    }
}

/// Chains of multiply-adds that do not wait for each other, as many and as wide as a block of a matrix product: the
/// registers hold them.
struct Chains {
    rounds: usize,
}

impl Task<f32> for Chains {
    /// How many multiply-adds of single numbers a round has.
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) -> usize {
        match S::ROWS {
            12 => chains::<12, S>(self.rounds),
            6 => chains::<6, S>(self.rounds),
            _ => chains::<4, S>(self.rounds),
        }
    }
}

#[inline(always)]
fn chains<const ROWS: usize, S: Simd<Element = f32>>(rounds: usize) -> usize {
    let splat = <S::Columns as Columns<S::Vector>>::splat;
    let (factor, addend) = (splat(std::hint::black_box(0.999)), splat(std::hint::black_box(0.001)));
    let mut sums = [factor; ROWS];
    // Each starts elsewhere: equal chains would be computed once.
    for (row, sum) in sums.iter_mut().enumerate() {
        *sum = splat(std::hint::black_box(row as f32));
    }
    for _ in 0..rounds {
        for sum in &mut sums {
            *sum = sum.mul_add(factor, addend);
        }
    }
    let count = S::Columns::COUNT;
    // As many as the widest path has: a sum that is not stored would not be computed.
    let mut numbers = [S::Vector::splat(0.0); 48];
    for (sum, place) in sums.iter().zip(numbers.chunks_exact_mut(count)) {
        // SAFETY: the place has as many vectors as `Columns` says.
        unsafe { sum.store(place.as_mut_ptr()) }
    }
    std::hint::black_box(numbers);
    ROWS * count * 8
}

/// Multiply-adds per second of one core, in units of 10⁹ operations (two for each multiply-add), on the current path.
/// It takes half a second: a core that was idle is slow at first.
fn peak() -> f64 {
    let rounds = 2_000_000;
    let once = |_| {
        let start = Instant::now();
        let each = Path::current().run(Chains { rounds });
        (rounds * each * 2) as f64 / start.elapsed().as_secs_f64() / 1e9
    };
    (0..60).map(once).fold(0.0, f64::max)
}

/// Measures the peak for every line on standard input.
fn loop_peak() {
    println!("READY");
    for _ in std::io::stdin().lock().lines() {
        println!("{:.2}", peak());
    }
}

/// Multiply-adds of the forward run for each word and step, without elementary functions; the
/// gradient takes twice as many again.
fn multiply_adds(sizes: Sizes) -> usize {
    let Sizes { state: d, hidden, particles, .. } = sizes;
    let flow = 2 * (d * hidden + hidden * (d + d * (d + 1) / 2));
    let shared = (d + FEATURES) * hidden;
    let triangular = 4 * d * (d + 1) / 2;
    let particle = d * hidden + hidden * 2 * d + triangular + d * SYMBOLS;
    flow + shared + particles * particle
}

/// Tile sizes that were best on the machines tried: small models want long rows, large ones a small workspace.
fn default_words(d: usize) -> usize {
    if d <= 8 { 32 } else { 16 }
}

fn alone() {
    let peak = peak();
    println!("peak of one core: {peak:.1} GFLOP/s");
    for (count, d, hidden) in [(128, 8, 64), (1024, 8, 64), (128, 32, 128)] {
        let sizes = Sizes { state: d, hidden, steps: STEPS, particles: PARTICLES };
        for words in [8, 16, 32, 64] {
            let reference = Reference::<f32>::new(sizes, words);
            let (flat, tiles) = made_up(&reference, count);
            let kib = reference.programs[0].workspace_bytes() / 1024;
            let mut runner = Runner::new(&reference.params, reference.programs, 1).expect("one thread");
            let mut gradient = vec![0.0; flat.len()];
            let mut best = f64::INFINITY;
            for _ in 0..100 {
                let start = Instant::now();
                std::hint::black_box(runner.gradient(&flat, &tiles, KEY, &mut gradient));
                best = best.min(start.elapsed().as_secs_f64());
            }
            let flops = (6 * multiply_adds(sizes) * count * STEPS) as f64;
            println!(
                "{count:5} words, d = {d:2}, hidden {hidden:3}, {words:2} words per tile ({kib:5} KiB): {:7.3} ms, {:.0} % of peak",
                best * 1e3,
                flops / best / 1e9 / peak * 100.0
            );
        }
    }
}

/// Inputs without a file: any numbers of the right size do for timing.
fn made_up(reference: &Reference<f32>, count: usize) -> (Vec<f32>, Vec<Tile<f32>>) {
    let wave = |i: usize| ((i as f32) * 0.7391).sin();
    let mut flat: Vec<f32> = (0..reference.params.len()).map(|i| 0.2 * wave(i)).collect();
    for info in reference.params.iter().filter(|info| info.name.ends_with("bias")) {
        flat[info.range()].iter_mut().for_each(|x| *x += 0.3);
    }
    let (k, d) = (reference.sizes.particles, reference.sizes.state);
    let tiles = reference.tiles(
        count,
        |t, word| (0..FEATURES).map(|i| wave(t + 31 * word + i)).collect(),
        |which, t, word| (0..k * d).map(|i| 1.4 * wave(which * 77 + t + 31 * word + i)).collect(),
        |t, word| ((t * 7 + word * 5) % SYMBOLS) as u32,
    );
    (flat, tiles)
}

fn serve(folder: &str, [count, d, hidden]: [usize; 3], words: Option<usize>, threads: usize) {
    let sizes = Sizes { state: d, hidden, steps: STEPS, particles: PARTICLES };
    let reference = Reference::<f32>::new(sizes, words.unwrap_or(default_words(d)));
    let bytes = std::fs::read(format!("{folder}/{count}_{d}_{hidden}.bin")).expect("the inputs' file");
    let numbers: Vec<f32> =
        bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let (flat, rest) = load_params(&reference, &numbers);
    let inputs = &numbers[rest..];
    let (a, noise) = (STEPS * count * FEATURES, STEPS * count * PARTICLES * d);
    let (features, inputs) = inputs.split_at(a);
    let (simulation, inputs) = inputs.split_at(noise);
    let (proposal, symbols) = inputs.split_at(noise);
    let tiles = reference.tiles(
        count,
        |t, word| features[(t * count + word) * FEATURES..][..FEATURES].to_vec(),
        |which, t, word| {
            let source = if which == 0 { simulation } else { proposal };
            source[(t * count + word) * PARTICLES * d..][..PARTICLES * d].to_vec()
        },
        |t, word| symbols[t * count + word] as u32,
    );
    let mut runner = Runner::new(&reference.params, reference.programs, threads).expect("threads");
    let mut gradient = vec![0.0; flat.len()];
    let loss = runner.gradient(&flat, &tiles, KEY, &mut gradient);
    let norm = gradient.iter().map(|&g| f64::from(g) * f64::from(g)).sum::<f64>().sqrt();
    let flops = 6 * multiply_adds(sizes) * count * STEPS;
    println!("READY loss={loss:.7} gnorm={norm:.7} flops={flops}");
    answer(runner, &flat, &tiles, &mut gradient);
}

/// Serves steps of any size, with made-up numbers.
fn serve_size(arguments: &[String]) {
    let numbers: Vec<usize> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let [count, d, hidden, steps, particles] = numbers[..] else { panic!("usage: size B d H T K") };
    let reference = Reference::<f32>::new(Sizes { state: d, hidden, steps, particles }, default_words(d));
    let (flat, tiles) = made_up(&reference, count);
    let runner = Runner::new(&reference.params, reference.programs, 1).expect("one thread");
    println!("READY");
    answer(runner, &flat, &tiles, &mut vec![0.0; flat.len()]);
}

/// Runs as many steps as each line on standard input says and prints their times.
fn answer(mut runner: Runner<f32>, flat: &[f32], tiles: &[Tile<f32>], gradient: &mut [f32]) {
    for line in std::io::stdin().lock().lines() {
        let rounds: usize = line.ok().and_then(|line| line.trim().parse().ok()).expect("a number of steps");
        let times: Vec<String> = (0..rounds)
            .map(|_| {
                let start = Instant::now();
                std::hint::black_box(runner.gradient(flat, tiles, KEY, gradient));
                start.elapsed().as_nanos().to_string()
            })
            .collect();
        println!("{}", times.join(" "));
    }
}

/// The parameters in this engine's layout, and how many numbers of the file they took.
///
/// The file has matrices with a row per input, and a flow's outputs as shift, then the whole triangle
/// row by row; here matrices have a row per output, and the diagonal stands apart from what is below.
fn load_params(reference: &Reference<f32>, numbers: &[f32]) -> (Vec<f32>, usize) {
    let Sizes { state: d, hidden, .. } = reference.sizes;
    let out = d + d * (d + 1) / 2;
    let mut flat = vec![0.0; reference.params.len()];
    let mut at = 0;
    let mut set = |name: &str, rows: usize, cols: usize, order: &dyn Fn(usize) -> usize| {
        let info = reference.params.find(name).expect("a parameter of the step");
        assert_eq!((info.rows, info.cols), (rows, cols), "{name}");
        for row in 0..rows {
            for col in 0..cols {
                flat[info.offset + row * cols + col] = numbers[at + col * rows + order(row)];
            }
        }
        at += rows * cols;
    };
    let same = |row: usize| row;
    let triangle = |row: usize| match row {
        _ if row < d => row,
        _ if row < 2 * d => {
            let r = row - d;
            d + r * (r + 1) / 2 + r
        }
        _ => {
            let packed = row - 2 * d;
            let r = (1..d).find(|r| packed < r * (r + 1) / 2).expect("a row below the diagonal");
            d + r * (r + 1) / 2 + packed - r * (r - 1) / 2
        }
    };
    set("start", d, 1, &same);
    for flow in ["flow.0", "flow.1"] {
        set(&format!("{flow}.0.weight"), hidden, d, &same);
        set(&format!("{flow}.0.bias"), hidden, 1, &same);
        set(&format!("{flow}.1.weight"), out, hidden, &triangle);
        set(&format!("{flow}.1.bias"), out, 1, &triangle);
    }
    set("inference.0.simulation", hidden, d, &same);
    set("inference.0.state", hidden, d, &same);
    set("inference.0.data", hidden, FEATURES, &same);
    set("inference.0.bias", hidden, 1, &same);
    set("inference.1.weight", 2 * d, hidden, &same);
    set("inference.1.bias", 2 * d, 1, &same);
    set("emission.weight", SYMBOLS, d, &same);
    set("emission.bias", SYMBOLS, 1, &same);
    (flat, at)
}
