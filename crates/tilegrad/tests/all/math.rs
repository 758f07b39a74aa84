//! Accuracy and special values of the elementary functions.

use tilegrad::math::{double, single};
use tilegrad::simd::{Path, Simd, Task};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Function {
    Exp,
    Ln,
    Tanh,
    Sigmoid,
    Softplus,
}

/// A function of eight numbers.
struct Apply(Function, [f32; 8]);

impl Task<f32> for Apply {
    type Output = [f32; 8];

    #[inline(always)]
    fn run<S: Simd<Element = f32>>(self) -> [f32; 8] {
        let x: S::Noise = bytemuck::cast(self.1);
        bytemuck::cast(match self.0 {
            Function::Exp => single::exp(x),
            Function::Ln => single::ln(x),
            Function::Tanh => single::tanh(x),
            Function::Sigmoid => single::sigmoid(x),
            Function::Softplus => single::softplus(x),
        })
    }
}

/// One function to test: the vector version, its reference in `f64`, the largest relative error
/// allowed, and the size below which a result may be flushed to zero.
struct Case {
    name: &'static str,
    vector: Function,
    reference: fn(f64) -> f64,
    tolerance: f64,
    flushed: f64,
}

fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

const CASES: [Case; 5] = [
    Case {
        name: "exp",
        vector: Function::Exp,
        reference: f64::exp,
        tolerance: 1e-7,
        flushed: 1.67e-38, // 2^-125.5
    },
    Case { name: "ln", vector: Function::Ln, reference: f64::ln, tolerance: 1.3e-7, flushed: 0.0 },
    Case { name: "tanh", vector: Function::Tanh, reference: f64::tanh, tolerance: 3.5e-7, flushed: 0.0 },
    Case {
        name: "sigmoid",
        vector: Function::Sigmoid,
        reference: sigmoid,
        tolerance: 2e-7,
        flushed: 1.18e-38, // the smallest normal number
    },
    Case {
        name: "softplus",
        vector: Function::Softplus,
        reference: softplus,
        tolerance: 2e-7,
        flushed: 1.67e-38,
    },
];

/// Every magnitude and sign (bit patterns at a large odd stride reach each exponent many thousand
/// times), and dense stretches where the functions bend and where relative accuracy is hard.
fn inputs() -> Vec<f32> {
    let mut all = Vec::new();
    let patterns = 1 << 21;
    all.extend((0..patterns).map(|i: u32| f32::from_bits(i.wrapping_mul(2_654_435_769))));
    for (low, high, count) in [
        (-110.0_f32, 110.0_f32, 1 << 20),
        (-10.0, 10.0, 1 << 20),
        (0.5, 2.0, 1 << 19),
        (-0.01, 0.01, 1 << 18),
    ] {
        let stride = (high - low) / count as f32;
        all.extend((0..count).map(|i| low + i as f32 * stride));
    }
    all
}

/// The relative error of a finite, non-zero reference. Results smaller than a normal number are
/// measured against the smallest normal number, as their last place is no finer.
fn relative_error(found: f32, expected: f64) -> f64 {
    (f64::from(found) - expected).abs() / expected.abs().max(f64::from(f32::MIN_POSITIVE))
}

#[test]
fn accurate_over_the_whole_range() {
    let inputs = inputs();
    for (case, path) in
        CASES.iter().flat_map(|case| Path::available().into_iter().map(move |path| (case, path)))
    {
        let mut worst = (0.0, 0.0_f32);
        for chunk in inputs.chunks_exact(8) {
            let x: [f32; 8] = chunk.try_into().expect("eight lanes");
            let found = path.run(Apply(case.vector, x));
            for (x, found) in x.into_iter().zip(found) {
                let expected = (case.reference)(f64::from(x));
                if expected.is_nan() {
                    assert!(found.is_nan(), "{}({x:e}) = {found:e}", case.name);
                } else if expected.abs() > f64::from(f32::MAX) || expected == 0.0 {
                    assert_eq!(found, expected as f32, "{}({x:e})", case.name);
                } else if !(found == 0.0 && expected.abs() < case.flushed) {
                    let error = relative_error(found, expected);
                    if error > worst.0 {
                        worst = (error, x);
                    }
                }
            }
        }
        println!("{:8} {path:6} {:.3e} at {:e}", case.name, worst.0, worst.1);
        assert!(
            worst.0 <= case.tolerance,
            "{} on {path}: relative error {:e} at {:e}",
            case.name,
            worst.0,
            worst.1
        );
    }
}

