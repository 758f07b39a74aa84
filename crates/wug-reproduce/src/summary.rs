//! Results by row, and the quantities that tables and claims are about.

use std::collections::BTreeMap;

use crate::statistics::Variance;
use crate::{Findings, Interval, RowSpec, RunOutcome, RunResult, Statistics, rows};

/// Runs whose own spread is worth something: that of two is mostly chance.
const ENOUGH_RUNS: usize = 3;

/// A number that a run was measured to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// `H[P_train, P̂]` by the paper's estimator, nats per word.
    Train,
    /// `H[P_test, P̂]` by the paper's estimator, nats per word.
    Test,
    /// `H[P_test, P̂]` by the particle filter, exact for the baseline, nats per word.
    TightTest,
    /// `H[P_train, P̂]` by the particle filter, exact for the baseline, nats per word.
    TightTrain,
    /// The gap closed on the test part by the paper's estimator.
    GapClosed,
    /// The gap closed on the test part by the particle filter.
    TightGapClosed,
    /// `w ∈ V` of sampled words.
    InVocabulary,
    /// `w ∈ V unique` of sampled words.
    InVocabularyUnique,
    /// `Ī` in bits.
    Information,
    /// `Ī` of living words in bits.
    LivingInformation,
    /// `Ī` without the bias of few noise vectors.
    UnbiasedInformation,
    /// `Ī` of living words without the bias of few noise vectors.
    UnbiasedLivingInformation,
    /// The share of sampled words that are in the whole list.
    InList,
    /// Distinct words of the whole list among sampled words, as a share of them.
    InListUnique,
    /// `w ∈ V` at half the temperature.
    CoolInVocabulary,
    /// The same in the whole list.
    CoolInList,
    /// `w ∈ V` of argmax symbols.
    ArgmaxInVocabulary,
    /// The same in the whole list.
    ArgmaxInList,
    /// `w ∈ V unique` of argmax symbols.
    ArgmaxInVocabularyUnique,
    /// The same in the whole list.
    ArgmaxInListUnique,
}

impl Quantity {
    /// Its value for one run.
    pub(crate) fn of(self, findings: &Findings) -> Option<f64> {
        let metrics = &findings.metrics;
        let shared = metrics.cross_entropy.as_ref();
        let filter = metrics.log_probability.as_ref();
        let information = metrics.information.as_ref();
        let words = metrics.membership.as_ref();
        let sampled = words.map(|found| found.sampled);
        let cool = words.and_then(|found| found.half_temperature);
        let argmax = words.and_then(|found| found.argmax);
        match self {
            Quantity::Train => Some(shared?.train),
            Quantity::Test => Some(shared?.test),
            Quantity::TightTest => Some(filter?.test.mean),
            Quantity::TightTrain => Some(filter?.train.mean),
            Quantity::GapClosed => shared?.gap_closed,
            Quantity::TightGapClosed => filter?.gap_closed,
            Quantity::InVocabulary => Some(sampled?.in_vocabulary),
            Quantity::InVocabularyUnique => Some(sampled?.in_vocabulary_unique),
            Quantity::Information => Some(information?.mean_information),
            Quantity::LivingInformation => information?.living_information,
            Quantity::UnbiasedInformation => Some(information?.mean_information - information?.bias?),
            Quantity::UnbiasedLivingInformation => {
                Some(information?.living_information? - information?.living_bias?)
            }
            Quantity::InList => sampled?.in_list,
            Quantity::InListUnique => sampled?.in_list_unique,
            Quantity::CoolInVocabulary => Some(cool?.in_vocabulary),
            Quantity::CoolInList => cool?.in_list,
            Quantity::ArgmaxInVocabulary => Some(argmax?.in_vocabulary),
            Quantity::ArgmaxInList => argmax?.in_list,
            Quantity::ArgmaxInVocabularyUnique => Some(argmax?.in_vocabulary_unique),
            Quantity::ArgmaxInListUnique => argmax?.in_list_unique,
        }
    }
}

