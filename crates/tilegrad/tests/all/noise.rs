//! Noise: known answers, pinned bits, and the statistics that depend on every part being right.

// Lanes index several arrays at once.
#![allow(clippy::needless_range_loop)]

use tilegrad::noise::{Noise, philox};
use tilegrad::simd::{Path, Simd, Single, Task};

const SEED: u64 = 0x0123_4567_89ab_cdef;

fn items(first: u32) -> [u32; 8] {
    std::array::from_fn(|lane| first + lane as u32)
}

/// Random words of one counter in all lanes.
struct Blocks {
    first: u32,
    rest: [u32; 3],
    key: [u32; 2],
}

impl Task<f32> for Blocks {
    type Output = [[u32; 8]; 4];

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) -> Self::Output {
        let first: <S::Noise as Single>::Bits = bytemuck::cast([self.first; 8]);
        philox::blocks(first, self.rest, self.key).map(bytemuck::cast)
    }
}

/// The known answers published with Random123 (tests/kat_vectors, philox4x32 with 10 rounds).
#[test]
fn philox_gives_the_published_answers() {
    let cases = [
        ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
        ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
        (
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
        ),
    ];
    for (counter, key, expected) in cases {
        assert_eq!(philox::block(counter, key), expected);
        let [first, rest @ ..] = counter;
        for path in Path::available() {
            for (words, expected) in path.run(Blocks { first, rest, key }).into_iter().zip(expected) {
                assert_eq!(words, [expected; 8], "{path}");
            }
        }
    }
}

#[test]
fn every_lane_is_the_scalar_generator() {
    let noise = Noise::new(SEED);
    for (stream, step, first, block) in
        [(0, 0, 0, 0), (7, 3, 1000, 2), (u16::MAX, u64::MAX, u32::MAX - 7, u16::MAX), (1, 1 << 40, 5, 1)]
    {
        let vectors = noise.uniform(stream, step, items(first), block);
        for lane in 0..8 {
            let words = noise.words(stream, step, first + lane as u32, block);
            for (row, word) in words.into_iter().enumerate() {
                let expected = (f64::from(word >> 9) + 0.5) / f64::from(1 << 23);
                assert_eq!(f64::from(vectors[row][lane]), expected);
            }
            let [low, high] = noise.uniform_f64(stream, step, first + lane as u32, block);
            assert!(
                (low * 4_294_967_296.0) as u32 == words[1] && (high * 4_294_967_296.0) as u32 == words[3]
            );
        }
    }
}

/// All parts of an address matter, and each in its own place.
#[test]
fn addresses_do_not_overlap() {
    let words = |seed, stream, step, item, block| Noise::new(seed).words(stream, step, item, block);
    let all = [
        words(0, 0, 0, 0, 0),
        words(1, 0, 0, 0, 0),
        words(1 << 32, 0, 0, 0, 0),
        words(0, 1, 0, 0, 0),
        words(0, 0, 1, 0, 0),
        words(0, 0, 1 << 32, 0, 0),
        words(0, 0, 0, 1, 0),
        words(0, 0, 0, 0, 1),
    ];
    for (i, a) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|b| a != b), "address {i} repeats an earlier one");
    }
}

