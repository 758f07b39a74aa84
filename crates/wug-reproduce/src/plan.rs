//! Which runs there are, and which of them a process does.

use wug::Config;
use wug::model::{Kind, Model};

use crate::{Error, Profile, Result, RowSpec, SYMBOLS, Subject, rows};

/// What particles share costs as much as this many of them: K = 10 takes 2.8 times as long as K = 1.
const SHARED: usize = 4;

/// A run: a row with a seed.
#[derive(Debug, Clone)]
pub struct PlannedRun {
    /// What it belongs to.
    pub row: &'static RowSpec,
    /// The complete configuration.
    pub config: Config,
}

impl PlannedRun {
    /// Its name: the row's with the seed, such as `tril-k5-s3`.
    pub fn name(&self) -> String {
        run_name(&self.row.name, self.config.train.seed)
    }

    /// What the run costs, in some unit: words times multiplications for each, which are about as many as the
    /// parameters for every particle, and a few times as many for what particles share. It says which runs to begin with
    /// and how much of the work is done.
    pub fn cost(&self) -> f64 {
        let model = &self.config.model;
        let particles = if model.kind != Kind::StateSpace { 1 } else { model.bound.particles };
        // A configuration that passed its check makes a model. Costs hardly depend on the alphabet.
        let parameters = Model::new(model, SYMBOLS).map_or(1, |model| model.params().len());
        self.config.train.words as f64 * parameters as f64 * (particles + SHARED) as f64
    }
}

/// The names of what can be selected: tables, figures, and rows that are trained.
pub fn selectable() -> impl Iterator<Item = &'static str> {
    let trained = |own: &&RowSpec| matches!(own.subject, Subject::Trained { .. });
    let names = rows().iter().filter(trained).map(|own| own.name.as_str());
    ["table1", "table2", "table3", "figure1", "figure2", "beyond"].into_iter().chain(names)
}

/// The name of a row's run with a seed.
pub(crate) fn run_name(row: &str, seed: u64) -> String {
    format!("{row}-s{seed}")
}

/// What all runs share, and which of them are wanted.
#[derive(Debug, Clone)]
pub struct Plan {
    /// How long and how hard.
    pub profile: Profile,
    /// Changes to the configuration of every run.
    pub overrides: Vec<String>,
    /// Tables, figures, rows or runs by name; all if there are none.
    pub selection: Vec<String>,
}

impl Plan {
    /// All runs that are wanted, in the order of the paper.
    ///
    /// # Errors
    /// When a name is unknown or a change is not possible.
    pub fn runs(&self) -> Result<Vec<PlannedRun>> {
        let mut runs = Vec::new();
        let mut used = vec![false; self.selection.len()];
        for row in rows() {
            let Subject::Trained { runs: own, config } = &row.subject else { continue };
            for seed in 1..=self.profile.seeds.unwrap_or(*own) {
                let name = run_name(&row.name, seed);
                let mut wanted = self.selection.is_empty();
                for (used, chosen) in used.iter_mut().zip(&self.selection) {
                    if *chosen == row.name || *chosen == name || row.is_in(chosen) {
                        (*used, wanted) = (true, true);
                    }
                }
                if wanted {
                    runs.push(PlannedRun { row, config: self.configure(config, seed)? });
                }
            }
        }
        match used.iter().position(|used| !used) {
            Some(index) => {
                let name = self.selection[index].clone();
                let suggestion = wug::nearest_name(&name, selectable());
                Err(Error::UnknownName { name, suggestion })
            }
            None => Ok(runs),
        }
    }

    fn configure(&self, config: &Config, seed: u64) -> Result<Config> {
        let mut config = config.clone();
        config.train.words = self.profile.words;
        config.train.seed = seed;
        let config = config.with_overrides(&self.overrides).map_err(wug::Error::from)?;
        if config.train.seed == seed { Ok(config) } else { Err(Error::Seed) }
    }
}

/// The runs of the `number`th of `count` parts: from the costly to the cheap, each goes to the part that has least to do.
pub fn share_out(mut runs: Vec<PlannedRun>, number: usize, count: usize) -> Vec<PlannedRun> {
    longest_first(&mut runs);
    let mut loads = vec![0.0; count];
    runs.retain(|run| {
        let least = loads.iter().enumerate().min_by(|left, right| f64::total_cmp(left.1, right.1));
        let owner = least.map_or(0, |(index, _)| index);
        loads[owner] += run.cost();
        owner + 1 == number
    });
    runs
}

