//! The optimiser against plain references and closed forms.

use tilegrad::optim::{
    Adam, AdamSettings, Average, Decay, OptimError, Schedule, clip_global_norm, global_norm,
};

/// Some numbers without pattern, in (−1, 1).
fn numbers(seed: u64, count: usize) -> impl Iterator<Item = f64> {
    let noise = tilegrad::noise::Noise::new(seed);
    (0..count).map(move |i| 2.0 * noise.uniform_f64(0, 0, i as u32, 0)[0] - 1.0)
}

/// The published update, written out for one parameter.
struct Reference {
    m: f64,
    v: f64,
    p: f64,
}

impl Reference {
    fn step(&mut self, g: f64, rate: f64, t: i32, settings: AdamSettings) {
        let AdamSettings { beta1, beta2, epsilon } = settings;
        self.m = beta1 * self.m + (1.0 - beta1) * g;
        self.v = beta2 * self.v + (1.0 - beta2) * g * g;
        let mean = self.m / (1.0 - beta1.powi(t));
        let square = self.v / (1.0 - beta2.powi(t));
        self.p -= rate * mean / (square.sqrt() + epsilon);
    }
}

#[test]
fn adam_follows_the_published_update() {
    const COUNT: usize = 37;
    for settings in [AdamSettings::default(), AdamSettings { beta1: 0.5, beta2: 0.9, epsilon: 1e-3 }] {
        let start: Vec<f64> = numbers(1, COUNT).collect();
        let mut reference: Vec<_> = start.iter().map(|&p| Reference { m: 0.0, v: 0.0, p }).collect();
        let mut double = (Adam::new(settings, COUNT).unwrap(), start.clone());
        let mut single: (Adam<f32>, Vec<f32>) =
            (Adam::new(settings, COUNT).unwrap(), start.iter().map(|&p| p as f32).collect());
        for t in 1..=2000_u32 {
            // Rounded to f32, so that both types see the same gradients; some are tiny, some zero.
            let gradient: Vec<f32> = numbers(u64::from(t) + 10, COUNT)
                .enumerate()
                .map(|(i, g)| if i == 0 { 0.0 } else { (g * 10_f64.powi(-(i as i32 % 7))) as f32 })
                .collect();
            let rate = 0.01 / f64::from(t).sqrt();
            let wide: Vec<f64> = gradient.iter().map(|&g| f64::from(g)).collect();
            for (one, &g) in reference.iter_mut().zip(&wide) {
                one.step(g, rate, t as i32, settings);
            }
            double.0.step(&mut double.1, &wide, rate).unwrap();
            single.0.step(&mut single.1, &gradient, rate).unwrap();
        }
        for (i, one) in reference.iter().enumerate() {
            assert!((double.1[i] - one.p).abs() < 1e-12, "f64, parameter {i}");
            assert!((f64::from(single.1[i]) - one.p).abs() < 1e-5, "f32, parameter {i}");
            assert!((double.0.first_moment()[i] - one.m).abs() < 1e-14);
            assert!((double.0.second_moment()[i] - one.v).abs() < 1e-14);
        }
        assert_eq!(double.1[0], start[0], "a parameter without gradient stays");
        assert_eq!(double.0.steps(), 2000);
    }
}

#[test]
fn adam_finds_the_bottom_of_a_quadratic() {
    let target: Vec<f32> = numbers(2, 100).map(|x| x as f32).collect();
    let mut point = vec![0.0_f32; 100];
    let mut adam = Adam::new(AdamSettings::default(), 100).unwrap();
    let schedule = Schedule::new(20, Decay::Cosine { floor: 0.0 }).unwrap();
    for step in 0..2000 {
        // Curvatures from 1 to 100.
        let gradient: Vec<f32> = (0..100).map(|i| (1.0 + i as f32) * (point[i] - target[i])).collect();
        adam.step(&mut point, &gradient, 0.02 * schedule.factor(step, 2000)).unwrap();
    }
    let error = point.iter().zip(&target).map(|(p, t)| (p - t).abs()).fold(0.0, f32::max);
    assert!(error < 1e-4, "{error}");
}

