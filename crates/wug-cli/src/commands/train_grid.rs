//! `wug train --grid`: many trainings, on one machine or on many.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::cli::UsageError;

/// The most trainings of a grid.
const MAX_RUNS: usize = 100_000;

/// A setting with the values that it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Axis {
    key: String,
    values: Vec<String>,
}

impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected a setting and its values, such as state=16,32".to_owned();
        let (key, values) = text.split_once('=').ok_or_else(wrong)?;
        let values: Vec<String> = outer_commas(values).map(|value| value.trim().to_owned()).collect();
        if key.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(wrong());
        }
        Ok(Self { key: key.trim().to_owned(), values })
    }
}

/// What stands between commas; those within brackets belong to a value.
fn outer_commas(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |sign| {
        match sign {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        sign == ',' && depth == 0
    })
}

/// One training of a grid.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Point {
    /// Its settings, as for `--set`.
    pub(crate) overrides: Vec<String>,
    /// Its folder within that of the grid, such as `state16-seed1`.
    pub(crate) name: String,
}

impl Point {
    /// Its folder.
    pub(crate) fn folder(&self, grid: &Path) -> PathBuf {
        grid.join(&self.name)
    }
}

/// Every combination of the values, the last setting running fastest.
pub(crate) fn points(axes: &[Axis]) -> Result<Vec<Point>, UsageError> {
    let count = axes.iter().try_fold(1, |count: usize, axis| count.checked_mul(axis.values.len()));
    if count.is_none_or(|count| count > MAX_RUNS) {
        return Err(UsageError(format!("--grid: more than {MAX_RUNS} trainings")));
    }
    let mut points = vec![Point { overrides: Vec::new(), name: String::new() }];
    for Axis { key, values } in axes {
        let longer = |point: &Point| {
            let with = |value: &String| Point {
                overrides: point.overrides.iter().cloned().chain([format!("{key}={value}")]).collect(),
                name: [point.name.as_str(), &plain(key, value)].join(if point.name.is_empty() {
                    ""
                } else {
                    "-"
                }),
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        points = points.iter().flat_map(longer).collect();
    }
    let names: BTreeSet<&str> = points.iter().map(|point| point.name.as_str()).collect();
    if names.len() < points.len() {
        return Err(UsageError("--grid: a setting or a value comes twice".into()));
    }
    Ok(points)
}

/// A setting with its value as part of a file's name: the last word of the key, and what file systems take of the value.
fn plain(key: &str, value: &str) -> String {
    let key = key.rsplit('.').next().unwrap_or(key);
    let harmless = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '_');
    let value: String =
        value.split(|sign| !harmless(sign)).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
    format!("{key}{value}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(axes: &[&str]) -> Result<Vec<Point>, String> {
        let axes: Vec<Axis> = axes.iter().map(|axis| axis.parse()).collect::<Result<_, _>>()?;
        points(&axes).map_err(|error| error.to_string())
    }

    #[test]
    fn every_combination_comes_once() {
        let points = grid(&["state=16,32", "train.seed=1, 2,3"]).expect("a grid");
        let names: Vec<&str> = points.iter().map(|point| point.name.as_str()).collect();
        let expected = [
            "state16-seed1",
            "state16-seed2",
            "state16-seed3",
            "state32-seed1",
            "state32-seed2",
            "state32-seed3",
        ];
        assert_eq!(names, expected);
        assert_eq!(points[4].overrides, ["state=32", "train.seed=2"]);
        let lists = grid(&["generative.hidden=[64, 64],[128]"]).expect("a grid");
        assert_eq!((lists[0].name.as_str(), lists.len()), ("hidden64_64", 2));
        assert_eq!(lists[1].overrides, ["generative.hidden=[128]"]);
    }

    #[test]
    fn mistakes_are_told() {
        for (axes, message) in [
            (&["state"][..], "such as state=16,32"),
            (&["state="], "such as state=16,32"),
            (&["state=1,,2"], "such as state=16,32"),
            (&["state=1,1"], "comes twice"),
            (&["lexicon=a/b,a-b"], "comes twice"),
        ] {
            let problem = grid(axes).expect_err("a mistake");
            assert!(problem.contains(message), "{problem}");
        }
        let many = format!("seed={}", (0..1000).map(|seed| seed.to_string()).collect::<Vec<_>>().join(","));
        assert!(
            grid(&[&many, &many.replace("seed", "state")])
                .expect_err("too many")
                .contains("more than 100000")
        );
    }
}
