//! All rows, compiled into the program so that they can be run from any folder.

use std::sync::LazyLock;

use crate::RowSpec;

static ALL: LazyLock<Vec<RowSpec>> = LazyLock::new(|| {
    // The document is part of the program; every test here reads it.
    RowSpec::from_toml(include_str!("../rows.toml")).unwrap_or_else(|error| panic!("rows.toml: {error}"))
});

/// All rows, in the order of the paper.
pub fn rows() -> &'static [RowSpec] {
    &ALL
}

/// A row by its name.
pub fn row(name: &str) -> Option<&'static RowSpec> {
    ALL.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use wug::Config;
    use wug::lexicon::SplitKind;

    use super::*;
    use crate::Subject;

    #[test]
    fn every_row_of_the_paper_is_there_once() {
        let all = rows;
        let rows = |row: fn(&RowSpec) -> Option<u8>| {
            let mut rows: Vec<u8> = all().iter().filter_map(row).collect();
            rows.sort_unstable();
            rows
        };
        assert_eq!(rows(|own| Some(own.table1.as_ref()?.row)), (1..=15).collect::<Vec<_>>());
        assert_eq!(rows(|own| Some(own.table2.as_ref()?.row)), [1, 2, 3, 4]);
        let flows = ["id", "diag", "tril", "2xtril"];
        let cells: BTreeSet<[String; 2]> = all().iter().filter_map(RowSpec::flows).collect();
        assert_eq!(cells, flows.iter().flat_map(|g| flows.map(|q| [g.to_string(), q.into()])).collect());
        assert_eq!(all().iter().filter(|own| own.table3.is_some()).count(), 16);
        // The rows of the paper that stand beside others are there too.
        assert_eq!(all().iter().filter(|own| own.beyond).count(), 23 + 7);
        for figure in ["figure1", "figure2"] {
            assert!(all().iter().any(|own| own.is_in(figure)));
        }
    }

    /// The name, the place in the tables and the configuration say the same.
    #[test]
    fn names_match_configurations() {
        for own in rows() {
            let name = &own.name;
            let Some(config) = own.config() else { continue };
            let split = if name.starts_with("types-") { SplitKind::Types } else { SplitKind::Tokens };
            assert_eq!(config.data.split, split, "{name}");
            let preset = Config::preset(name.trim_start_matches("types-")).unwrap();
            assert_eq!((&config.model, &config.train), (&preset.model, &preset.train), "{name}");
            let (Some([generative, inference]), Some(cell)) = (own.flows(), &own.table3) else { continue };
            assert_eq!((config.model.bound.particles, config.model.bound.peek), (1, false), "{name}");
            if own.table1.is_none() {
                assert_eq!(*name, format!("{generative}-{inference}"));
            }
            assert_eq!(cell.unstable, cell.test.is_none(), "{name}");
        }
    }

    #[test]
    fn rows_that_stand_in_two_tables_have_the_same_figures_in_both() {
        let both: Vec<_> =
            rows().iter().filter_map(|own| own.table1.as_ref().zip(own.table3.as_ref())).collect();
        assert_eq!(both.len(), 2);
        for (row, cell) in both {
            assert_eq!(Some(&row.test), cell.test.as_ref());
            assert_eq!(row.information, cell.information);
        }
    }

    #[test]
    fn oracles_are_measured_with_rows_of_the_same_split() {
        let mut found = 0;
        for own in rows() {
            let Subject::Oracle(oracle) = &own.subject else { continue };
            let with = row(&oracle.measured_with).and_then(RowSpec::config).expect("a trained one");
            assert_eq!(with.data.split == SplitKind::Types, own.table2.is_some());
            found += 1;
        }
        assert_eq!(found, 3);
    }

    #[test]
    fn small_states_have_three_runs_and_larger_ones_two_at_least() {
        for own in rows() {
            let Subject::Trained { runs, config } = &own.subject else { continue };
            let least = if config.model.state == 8 { 3 } else { 2 };
            assert!(*runs >= least, "{}", own.name);
        }
    }
}