#[test]
fn special_values() {
    const INF: f32 = f32::INFINITY;
    type Exact = (&'static str, Function, &'static [(f32, f32)]);
    let cases: [Exact; 5] = [
        (
            "exp",
            Function::Exp,
            &[
                (-INF, 0.0),
                (INF, INF),
                (0.0, 1.0),
                (-0.0, 1.0),
                (88.73, INF),
                (f32::MAX, INF),
                (f32::MIN, 0.0),
            ],
        ),
        ("ln", Function::Ln, &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF)]),
        (
            "tanh",
            Function::Tanh,
            &[(INF, 1.0), (-INF, -1.0), (0.0, 0.0), (f32::MAX, 1.0), (1e-40, 1e-40), (-1e-30, -1e-30)],
        ),
        ("sigmoid", Function::Sigmoid, &[(-INF, 0.0), (INF, 1.0), (0.0, 0.5), (f32::MIN, 0.0)]),
        ("softplus", Function::Softplus, &[(-INF, 0.0), (INF, INF), (f32::MAX, f32::MAX), (f32::MIN, 0.0)]),
    ];
    let everywhere =
        cases.iter().flat_map(|case| Path::available().into_iter().map(move |path| (case, path)));
    for (&(name, function, values), path) in everywhere {
        for &(x, expected) in values {
            let found = path.run(Apply(function, [x; 8]));
            assert_eq!(found, [expected; 8], "{name}({x}) on {path}");
        }
        // Quiet, with and without sign, and with payloads: all must stay NaN, and only in their lane.
        for bits in [0x7fc0_0000, 0xffc0_0000, 0x7fc0_0001, 0x7fff_ffff, 0xffff_ffff, 0x7f80_0001] {
            let mut x = [0.5; 8];
            x[3] = f32::from_bits(bits);
            let found = path.run(Apply(function, x));
            for (lane, value) in found.into_iter().enumerate() {
                assert_eq!(value.is_nan(), lane == 3, "{name}, NaN {bits:#x}, lane {lane}");
            }
        }
    }
    for negative in [-1e-45, -1.0, -INF] {
        for path in Path::available() {
            assert!(path.run(Apply(Function::Ln, [negative; 8]))[0].is_nan(), "ln({negative}) on {path}");
        }
    }
}

/// `1 − tanh²` is a derivative and must not become negative.
#[test]
fn tanh_is_odd_and_within_one() {
    for path in Path::available() {
        let tanh = |x| path.run(Apply(Function::Tanh, x));
        let mut bits = 0.5_f32.to_bits();
        while bits < 20.0_f32.to_bits() {
            let x: [f32; 8] = std::array::from_fn(|lane| f32::from_bits(bits + lane as u32));
            let y = tanh(x);
            assert!(y.iter().all(|&y| y <= 1.0), "tanh({x:?}) = {y:?} on {path}");
            assert_eq!(tanh(x.map(|x| -x)), y.map(|y| -y));
            bits += 8;
        }
    }
}

#[test]
fn paths_that_fuse_give_the_same_bits() {
    let fused: Vec<Path> = Path::available().into_iter().filter(|path| path.fuses()).collect();
    for chunk in inputs().chunks_exact(8) {
        let x: [f32; 8] = chunk.try_into().expect("eight lanes");
        for case in &CASES {
            let bits = |path: &Path| path.run(Apply(case.vector, x)).map(f32::to_bits);
            assert!(fused.windows(2).all(|two| bits(&two[0]) == bits(&two[1])), "{}({x:?})", case.name);
        }
    }
}

#[test]
fn double_follows_the_standard_library() {
    for x in [-3.5, 0.0, 0.25, 40.0] {
        assert_eq!(double::exp(x), x.exp());
        assert_eq!(double::ln(x).to_bits(), x.ln().to_bits());
        assert_eq!(double::tanh(x), x.tanh());
        assert_eq!(double::sigmoid(x), sigmoid(x));
        assert_eq!(double::softplus(x), softplus(x));
    }
    for function in [double::exp, double::ln, double::tanh, double::sigmoid, double::softplus] {
        assert!(function(f64::NAN).is_nan());
    }
}
