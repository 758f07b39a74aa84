//! How well a list is matched, measure by measure.

use serde::Serialize;

use super::super::column::Column;
use super::super::criteria::criterion_name;
use super::super::paired::paired_p;
use super::pool::{Pool, profile_difference};
use super::{Match, MatchedTarget};

/// How well one criterion is matched.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quality {
    /// The measure.
    #[serde(serialize_with = "criterion_name")]
    pub measure: Column,
    /// What it is called in sentences.
    pub prose: String,
    /// The mean of the words that have pseudowords; none for profiles.
    pub target_mean: Option<f64>,
    /// The mean of the pseudowords; none for profiles.
    pub pseudoword_mean: Option<f64>,
    /// The mean difference, pseudoword minus word; for profiles, of the root mean squared difference.
    pub mean_difference: f64,
    /// The standard deviation of the differences.
    pub deviation: f64,
    /// The mean difference in standard deviations of the measure among the lexicon's words of the length.
    pub standardised_mean: f64,
    /// The mean of the differences without their sign, in the same unit.
    pub standardised_distance: f64,
    /// The two-sided p value of a paired t test, each word against the mean of its pseudowords; none for profiles, which have no sign.
    pub p: Option<f64>,
    /// The pair that differs most in that unit.
    pub worst: Option<Worst>,
}

/// The pair that differs most.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Worst {
    /// The word.
    pub target: String,
    /// The pseudoword.
    pub pseudoword: String,
    /// Pseudoword minus word.
    pub difference: f64,
}

/// The quality of all criteria.
pub(super) fn of(matched: &[MatchedTarget], pool: &Pool) -> Vec<Quality> {
    (0..pool.criteria.len()).map(|criterion| one(matched, pool, criterion)).collect()
}

fn one(matched: &[MatchedTarget], pool: &Pool, criterion: usize) -> Quality {
    let measure = pool.criteria[criterion].measure;
    let is_profile = measure.is_profile();
    let difference = |target: &MatchedTarget, found: &Match| match is_profile {
        false => {
            found.candidate.figure(measure).unwrap_or(0.0) - target.target.figure(measure).unwrap_or(0.0)
        }
        true => profile_difference(found.candidate.profile(measure), target.target.profile(measure)),
    };
    let scale = |target: &MatchedTarget| pool.scale(target.target.spelling.len(), criterion);
    let pairs =
        || matched.iter().flat_map(|target| target.pseudowords.iter().map(move |found| (target, found)));
    let differences: Vec<f64> = pairs().map(|(target, found)| difference(target, found)).collect();
    let standardised: Vec<f64> =
        pairs().zip(&differences).map(|((target, _), difference)| difference / scale(target)).collect();
    let of_targets: Vec<f64> = matched
        .iter()
        .filter(|target| !target.pseudowords.is_empty())
        .map(|target| mean(target.pseudowords.iter().map(|found| difference(target, found))))
        .collect();
    let with_pseudowords = matched.iter().filter(|target| !target.pseudowords.is_empty());
    let worst = pairs()
        .zip(&differences)
        .zip(&standardised)
        .max_by(|left, right| left.1.abs().total_cmp(&right.1.abs()));
    let average = mean(differences.iter().copied());
    let squares: f64 = differences.iter().map(|difference| (difference - average).powi(2)).sum();
    Quality {
        measure,
        prose: measure.prose(),
        target_mean: (!is_profile)
            .then(|| mean(with_pseudowords.filter_map(|target| target.target.figure(measure)))),
        pseudoword_mean: (!is_profile)
            .then(|| mean(pairs().filter_map(|(_, found)| found.candidate.figure(measure)))),
        mean_difference: average,
        deviation: (squares / (differences.len() as f64 - 1.0).max(1.0)).sqrt(),
        standardised_mean: mean(standardised.iter().copied()),
        standardised_distance: mean(standardised.iter().map(|number| number.abs())),
        p: (!is_profile).then(|| paired_p(&of_targets)),
        worst: worst.map(|(((target, found), &difference), _)| Worst {
            target: target.target.word.clone(),
            pseudoword: found.candidate.word.clone(),
            difference,
        }),
    }
}

/// The mean; 0 of nothing.
fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = numbers.fold((0.0, 0.0), |(count, sum), number| (count + 1.0, sum + number));
    if count > 0.0 { sum / count } else { 0.0 }
}