/// Bits are an interface: results of one seed must not change between platforms, builds or versions.
#[test]
fn numbers_are_pinned() {
    let noise = Noise::new(SEED);
    let bits = |rows: [[f32; 8]; 4]| rows.map(|row| row.map(f32::to_bits));
    let uniform = bits(noise.uniform(1, 2, items(3), 4));
    let normal = bits(noise.normal(1, 2, items(3), 4));
    assert_eq!([uniform[0][0], uniform[1][2], uniform[2][5], uniform[3][7]], UNIFORM);
    assert_eq!([normal[0][0], normal[1][2], normal[2][5], normal[3][7]], NORMAL);
    // Everything else, folded: 2^18 normal numbers at scattered addresses.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for step in 0..1 << 13 {
        for row in bits(noise.normal(step as u16, step << 20, items(step as u32 * 77), 9)) {
            for value in row {
                hash = (hash ^ u64::from(value)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
    assert_eq!(hash, FOLDED);
}

/// One address of eight items, in vectors.
#[derive(Clone, Copy)]
struct Rows {
    noise: Noise,
    step: u64,
    items: [u32; 8],
    normal: bool,
}

impl Task<f32> for Rows {
    type Output = [[u32; 8]; 4];

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) -> Self::Output {
        let items = bytemuck::cast(self.items);
        let rows: [S::Noise; 4] = if self.normal {
            self.noise.normal_vectors(1, self.step, items, 4)
        } else {
            self.noise.uniform_vectors(1, self.step, items, 4)
        };
        rows.map(bytemuck::cast)
    }
}

#[test]
fn noise_is_the_same_on_every_path() {
    let noise = Noise::new(SEED);
    for step in 0..1000 {
        for normal in [false, true] {
            let rows = Rows { noise, step, items: items(step as u32 * 77), normal };
            let mut paths = Path::available().into_iter();
            let first = paths.next().unwrap().run(rows);
            paths.for_each(|path| assert_eq!(path.run(rows), first, "{path}"));
        }
    }
}

const UNIFORM: [u32; 4] = [1049115694, 1043551028, 1061791175, 1030201616];
const NORMAL: [u32; 4] = [3206400160, 3201053489, 3206413359, 1049829267];
const FOLDED: u64 = 16873815193487531661;

/// The float32 polynomials against the same formula, from the uniform number on, in f64 with the
/// standard library.
#[test]
fn normals_follow_box_and_muller() {
    let noise = Noise::new(SEED);
    let mut worst = 0.0_f64;
    for step in 0..20_000 {
        let rows = noise.normal(5, step, items(0), 0);
        for lane in 0..8 {
            let words = noise.words(5, step, lane as u32, 0);
            for pair in 0..2 {
                let (a, b) = (words[2 * pair], words[2 * pair + 1]);
                let uniform = f64::from((a >> 1) as f32 + 0.5) / 2_147_483_648.0;
                let radius = (-2.0 * uniform.ln()).sqrt();
                let angle = f64::from((b << 2) as i32) / 2_147_483_648.0 * std::f64::consts::FRAC_PI_4;
                let cosine = if b >> 31 == 1 { -angle.cos() } else { angle.cos() };
                let expected = if b >> 30 & 1 == 1 { [angle.sin(), cosine] } else { [cosine, angle.sin()] };
                for (row, expected) in expected.into_iter().enumerate() {
                    let error = (f64::from(rows[2 * pair + row][lane]) - radius * expected).abs();
                    worst = worst.max(error / radius.max(1e-9));
                }
            }
        }
    }
    println!("largest error {worst:.2e} of the radius");
    assert!(worst < 4e-7, "{worst:e}");
}

/// Normal numbers of 2^16 steps in eight items and four rows, as `[step][row][lane]`.
fn sample() -> Vec<[[f32; 8]; 4]> {
    let noise = Noise::new(SEED);
    (0..1 << 16).map(|step| noise.normal(11, step, items(0), 0)).collect()
}

/// The complementary error function to about 1e-7, by the continued fraction where it is small and the
/// series elsewhere: `P(Z < z)` for the tests below.
fn normal_probability(z: f64) -> f64 {
    let t = z.abs();
    let upper = if t > 3.0 {
        let fraction = (1..60).rev().fold(t, |rest, k| t + f64::from(k) / rest);
        (-t * t / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() / fraction
    } else {
        let (mut term, mut sum) = (t, t);
        for k in 1..80 {
            term *= t * t / f64::from(2 * k + 1);
            sum += term;
        }
        0.5 - (-t * t / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum
    };
    if z > 0.0 { 1.0 - upper } else { upper }
}

#[test]
fn normals_have_the_moments_of_a_normal_distribution() {
    let values: Vec<f64> =
        sample().as_flattened().as_flattened().iter().map(|&value| f64::from(value)).collect();
    let count = values.len() as f64;
    let moment = |power: i32| values.iter().map(|z| z.powi(power)).sum::<f64>() / count;
    // Five standard errors: the variances of z, z², z³, z⁴, z⁶ are 1, 2, 15, 96, 10170.
    for (power, expected, variance) in
        [(1, 0.0, 1.0_f64), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0), (6, 15.0, 10170.0)]
    {
        let (found, error) = (moment(power), (variance / count).sqrt());
        assert!((found - expected).abs() < 5.0 * error, "moment {power}: {found} ± {error}");
    }
}

/// Kolmogorov and Smirnov's distance to the normal distribution; the bound is passed by chance once in
/// ten thousand times.
#[test]
fn normals_have_the_normal_distribution() {
    let mut values: Vec<f32> = sample().as_flattened().as_flattened().to_vec();
    values.sort_by(f32::total_cmp);
    let count = values.len() as f64;
    let distance = values
        .iter()
        .enumerate()
        .map(|(i, &value)| (normal_probability(f64::from(value)) - (i as f64 + 0.5) / count).abs())
        .fold(0.0, f64::max);
    assert!(distance * count.sqrt() < 2.23, "{}", distance * count.sqrt());
    // The tails, which the distance hardly sees: numbers beyond ±4, and none too far.
    let expected = 2.0 * normal_probability(-4.0) * count;
    let beyond = values.iter().filter(|value| value.abs() > 4.0).count() as f64;
    assert!((beyond - expected).abs() < 5.0 * expected.sqrt(), "{beyond} beyond 4, expected {expected}");
    assert!(values.iter().all(|value| value.abs() < 6.67));
}

/// Correlations of values, and of their squares, between neighbours along every part of the address.
#[test]
fn neighbours_are_independent() {
    let noise = Noise::new(SEED);
    let draw = |seed: u64, stream: u16, step: u64, first: u32, block: u16| {
        Noise::new(seed).normal(stream, step, items(first), block)
    };
    let base: Vec<_> = (0..1 << 14).map(|step| draw(SEED, 1, step, 0, 0)).collect();
    assert_eq!(base[3], noise.normal(1, 3, items(0), 0));
    let shifted = |shift: fn(u64) -> (u64, u16, u64, u32, u16)| -> Vec<_> {
        (0..1 << 14)
            .map(|step| {
                let (seed, stream, step, first, block) = shift(step);
                draw(seed, stream, step, first, block)
            })
            .collect()
    };
    let neighbours = [
        ("seed", shifted(|step| (SEED + 1, 1, step, 0, 0))),
        ("stream", shifted(|step| (SEED, 2, step, 0, 0))),
        ("step", shifted(|step| (SEED, 1, step + 1, 0, 0))),
        ("item", shifted(|step| (SEED, 1, step, 1, 0))),
        ("block", shifted(|step| (SEED, 1, step, 0, 1))),
        ("row", base.iter().map(|&[a, b, c, d]| [b, c, d, a]).collect()),
        ("row of the other pair", base.iter().map(|&[a, b, c, d]| [c, d, a, b]).collect()),
    ];
    for (name, other) in neighbours {
        let pairs: Vec<(f64, f64)> = base
            .as_flattened()
            .as_flattened()
            .iter()
            .zip(other.as_flattened().as_flattened())
            .map(|(&a, &b)| (f64::from(a), f64::from(b)))
            .collect();
        let error = 1.0 / (pairs.len() as f64).sqrt();
        let mean =
            |f: fn(f64, f64) -> f64| pairs.iter().map(|&(a, b)| f(a, b)).sum::<f64>() / pairs.len() as f64;
        // Under independence a·b has variance 1, and (a² − 1)(b² − 1) variance 4. Pairs of rows appear
        // twice in a rotation by two, which doubles the variance.
        let (linear, squares) = (mean(|a, b| a * b), mean(|a, b| (a * a - 1.0) * (b * b - 1.0)));
        assert!(linear.abs() < 7.0 * error, "{name}: correlation {linear} ± {error}");
        assert!(squares.abs() < 14.0 * error, "{name}: correlation of squares {squares} ± {error}");
    }
}

/// A chi-square test of 2^20 uniform numbers in 256 cells for each row, and of the pairs of neighbouring
/// rows in 64 × 64 cells.
#[test]
fn uniforms_fill_all_cells_alike() {
    let noise = Noise::new(SEED);
    let mut single = vec![[0_u32; 256]; 4];
    let mut paired = vec![[0_u32; 4096]; 4];
    let steps = 1 << 15;
    for step in 0..steps {
        let rows = noise.uniform(2, step, items(0), 0);
        for lane in 0..8 {
            for row in 0..4 {
                let (value, next) = (rows[row][lane], rows[(row + 1) % 4][lane]);
                assert!(value > 0.0 && value < 1.0);
                single[row][(value * 256.0) as usize] += 1;
                paired[row][(value * 64.0) as usize * 64 + (next * 64.0) as usize] += 1;
            }
        }
    }
    let draws = f64::from(8 * steps as u32);
    let check = |counts: &[u32], row: usize| {
        let (cells, expected) = (counts.len() as f64, draws / counts.len() as f64);
        let statistic: f64 = counts.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum();
        let deviation = (statistic - (cells - 1.0)) / (2.0 * (cells - 1.0)).sqrt();
        assert!(deviation.abs() < 5.0, "row {row}, {cells} cells: {deviation} standard deviations");
    };
    for row in 0..4 {
        check(&single[row], row);
        check(&paired[row], row);
    }
}