/// A row with its results.
#[derive(Debug, Clone)]
pub(crate) struct Row<'a> {
    /// What it is.
    pub spec: &'static RowSpec,
    /// Results of its runs, by seed.
    pub results: Vec<&'a RunResult>,
}

impl<'a> Row<'a> {
    /// What was measured in the runs that did not diverge.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &'a Findings> {
        self.results.iter().filter_map(|result| result.findings())
    }

    /// Runs that diverged.
    pub(crate) fn diverged(&self) -> usize {
        self.results.iter().filter(|result| matches!(result.outcome, RunOutcome::Diverged(_))).count()
    }

    /// A quantity in all runs that have it.
    pub(crate) fn values(&self, quantity: Quantity) -> Vec<f64> {
        self.findings().filter_map(|findings| quantity.of(findings)).collect()
    }

    /// Its mean and deviation.
    pub(crate) fn statistics(&self, quantity: Quantity) -> Option<Statistics> {
        Statistics::of(&self.values(quantity))
    }
}

/// Rows whose runs vary alike. On words of which they have seen none, models vary far more than on others, and those whose likelihood is exact
/// vary less than those that a bound trains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kin {
    types: bool,
    exact: bool,
}

impl Kin {
    fn of(spec: &RowSpec) -> Self {
        Self { types: spec.splits_types(), exact: spec.is_exact() }
    }
}

/// All rows with their results, in the order of the paper.
#[derive(Debug, Clone)]
pub(crate) struct Summary<'a> {
    rows: Vec<Row<'a>>,
}

/// Where a comparison takes the spread over runs from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Basis {
    /// From the runs of the rows themselves.
    Own,
    /// From rows of its kin that have several runs, because a row has fewer than three.
    Pooled,
    /// From the deviations that the paper prints, because no row has several runs.
    Paper,
}

/// A weighted sum of means over runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contrast {
    value: f64,
    /// Variances of what adds up to it.
    pub terms: Vec<Variance>,
    /// Where the spread over runs comes from.
    pub basis: Basis,
}

impl Contrast {
    /// With its uncertainty.
    pub(crate) fn estimate(&self) -> Interval {
        Interval::new(self.value, &self.terms)
    }
}

impl<'a> Summary<'a> {
    /// Groups results.
    pub(crate) fn of(results: &'a [RunResult]) -> Self {
        let row = |spec: &'static RowSpec| {
            let mut own: Vec<&RunResult> = results.iter().filter(|result| result.row == spec.name).collect();
            own.sort_by_key(|result| result.seed);
            Row { spec, results: own }
        };
        Self { rows: rows().iter().map(row).collect() }
    }

    /// All rows, those without results too.
    pub(crate) fn rows(&self) -> &[Row<'a>] {
        &self.rows
    }

    /// The row of a row.
    pub(crate) fn row(&self, name: &str) -> Option<&Row<'a>> {
        self.rows.iter().find(|row| row.spec.name == name)
    }

    /// `Σ c · quantity` over rows with their coefficients c; none if one of them was not measured.
    pub(crate) fn contrast(&self, terms: &[(&str, f64)], quantity: Quantity) -> Option<Contrast> {
        let mut contrast = Contrast { value: 0.0, terms: Vec::new(), basis: Basis::Own };
        // What is multiplied by a variance that several rows borrow.
        let mut borrowed: BTreeMap<Kin, f64> = BTreeMap::new();
        for &(name, coefficient) in terms {
            let own = self.row(name)?.statistics(quantity)?;
            let (runs, factor) = (own.runs as f64, coefficient.powi(2) / own.runs as f64);
            contrast.value += coefficient * own.mean;
            match own.deviation.filter(|_| own.runs >= ENOUGH_RUNS) {
                Some(deviation) => {
                    contrast.terms.push(Variance { value: factor * deviation.powi(2), degrees: runs - 1.0 })
                }
                None => *borrowed.entry(Kin::of(self.row(name)?.spec)).or_default() += factor,
            }
        }
        for (kin, factor) in borrowed {
            let (spread, basis) = match self.pooled(quantity, kin) {
                Some(pooled) => (pooled, Basis::Pooled),
                None => (paper_variance(), Basis::Paper),
            };
            // It is estimated once, so it is one term, however many rows borrow it.
            contrast.terms.push(Variance { value: factor * spread.value, ..spread });
            contrast.basis = contrast.basis.max(basis);
        }
        Some(contrast)
    }

    /// The variance over runs of one row, from its kin that have several, or from all rows of its split if none has. Those that make
    /// independent symbols are left out: they hardly vary.
    fn pooled(&self, quantity: Quantity, kin: Kin) -> Option<Variance> {
        let pooled = |alike: &dyn Fn(Kin) -> bool| {
            let (mut squares, mut degrees) = (0.0, 0.0);
            for row in self.rows.iter().filter(|row| !row.spec.has_independent_symbols()) {
                if let Some(Statistics { runs, deviation: Some(deviation), .. }) = row.statistics(quantity)
                    && alike(Kin::of(row.spec))
                {
                    squares += deviation.powi(2) * (runs - 1) as f64;
                    degrees += (runs - 1) as f64;
                }
            }
            (degrees > 0.0).then(|| Variance { value: squares / degrees, degrees })
        };
        pooled(&|other| other == kin).or_else(|| pooled(&|other| other.types == kin.types))
    }
}

