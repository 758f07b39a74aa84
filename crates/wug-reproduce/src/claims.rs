//! The paper's claims, judged by the results. Nothing here is typed by hand but the claims themselves and what is known
//! beforehand; verdicts and numbers follow from the runs.

mod baseline;
mod encoder;
mod flows;
mod noise;
#[cfg(test)]
mod tests;
mod weighting;

use serde::Serialize;

pub(crate) use noise::mean_history;

use crate::{Basis, Contrast, Interval, Quantity, Summary};

/// What makes no difference, in nats per word: about the paper's standard deviation between runs.
const MARGIN: f64 = 0.1;

/// A claim of the paper and what the results say about it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claim {
    /// The claim.
    pub claim: &'static str,
    /// Whether it holds here.
    pub verdict: Verdict,
    /// When it is said to hold.
    pub rule: &'static str,
    /// The number that decides, in short; none if there is no single one.
    pub figure: Option<String>,
    /// The numbers that decide.
    pub evidence: Vec<String>,
    /// What is known beforehand.
    pub remark: Option<&'static str>,
}

/// How claims begin that are not the paper's.
const BEYOND: &str = "Beyond the paper: ";

impl Claim {
    /// Whether the paper makes it.
    pub(crate) fn is_of_the_paper(&self) -> bool {
        !self.claim.starts_with(BEYOND)
    }
}

/// Whether a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The results show it.
    Holds,
    /// The results show the opposite.
    DoesNotHold,
    /// The results do not decide it, or there are none.
    CannotSay,
}

impl Verdict {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::DoesNotHold => "does not hold",
            Verdict::CannotSay => "cannot be told",
        }
    }

    /// That the true value is more than zero.
    fn positive(estimate: Interval) -> Self {
        if estimate.lower() > 0.0 {
            Verdict::Holds
        } else if estimate.upper() < 0.0 {
            Verdict::DoesNotHold
        } else {
            Verdict::CannotSay
        }
    }

    /// That the true value is at most the margin.
    fn within_margin(estimate: Interval) -> Self {
        if estimate.upper() <= MARGIN {
            Verdict::Holds
        } else if estimate.lower() > MARGIN {
            Verdict::DoesNotHold
        } else {
            Verdict::CannotSay
        }
    }

    /// That all parts hold; a part that does not decides.
    fn all(parts: &[Self]) -> Self {
        if parts.contains(&Verdict::DoesNotHold) {
            Verdict::DoesNotHold
        } else if parts.is_empty() || parts.contains(&Verdict::CannotSay) {
            Verdict::CannotSay
        } else {
            Verdict::Holds
        }
    }
}

/// All claims that the results say something about.
pub(crate) fn claims(summary: &Summary<'_>) -> Vec<Claim> {
    let mut claims = vec![
        weighting::helps(summary),
        weighting::diminishing(summary),
        flows::two_layers(summary),
        flows::independent_symbols(summary),
        flows::stronger_generative(summary),
        encoder::bidi(summary),
        noise::falls_with_position(summary),
        noise::grows_in_training(summary),
        baseline::on_par_by_mixture(summary),
        baseline::on_par_by_exact(summary),
        baseline::on_par_with_shared_flow(summary),
        baseline::choice_and_equal_states(summary),
        baseline::choice_and_equal_parameters(summary),
        baseline::choice_on_held_out_words(summary),
        baseline::choice_and_twin(summary),
    ];
    claims.retain(|claim| !claim.evidence.is_empty());
    claims
}

/// Evidence as it is collected.
#[derive(Default)]
struct Evidence {
    lines: Vec<String>,
    /// The first number, in short.
    figure: Option<String>,
    /// The smallest and the largest number, where several have to hold.
    range: Option<(f64, f64)>,
    /// What was not measured.
    missing: Vec<String>,
    verdicts: Vec<Verdict>,
    /// Why something cannot be told.
    reasons: Vec<String>,
    basis: Option<Basis>,
}