#[test]
fn adam_and_average_continue_from_a_checkpoint_to_the_bit() {
    let gradients: Vec<Vec<f32>> = (0..40).map(|t| numbers(t, 50).map(|g| g as f32).collect()).collect();
    let run = |adam: &mut Adam<f32>, average: &mut Average, point: &mut [f32], steps: &[Vec<f32>]| {
        for gradient in steps {
            adam.step(point, gradient, 0.01).unwrap();
            average.update(point).unwrap();
        }
    };
    let settings = AdamSettings::default();
    let mut whole = (Adam::new(settings, 50).unwrap(), Average::new(0.9, 50).unwrap(), vec![0.5_f32; 50]);
    run(&mut whole.0, &mut whole.1, &mut whole.2, &gradients);

    let mut first = (Adam::new(settings, 50).unwrap(), Average::new(0.9, 50).unwrap(), vec![0.5_f32; 50]);
    run(&mut first.0, &mut first.1, &mut first.2, &gradients[..17]);
    let (first_moment, second_moment) = (first.0.first_moment().to_vec(), first.0.second_moment().to_vec());
    let mut adam = Adam::restore(first.0.settings(), first_moment, second_moment, first.0.steps()).unwrap();
    let mut average =
        Average::restore(first.1.decay(), first.1.values().to_vec(), first.1.updates()).unwrap();
    run(&mut adam, &mut average, &mut first.2, &gradients[17..]);
    assert_eq!((adam, average, first.2), whole);
}

#[test]
fn a_gradient_that_is_not_finite_changes_nothing() {
    let mut adam = Adam::new(AdamSettings::default(), 3).unwrap();
    let mut point = [1.0_f32, 2.0, 3.0];
    adam.step(&mut point, &[0.1, 0.2, 0.3], 0.01).unwrap();
    let before = (adam.clone(), point);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut gradient = [0.1, 0.2, bad];
        let norm = clip_global_norm(&mut gradient, 1.0).unwrap();
        assert!(!norm.is_finite());
        assert_eq!(gradient.map(f32::to_bits), [0.1, 0.2, bad].map(f32::to_bits));
        let error = adam.step(&mut point, &gradient, 0.01).unwrap_err();
        assert!(matches!(error, OptimError::Value { what: "gradient", index: 2, .. }), "{error}");
        assert!(error.to_string().starts_with("gradient number 2 is "), "{error}");
        assert_eq!((&adam, point), (&before.0, before.1));
    }
    let mut average = Average::new(0.5, 3).unwrap();
    average.update(&point).unwrap();
    let kept = average.clone();
    assert!(average.update(&[1.0, f32::NAN, 2.0]).is_err());
    assert_eq!(average, kept);
}

#[test]
fn misuse_is_an_error() {
    let settings = AdamSettings::default();
    let mut adam = Adam::<f32>::new(settings, 2).unwrap();
    let length = |what, found| OptimError::Length { what, found, expected: 2 };
    assert_eq!(adam.step(&mut [0.0; 3], &[0.0; 2], 0.1), Err(length("the parameter vector", 3)));
    assert_eq!(adam.step(&mut [0.0; 2], &[0.0; 1], 0.1), Err(length("the gradient", 1)));
    for rate in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(adam.step(&mut [0.0; 2], &[0.0; 2], rate).is_err());
    }
    assert_eq!(adam.steps(), 0);
    for bad in [
        AdamSettings { beta1: 1.0, ..settings },
        AdamSettings { beta2: -0.1, ..settings },
        AdamSettings { epsilon: 0.0, ..settings },
        AdamSettings { epsilon: f64::NAN, ..settings },
    ] {
        assert!(Adam::<f32>::new(bad, 1).is_err(), "{bad:?}");
    }
    assert!(Adam::restore(settings, vec![0.0_f32; 2], vec![0.0; 3], 1).is_err());
    assert!(Adam::restore(settings, vec![0.0_f32], vec![-1.0], 1).is_err());
    assert!(Adam::restore(settings, vec![f32::NAN], vec![1.0], 1).is_err());
    assert!(Average::new(1.0, 1).is_err());
    assert!(Average::restore(0.5, vec![f64::NAN], 1).is_err());
    assert_eq!(Average::new(0.5, 1).unwrap().write_to(&mut [0.0_f32]), Err(OptimError::NoAverage));
    assert!(Schedule::new(0, Decay::Cosine { floor: 1.5 }).is_err());
    assert!(clip_global_norm(&mut [1.0_f32], -1.0).is_err());
    assert!(clip_global_norm(&mut [1.0_f32], f64::NAN).is_err());
}