/// Sorts runs by their cost, so that no long one is left for the end.
pub(crate) fn longest_first(runs: &mut [PlannedRun]) {
    runs.sort_by(|left, right| right.cost().total_cmp(&left.cost()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(selection: &[&str], overrides: &[&str], seeds: impl Into<Option<u64>>) -> Plan {
        let profile = Profile { seeds: seeds.into(), ..Profile::from_toml(Profile::BUNDLED[0].1).unwrap() };
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Plan { profile, overrides: owned(overrides), selection: owned(selection) }
    }

    fn names(runs: &[PlannedRun]) -> Vec<String> {
        runs.iter().map(PlannedRun::name).collect()
    }

    #[test]
    fn everything_is_run_once_and_rows_of_two_tables_only_once() {
        let runs = plan(&[], &[], 1).runs().unwrap();
        assert_eq!(runs.len(), 53);
        let mut distinct = names(&runs);
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), 53);
    }

    /// Rows have a number of runs of their own, unless the profile has one for all.
    #[test]
    fn runs_of_a_row() {
        let count = |name: &str, seeds: Option<u64>| plan(&[name], &[], seeds).runs().unwrap().len();
        assert_eq!((count("2xtril", None), count("2xtril-k10-d32", None)), (3, 2));
        assert_eq!((count("2xtril", Some(1)), count("2xtril-k10-d32", Some(5))), (1, 5));
    }

    #[test]
    fn selections_name_tables_figures_rows_and_runs() {
        let selected = |name: &str| names(&plan(&[name], &[], 2).runs().unwrap());
        assert_eq!(selected("tril-k5-s2"), ["tril-k5-s2"]);
        assert_eq!(selected("figure1"), ["2xtril-k10-s1", "2xtril-k10-s2"]);
        assert_eq!(selected("table2").len(), 4);
        assert_eq!(selected("table3").len(), 32);
        assert_eq!(selected("beyond").len(), 60);
        let error = plan(&["tril", "tirl"], &[], 1).runs().unwrap_err().to_string();
        assert!(error.starts_with("there is no `tirl` (did you mean `tril`?)"), "{error}");
        for name in selectable() {
            assert!(!selected(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn runs_take_the_profiles_words_their_own_seed_and_overrides() {
        let runs = plan(&["tril"], &["state=4", "words=1000"], 2).runs().unwrap();
        let found: Vec<_> = runs
            .iter()
            .map(|run| (run.config.train.seed, run.config.train.words, run.config.model.state))
            .collect();
        assert_eq!(found, [(1, 1000, 4), (2, 1000, 4)]);
        assert!(matches!(plan(&["tril"], &["seed=7"], 1).runs(), Err(Error::Seed)));
        assert!(matches!(plan(&[], &["sate=7"], 1).runs(), Err(Error::Wug(wug::Error::Document(_)))));
    }

    #[test]
    fn all_runs_are_shared_out_evenly() {
        let runs = plan(&[], &[], None).runs().unwrap();
        let mut together = Vec::new();
        let mut costs = Vec::new();
        for number in 1..=4 {
            let part = share_out(runs.clone(), number, 4);
            costs.push(part.iter().map(PlannedRun::cost).sum::<f64>());
            together.extend(names(&part));
        }
        together.sort();
        let mut all = names(&runs);
        all.sort();
        assert_eq!(together, all);
        let (least, most) =
            costs.iter().fold((f64::MAX, 0.0f64), |(low, high), &cost| (low.min(cost), high.max(cost)));
        assert!(most < 1.1 * least, "{costs:?}");
    }

    #[test]
    fn costs_put_large_models_first() {
        let mut runs = plan(&["tril", "gru-8d", "2xtril-k10-d32", "2xtril-k10"], &[], 1).runs().unwrap();
        longest_first(&mut runs);
        assert_eq!(names(&runs), ["2xtril-k10-d32-s1", "2xtril-k10-s1", "tril-s1", "gru-8d-s1"]);
    }
}
