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

use crate::statistics::rounded;
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

/// What has to be true of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// It is more than this.
    Above(f64),
    /// It is at most this.
    AtMost(f64),
}

impl Rule {
    /// There is a difference.
    const POSITIVE: Self = Rule::Above(0.0);
    /// Not behind by more than what makes no difference.
    const WITHIN_MARGIN: Self = Rule::AtMost(MARGIN);

    fn judge(self, estimate: Interval) -> Verdict {
        let (holds, fails) = match self {
            Rule::Above(limit) => (estimate.lower() > limit, estimate.upper() < limit),
            Rule::AtMost(limit) => (estimate.upper() <= limit, estimate.lower() > limit),
        };
        match (holds, fails) {
            (true, _) => Verdict::Holds,
            (_, true) => Verdict::DoesNotHold,
            _ => Verdict::CannotSay,
        }
    }

    /// Why an interval decides nothing, and whether more runs would change that.
    fn why_open(self, Interval { value, reach, .. }: Interval) -> String {
        if value.abs() + reach <= MARGIN {
            return format!(
                "if there is a difference, it is smaller than {MARGIN} nats per word, about the paper's deviation between runs"
            );
        }
        let (Rule::Above(limit) | Rule::AtMost(limit)) = self;
        // The interval shrinks with the root of the number of runs.
        let times = (reach / (value - limit)).powi(2).ceil();
        if times <= MAX_RUNS {
            format!(
                "the 95 % interval has both sides of the rule; about {times} times as many runs would decide it if the number stays"
            )
        } else {
            format!(
                "the number is so near to the rule's limit that {MAX_RUNS} times as many runs would not decide it"
            )
        }
    }
}

/// More runs than anyone will make, as a multiple.
const MAX_RUNS: f64 = 20.0;

/// All claims that the results say something about.
pub(crate) fn claims(summary: &Summary<'_>) -> Vec<Claim> {
    let mut claims = vec![
        weighting::helps(summary),
        weighting::diminishing(summary),
        flows::two_layers(summary),
        flows::independent_symbols(summary),
        flows::stronger_generative(summary),
        flows::identity_inference(summary),
        flows::unstable_pairs(summary),
        encoder::bidi(summary),
        noise::falls_with_position(summary),
        noise::grows_in_training(summary),
        baseline::held_out_words_are_harder(summary),
        baseline::on_par_by_mixture(summary),
        baseline::on_par_by_exact(summary),
        baseline::choice_and_equal_states(summary),
        baseline::choice_and_equal_parameters(summary),
        baseline::choice_on_held_out_words(summary),
        baseline::choice_and_teacher_forced(summary),
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
    fn add(&mut self, name: &str, contrast: Option<Contrast>, rule: Rule) {
        if let Some(contrast) = &contrast {
            let estimate = contrast.estimate();
            let verdict = rule.judge(estimate);
            self.verdicts.push(verdict);
            if verdict == Verdict::CannotSay {
                self.reasons.push(format!("{name}: {}", rule.why_open(estimate)));
            }
        } else {
            self.lack(name);
        }
        self.show(name, contrast);
    }

    /// The same, with the verdict beside the number: one of several that all have to hold.
    fn add_with_verdict(&mut self, name: &str, contrast: Option<Contrast>, rule: Rule) {
        let estimate = contrast.as_ref().map(Contrast::estimate);
        self.add(name, contrast, rule);
        if let (Some(estimate), Some(line)) = (estimate, self.lines.last_mut()) {
            line.push_str(&format!(": {}", rule.judge(estimate).name()));
            let (low, high) = self.range.unwrap_or((estimate.value, estimate.value));
            self.range = Some((low.min(estimate.value), high.max(estimate.value)));
        }
    }

    /// Shows a contrast that does not decide.
    fn show(&mut self, name: &str, contrast: Option<Contrast>) {
        let Some(contrast) = contrast else { return };
        let estimate = contrast.estimate();
        self.lines.push(format!("{name}: {} nats per word", describe(estimate)));
        let short = || format!("{} ± {:.2} nats", signed(estimate.value), estimate.reach);
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
                "A row has fewer than three runs: its spread is taken from all rows of its split and kind (exact likelihood or bound) that have several."
                    .into(),
            ),
            Some(Basis::Paper) => self.lines.push(
                "Every row has a single run: the spread over runs is taken from the paper's Table 1.".into(),
            ),
            _ => {}
        }
        let verdict = Verdict::all(&self.verdicts);
        if let Some((low, high)) = self.range {
            let holding = self.verdicts.iter().filter(|verdict| **verdict == Verdict::Holds).count();
            let of = format!("{holding} of {} hold", self.verdicts.len());
            self.figure = Some(format!("{} to {} nats, {of}", signed(low), signed(high)));
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

/// A difference with two decimals and its sign, which zero has not.
fn signed(value: f64) -> String {
    let text = rounded(value, 2);
    if value > 0.0 && text != "0.00" { format!("+{text}") } else { text }
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
