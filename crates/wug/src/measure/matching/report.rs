//! How well a list is matched, as a table for people.

use std::fmt;

use super::super::ld1nn::{Bias, Verdict};
use super::{Match, Matched, Quality};
use crate::quantity::grouped;

/// A line for each criterion, and what the test for bias says.
impl fmt::Display for Matched {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: usize = self.targets.iter().map(|target| target.pseudowords.len()).sum();
        writeln!(
            formatter,
            "{} words, {pairs} pseudowords out of {} candidates",
            self.targets.len(),
            grouped(self.candidates as u64)
        )?;
        if pairs == 0 {
            return write!(formatter, "nothing was matched");
        }
        writeln!(
            formatter,
            "\n{:<26} {:>10} {:>12} {:>11} {:>8} {:>7} {:>7}  worst",
            "measure", "words", "pseudowords", "difference", "paired p", "mean SD", "|SD|"
        )?;
        for quality in &self.quality {
            writeln!(formatter, "{}", line(quality))?;
        }
        let far: Vec<(&str, &Match)> = self.far_off().collect();
        if let Some((word, Match { candidate, match_distance })) = far.first() {
            writeln!(
                formatter,
                "\nfar off: {} of {pairs} pairs are more than {FAR} standard deviations apart, such as {word} {} ({match_distance:.1}); \
                 leave them out, or make more candidates or fewer conditions",
                far.len(),
                candidate.word
            )?;
        }
        match &self.bias {
            None => write!(formatter, "\nLD1NN could not be computed for this list"),
            Some(bias) => write!(formatter, "\n{}", verdict(bias)),
        }
    }
}

/// The distance from which on a pair does not match, in standard deviations.
const FAR: f64 = 3.0;

impl Matched {
    /// Words with pseudowords that do not match them, the farthest first, though there was nothing better.
    pub fn far_off(&self) -> impl Iterator<Item = (&str, &Match)> {
        let pairs = self
            .targets
            .iter()
            .flat_map(|target| target.pseudowords.iter().map(|found| (target.target.word.as_str(), found)));
        let mut far: Vec<_> = pairs.filter(|(_, found)| found.match_distance > FAR).collect();
        far.sort_by(|left, right| right.1.match_distance.total_cmp(&left.1.match_distance));
        far.into_iter()
    }
}

fn line(quality: &Quality) -> String {
    let figure = |number: Option<f64>, digits: usize| {
        number.map_or_else(|| "–".to_owned(), |number| format!("{number:.digits$}"))
    };
    let worst = quality.worst.as_ref().map_or_else(String::new, |worst| {
        format!("{} {} {:+.2}", worst.target, worst.pseudoword, worst.difference)
    });
    format!(
        "{:<26} {:>10} {:>12} {:>+11.3} {:>8} {:>+7.2} {:>7.2}  {worst}",
        quality.measure.criterion_name(),
        figure(quality.target_mean, 2),
        figure(quality.pseudoword_mean, 2),
        quality.mean_difference,
        figure(quality.p, 3),
        quality.standardised_mean,
        quality.standardised_distance,
    )
}

fn verdict(bias: &Bias) -> String {
    let verdict = match bias.verdict() {
        Verdict::Biased => "biased",
        Verdict::Doubtful => "in doubt",
        Verdict::NoneFound => "no bias found",
    };
    format!(
        "LD1NN: odds {:.2}, p = {:.3}, p < 0.05 in {} of {} random orders: {verdict}",
        bias.fit.odds(),
        bias.fit.p(),
        bias.significant_orders(),
        bias.orders.len()
    )
}