/// The mean square of the deviations of test cross entropies in the paper's Table 1.
fn paper_variance() -> Variance {
    let deviations = rows().iter().filter_map(|own| own.table1.as_ref()?.test.deviation);
    let squares: Vec<f64> = deviations.map(|deviation| deviation.powi(2)).collect();
    Variance { value: squares.iter().sum::<f64>() / squares.len() as f64, degrees: f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::measured;

    /// Three runs with a standard deviation of 0.1.
    fn three(name: &str, test: f64) -> Vec<RunResult> {
        (1..=3).map(|seed| measured(name, seed, test + 0.1 * (seed as f64 - 2.0))).collect()
    }

    #[test]
    fn contrasts_by_hand() {
        let results = [three("tril", 12.0), three("tril-k2", 11.0)].concat();
        let summary = Summary::of(&results);
        let found = summary.contrast(&[("tril", 0.5), ("tril-k2", -0.25)], Quantity::Test).unwrap();
        assert_eq!(found.basis, Basis::Own);
        let estimate = found.estimate();
        assert!((estimate.value - (6.0 - 2.75)).abs() < 1e-12);
        let variance = 0.01 / 3.0 * (0.25 + 0.0625);
        assert!((estimate.error.powi(2) - variance).abs() < 1e-12, "{estimate:?}");
        assert_eq!(summary.contrast(&[("tril", 1.0), ("tril-k5", -1.0)], Quantity::Test), None);
    }

    /// Two single runs borrow one variance, with its degrees of freedom.
    #[test]
    fn what_is_borrowed_is_one_term() {
        let mut results = three("tril", 12.0);
        results.extend([measured("tril-k2", 1, 11.0), measured("tril-k5", 1, 10.0)]);
        // These hardly vary and do not count.
        results.extend((1..=3).map(|seed| measured("id-id", seed, 15.0)));
        let summary = Summary::of(&results);
        let found = summary.contrast(&[("tril-k2", 1.0), ("tril-k5", -1.0)], Quantity::Test).unwrap();
        assert_eq!((found.basis, found.terms.len()), (Basis::Pooled, 1));
        assert!((found.terms[0].value - 0.02).abs() < 1e-12 && found.terms[0].degrees == 2.0, "{found:?}");
    }

    #[test]
    fn the_papers_spread_is_the_last_resort() {
        let results = [measured("tril", 1, 12.0), measured("tril-k2", 1, 11.0)];
        let found =
            Summary::of(&results).contrast(&[("tril", 1.0), ("tril-k2", -1.0)], Quantity::Test).unwrap();
        assert_eq!(found.basis, Basis::Paper);
        // The deviations of rows 1 to 9: .11 .12 .05 .05 .13 .09 .06 .06 .10.
        let mean_square = 0.0737 / 9.0;
        assert!((found.terms[0].value - 2.0 * mean_square).abs() < 1e-12, "{found:?}");
    }
}