#[test]
fn clipping_is_exact() {
    // 3² + 4² + 12² = 13², spread over more values than the partial sums.
    let mut gradient = vec![0.0_f32; 19];
    (gradient[2], gradient[9], gradient[18]) = (3.0, 4.0, -12.0);
    assert_eq!(global_norm(&gradient), 13.0);
    let kept = gradient.clone();
    for limit in [13.0, 20.0, f64::INFINITY] {
        assert_eq!(clip_global_norm(&mut gradient, limit), Ok(13.0));
        assert_eq!(gradient, kept);
    }
    assert_eq!(clip_global_norm(&mut gradient, 6.5), Ok(13.0));
    assert_eq!((gradient[2], gradient[9], gradient[18]), (1.5, 2.0, -6.0));
    assert_eq!(clip_global_norm(&mut gradient, 0.0), Ok(6.5));
    assert!(gradient.iter().all(|&value| value == 0.0));

    // Squares that overflow or vanish in f32, and a long sum that one running f32 would get wrong.
    assert_eq!(global_norm(&[3e30_f32, 4e30]), f64::from(3e30_f32).hypot(f64::from(4e30_f32)));
    assert_eq!(global_norm(&[3e-30_f32, 4e-30]), f64::from(3e-30_f32).hypot(f64::from(4e-30_f32)));
    let long = vec![0.1_f32; 1_000_003];
    let exact = f64::from(0.1_f32) * 1_000_003_f64.sqrt();
    // 125,000 additions in each partial sum may lose as many half units in the last place of f64.
    assert!((global_norm(&long) / exact - 1.0).abs() < 125_000.0 * f64::EPSILON / 2.0);
    assert_eq!(global_norm::<f32>(&[]), 0.0);
}

#[test]
fn average_has_its_closed_form() {
    let points: Vec<Vec<f64>> = (0..60).map(|i| numbers(i, 5).collect()).collect();
    for decay in [0.0, 0.5, 0.99] {
        let mut average = Average::new(decay, 5).unwrap();
        for (n, point) in points.iter().enumerate() {
            average.update(point).unwrap();
            let weight = |i: usize| decay.powi((n - i) as i32);
            for (j, found) in average.values().iter().enumerate() {
                let sum: f64 = (0..=n).map(|i| weight(i) * points[i][j]).sum();
                let expected = sum / (0..=n).map(weight).sum::<f64>();
                assert!((found - expected).abs() < 1e-13, "decay {decay}, update {n}");
            }
        }
        assert_eq!(average.updates(), 60);
        let mut written = [0.0_f32; 5];
        average.write_to(&mut written).unwrap();
        assert_eq!(written.to_vec(), average.values().iter().map(|&v| v as f32).collect::<Vec<_>>());
    }
}

#[test]
fn schedules_pass_their_corners() {
    let cosine = Schedule::new(10, Decay::Cosine { floor: 0.1 }).unwrap();
    assert_eq!(cosine.factor(0, 110), 0.1);
    assert_eq!(cosine.factor(4, 110), 0.5);
    assert_eq!(cosine.factor(9, 110), 1.0);
    assert_eq!(cosine.factor(10, 110), 1.0);
    assert!((cosine.factor(60, 110) - 0.55).abs() < 1e-12);
    assert!((cosine.factor(110, 110) - 0.1).abs() < 1e-12);
    assert_eq!(cosine.factor(u64::MAX, 110), cosine.factor(110, 110));
    assert!((11..110).all(|step| cosine.factor(step, 110) < cosine.factor(step - 1, 110)));
    // A run that ends within the warm-up, and an empty one.
    assert_eq!(cosine.factor(3, 5), 0.4);
    assert!((cosine.factor(10, 5) - 0.1).abs() < 1e-12);
    assert_eq!(Schedule::new(0, Decay::Cosine { floor: 0.0 }).unwrap().factor(0, 0), 0.0);

    let root = Schedule::new(100, Decay::InverseSquareRoot).unwrap();
    assert_eq!([root.factor(99, 0), root.factor(399, 0), root.factor(9_999, 0)], [1.0, 0.5, 0.1]);
    assert_eq!(Schedule::new(0, Decay::InverseSquareRoot).unwrap().factor(3, 0), 0.5);

    assert_eq!(Schedule::CONSTANT.factor(0, 10), 1.0);
    assert_eq!(Schedule::CONSTANT.factor(u64::MAX, 10), 1.0);
}