impl Evidence {
    /// Adds a contrast under its name and a verdict on it; one that was not measured leaves the claim open.
    fn add(&mut self, name: &str, contrast: Option<Contrast>, judge: fn(Interval) -> Verdict) {
        if let Some(contrast) = &contrast {
            let verdict = judge(contrast.estimate());
            self.verdicts.push(verdict);
            if verdict == Verdict::CannotSay {
                self.reasons.push(format!("{name}: {}", why_open(contrast)));
            }
        } else {
            self.lack(name);
        }
        self.show(name, contrast);
    }

    /// The same, with the verdict beside the number: one of several that all have to hold.
    fn add_with_verdict(&mut self, name: &str, contrast: Option<Contrast>, judge: fn(Interval) -> Verdict) {
        let estimate = contrast.as_ref().map(Contrast::estimate);
        self.add(name, contrast, judge);
        if let (Some(estimate), Some(line)) = (estimate, self.lines.last_mut()) {
            line.push_str(&format!(": {}", judge(estimate).name()));
            let (low, high) = self.range.unwrap_or((estimate.value, estimate.value));
            self.range = Some((low.min(estimate.value), high.max(estimate.value)));
        }
    }

    /// Shows a contrast that does not decide.
    fn show(&mut self, name: &str, contrast: Option<Contrast>) {
        let Some(contrast) = contrast else { return };
        let estimate = contrast.estimate();
        self.lines.push(format!("{name}: {} nats per word", describe(estimate)));
        let short = || format!("{:+.2} ± {:.2} nats", estimate.value, estimate.reach).replace('-', "−");
        self.figure.get_or_insert_with(short);
        self.basis = self.basis.max(Some(contrast.basis));
    }

    /// Something that was not measured leaves the claim open.
    fn lack(&mut self, name: &str) {
        self.missing.push(name.to_owned());
        self.verdicts.push(Verdict::CannotSay);
    }

    /// The claim; without evidence if nothing at all was measured.
    fn into_claim(mut self, claim: &'static str, rule: &'static str, remark: Option<&'static str>) -> Claim {
        match self.basis {
            Some(Basis::Pooled) => self.lines.push(
                "A row has fewer than three runs: its spread is taken from all rows that have several."
                    .into(),
            ),
            Some(Basis::Paper) => self.lines.push(
                "Every row has a single run: the spread over runs is taken from the paper's Table 1.".into(),
            ),
            _ => {}
        }
        let verdict = Verdict::all(&self.verdicts);
        if let Some((low, high)) = self.range {
            self.figure = Some(format!("{low:+.2} to {high:+.2} nats").replace('-', "−"));
        }
        if !self.lines.is_empty() && verdict == Verdict::CannotSay {
            self.lines.extend(self.reasons.into_iter().map(|reason| format!("Cannot be told: {reason}.")));
            if !self.missing.is_empty() {
                self.lines.push(format!("Not run: {}.", self.missing.join("; ")));
            }
        }
        Claim { claim, verdict, rule, figure: self.figure, evidence: self.lines, remark }
    }
}

/// Why an interval decides nothing, and whether more runs would change that.
fn why_open(contrast: &Contrast) -> String {
    let Interval { value, reach, .. } = contrast.estimate();
    if value.abs() + reach <= MARGIN {
        return format!(
            "the difference is smaller than {MARGIN} nats per word, about the paper's deviation between runs, and more runs \
             would not make it larger"
        );
    }
    "the 95 % interval has both sides of the rule".into()
}

/// An estimate with its uncertainty.
fn describe(estimate: Interval) -> String {
    let Interval { value, error, .. } = estimate;
    let text =
        format!("{value:+.3} ± {error:.3} (95 %: {:+.3} to {:+.3})", estimate.lower(), estimate.upper());
    text.replace('-', "−")
}

/// The difference of test cross entropies by the paper's estimator.
fn difference(summary: &Summary<'_>, from: &str, minus: &str) -> Option<Contrast> {
    summary.contrast(&[(from, 1.0), (minus, -1.0)], Quantity::Test)
}
