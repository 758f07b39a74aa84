//! All experiments, compiled into the program so that they can be run from any folder.

use std::sync::LazyLock;

use crate::Experiment;

/// Names and contents of the files in `experiments/`.
macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../experiments/", $name, ".toml")))),*]
    };
}

/// In the order of the paper; what it does not have comes last.
const FILES: &[(&str, &str)] = files![
    "tril" "tril-k2" "tril-k5" "tril-k10" "2xtril" "2xtril-k2" "2xtril-k5" "2xtril-k10" "2xtril-k10-bidi"
    "2xtril-k10-d16" "2xtril-k10-d32" "nvp" "gru-8d" "gru-16d" "oracle-train"
    "types-2xtril-k10" "types-gru-8d" "types-oracle-train" "types-oracle-test"
    "id-id" "id-diag" "id-tril" "id-2xtril" "diag-id" "diag-diag" "diag-tril" "diag-2xtril"
    "tril-id" "tril-tril" "tril-2xtril" "2xtril-id" "2xtril-tril" "2xtril-2xtril"
    "shared-d8" "shared-d16" "shared-d32" "gru-32d"
];

static ALL: LazyLock<Vec<Experiment>> = LazyLock::new(|| {
    let read = |&(name, text): &(&'static str, &str)| {
        // The files are part of the program; a test reads each of them.
        Experiment::from_toml(name, text).unwrap_or_else(|error| panic!("experiments/{name}.toml: {error}"))
    };
    FILES.iter().map(read).collect()
});

/// All experiments, in the order of the paper.
pub fn experiments() -> &'static [Experiment] {
    &ALL
}

/// An experiment by its name.
pub fn experiment(name: &str) -> Option<&'static Experiment> {
    ALL.iter().find(|experiment| experiment.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use wug::Config;
    use wug::lexicon::SplitKind;

    use super::*;
    use crate::Subject;

    #[test]
    fn every_file_is_listed_and_can_be_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments");
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files: BTreeSet<String> = names
            .filter(|path| path.is_file())
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(FILES.iter().map(|file| file.0.to_owned()).collect::<BTreeSet<_>>(), files);
        FILES.iter().for_each(|(name, text)| {
            Experiment::from_toml(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
        });
    }

    #[test]
    fn every_row_of_the_paper_is_there_once() {
        let rows = |row: fn(&Experiment) -> Option<u8>| {
            let mut rows: Vec<u8> = experiments().iter().filter_map(row).collect();
            rows.sort_unstable();
            rows
        };
        assert_eq!(rows(|own| Some(own.table1.as_ref()?.row)), (1..=15).collect::<Vec<_>>());
        assert_eq!(rows(|own| Some(own.table2.as_ref()?.row)), [1, 2, 3, 4]);
        let flows = ["id", "diag", "tril", "2xtril"];
        let cells: BTreeSet<(&str, &str)> = experiments()
            .iter()
            .filter_map(|own| own.table3.as_ref())
            .map(|cell| (cell.generative.as_str(), cell.inference.as_str()))
            .collect();
        assert_eq!(cells, flows.iter().flat_map(|&g| flows.map(|q| (g, q))).collect());
        assert_eq!(experiments().iter().filter(|own| own.table3.is_some()).count(), 16);
        assert_eq!(rows(|own| own.beyond), [1, 2, 3, 4, 5, 6]);
        for figure in ["figure1", "figure2"] {
            assert!(experiments().iter().any(|own| own.is_in(figure)));
        }
    }

    /// The name, the place in the tables and the configuration say the same.
    #[test]
    fn names_match_configurations() {
        for own in experiments() {
            let name = own.name;
            let Some(config) = own.config() else { continue };
            let split = if name.starts_with("types-") { SplitKind::Types } else { SplitKind::Tokens };
            assert_eq!(config.data.split, split, "{name}");
            let Ok(preset) = Config::preset(name.trim_start_matches("types-")) else {
                assert!(
                    own.table3.is_some() || own.beyond.is_some(),
                    "{name} is neither a preset nor a pair of flows"
                );
                continue;
            };
            assert_eq!(config.model, preset.model, "{name}");
        }
        for own in experiments() {
            let (Some(cell), Some(config)) = (&own.table3, own.config()) else { continue };
            let Table3Names { generative, inference } = Table3Names::of(config);
            assert_eq!((&generative, &inference), (&cell.generative, &cell.inference), "{}", own.name);
            assert_eq!(config.model.bound.particles, 1, "{}", own.name);
            assert!(!config.model.bound.peek, "{}", own.name);
            if own.table1.is_none() {
                assert_eq!(own.name, format!("{generative}-{inference}"));
            }
            assert_eq!(cell.unstable, cell.test.is_none(), "{}", own.name);
        }
    }

    struct Table3Names {
        generative: String,
        inference: String,
    }

    impl Table3Names {
        fn of(config: &Config) -> Self {
            let model = &config.model;
            Self { generative: model.generative.flow.to_string(), inference: model.inference.flow.into() }
        }
    }

    #[test]
    fn rows_that_stand_in_two_tables_have_the_same_figures_in_both() {
        let both: Vec<_> =
            experiments().iter().filter_map(|own| own.table1.as_ref().zip(own.table3.as_ref())).collect();
        assert_eq!(both.len(), 2);
        for (row, cell) in both {
            assert_eq!(Some(&row.test), cell.test.as_ref());
            assert_eq!(row.information, cell.information);
        }
    }

    #[test]
    fn oracles_are_measured_with_experiments_of_the_same_split() {
        let mut found = 0;
        for own in experiments() {
            let Subject::Oracle(oracle) = &own.subject else { continue };
            let with = experiment(&oracle.measured_with).and_then(Experiment::config).expect("a trained one");
            assert_eq!(with.data.split == SplitKind::Types, own.table2.is_some());
            found += 1;
        }
        assert_eq!(found, 3);
    }

    #[test]
    fn the_paper_has_five_runs_or_ten_with_importance_weighting() {
        for own in experiments() {
            let Subject::Trained { runs, config } = &own.subject else { continue };
            let expected = match (config.model.state, config.model.bound.particles, &own.table2) {
                (16 | 32, 2.., _) if config.model.kind == wug::model::Kind::StateSpace => 1,
                (8, 2.., None) if config.model.kind == wug::model::Kind::StateSpace => 10,
                _ => 5,
            };
            assert_eq!(*runs, expected, "{}", own.name);
        }
    }
}
