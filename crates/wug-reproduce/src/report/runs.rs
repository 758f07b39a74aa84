//! All runs with the time they took. Times differ from one computer to the next, so they stand apart from the report.

use std::fmt::Write;

use crate::{RunOutcome, RunResult};

pub(super) fn list(results: &[RunResult]) -> String {
    let mut text = String::from("run\tseed\twords\ttraining_seconds\tevaluation_seconds\tversion\toutcome\n");
    for result in results {
        let outcome = match &result.outcome {
            RunOutcome::Measured(_) => "measured",
            RunOutcome::Diverged(_) => "diverged",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}\t{}\t{}\t{:.1}\t{:.1}\t{}\t{outcome}",
            result.name(),
            result.seed,
            result.words_seen,
            result.seconds.training,
            result.seconds.evaluation,
            result.wug_version
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::diverged;

    #[test]
    fn a_line_for_each_run() {
        let mut result = diverged("tril", 2);
        result.seconds.training = 12.34;
        let text = list(&[result]);
        assert_eq!(text.lines().count(), 2);
        assert_eq!(text.lines().nth(1), Some("tril-s2\t2\t0\t12.3\t0.0\t0.1.0\tdiverged"));
    }
}
