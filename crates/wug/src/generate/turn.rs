//! Noise on the way from one word's to another's.

use super::encoding::StepNoise;

/// Noise on the way from one word's to another's, for [`TrainedModel::decode`](crate::TrainedModel::decode): at share 0 it is the
/// first one's, at 1 the other's. Each step's noise is turned along the arc between the two, and points move along the line. A step
/// that only one of them has is as it is there.
///
/// ```
/// let model = wug::bundled_model()?;
/// let (winter, summer) = (model.encode("winter", 1)?.noise(), model.encode("summer", 1)?.noise());
/// for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
///     println!("{}", model.decode(&wug::generate::turn_noise(&winter, &summer, share), 1)?.word);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn turn_noise(from: &[StepNoise], to: &[StepNoise], share: f64) -> Vec<StepNoise> {
    let steps = from.len().max(to.len());
    let step = |step: usize| match (from.get(step), to.get(step)) {
        (Some(from), Some(to)) => turn_step(from, to, share),
        (Some(one), None) | (None, Some(one)) => one.clone(),
        (None, None) => StepNoise::default(),
    };
    (0..steps).map(step).collect()
}

fn turn_step(from: &StepNoise, to: &StepNoise, share: f64) -> StepNoise {
    if share <= 0.0 || share >= 1.0 {
        return if share <= 0.0 { from.clone() } else { to.clone() };
    }
    let single = |noise: &StepNoise| noise.noise.iter().map(|&number| number as f32).collect::<Vec<f32>>();
    let (x, y) = (single(from), single(to));
    let noise = if x.is_empty() || x.len() != y.len() {
        Vec::new()
    } else {
        turn(&x, &y, share as f32, x.len()).into_iter().map(f64::from).collect()
    };
    let point = from.point.zip(to.point).map(|(from, to)| from + share * (to - from));
    StepNoise { noise, point }
}

/// Spherical interpolation of each step's noise: `(sin((1−u) Ω) x + sin(u Ω) y) / sin Ω`, Ω the angle between x and y.
pub(super) fn turn(from: &[f32], to: &[f32], share: f32, size: usize) -> Vec<f32> {
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f32>();
    let steps = from.chunks_exact(size).zip(to.chunks_exact(size));
    steps
        .flat_map(|(x, y)| {
            let lengths = (dot(x, x) * dot(y, y)).sqrt();
            let angle = (dot(x, y) / lengths).clamp(-1.0, 1.0).acos();
            // Along a line where there is no arc: same or opposite directions, or no noise at all.
            let (a, b) = if angle.is_finite() && angle.sin() > 1e-3 {
                (((1.0 - share) * angle).sin() / angle.sin(), (share * angle).sin() / angle.sin())
            } else {
                (1.0 - share, share)
            };
            x.iter().zip(y).map(move |(x, y)| a * x + b * y)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_keeps_lengths_and_meets_both_ends() {
        let (from, to) = ([3.0, 0.0, 1.0, 1.0, 0.0, 0.0], [0.0, 3.0, 1.0, 1.0, 0.0, 2.0]);
        assert_eq!(turn(&from, &to, 0.0, 2), from);
        let end = turn(&from, &to, 1.0, 2);
        assert!(end.iter().zip(&to).all(|(found, expected)| (found - expected).abs() < 1e-6), "{end:?}");
        let half = turn(&from, &to, 0.5, 2);
        let expected = [4.5f32.sqrt(), 4.5f32.sqrt(), 1.0, 1.0, 0.0, 1.0];
        assert!(half.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5), "{half:?}");
    }

    #[test]
    fn the_ends_of_a_way_are_the_words() {
        let model = crate::bundled_model().unwrap();
        let [from, to] = ["bread", "butterfly"].map(|word| model.encode(word, 3).unwrap().noise());
        let word = |share| model.decode(&turn_noise(&from, &to, share), 3).unwrap().word;
        assert_eq!((word(0.0), word(1.0)), ("bread".to_owned(), "butterfly".to_owned()));
        let half = turn_noise(&from, &to, 0.5);
        assert_eq!(half.len(), to.len());
        assert_eq!(half[0].point, Some((from[0].point.unwrap() + to[0].point.unwrap()) / 2.0));
        assert_eq!(half[8], to[8]);
    }
}
