//! The method section of a paper that uses matched pseudowords, and what to cite.

use std::fmt;

use super::criteria::{Criterion, Feature};
use super::matching::{MatchRequest, Matched, ORDERS};
use crate::TrainedModel;
use crate::lexicon::Lexicon;

/// What to cite, as BibTeX.
pub const BIBTEX: &str = "@inproceedings{schmidt2018deep,
  author = {Schmidt, Florian and Hofmann, Thomas},
  title = {Deep State Space Models for Unconditional Word Generation},
  booktitle = {Advances in Neural Information Processing Systems 31},
  year = {2018}
}
@article{keuleers2011detecting,
  author = {Keuleers, Emmanuel and Brysbaert, Marc},
  title = {Detecting inherent bias in lexical decision experiments with the {LD1NN} algorithm},
  journal = {The Mental Lexicon},
  volume = {6},
  number = {1},
  pages = {34--52},
  year = {2011}
}
@article{yarkoni2008moving,
  author = {Yarkoni, Tal and Balota, David and Yap, Melvin},
  title = {Moving beyond {C}oltheart's {N}: A new measure of orthographic similarity},
  journal = {Psychonomic Bulletin \\& Review},
  volume = {15},
  pages = {971--979},
  year = {2008}
}
";

/// How pseudowords were made, in sentences for a paper.
pub struct Method<'a> {
    /// The result.
    pub matched: &'a Matched,
    /// What was asked for.
    pub request: &'a MatchRequest,
    /// The model.
    pub model: &'a TrainedModel,
    /// What the model is called, such as its file.
    pub model_name: &'a str,
    /// SHA-256 of the model's file, in hexadecimal.
    pub model_digest: &'a str,
    /// The lexicon.
    pub lexicon: &'a Lexicon,
}

fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

impl fmt::Display for Method<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { matched, request, model, model_name, model_digest, lexicon } = self;
        let pairs: usize = matched.targets.iter().map(|target| target.pseudowords.len()).sum();
        let provenance = &model.provenance;
        let criterion = |Criterion { measure, weight, tolerance }: &Criterion| {
            let weight = if *weight == 1.0 { String::new() } else { format!(" (weight {weight})") };
            let within = tolerance.map_or(String::new(), |most| format!(" (within {most})"));
            format!("{}{weight}{within}", measure.name().replace('-', " "))
        };
        let criteria: Vec<String> = request.criteria.iter().map(criterion).collect();
        writeln!(
            formatter,
            "For {} words, {pairs} pseudowords were generated with wug {} (Schmidt & Hofmann, 2018; model {model_name}, SHA-256 {model_digest}; \
             trained on {}, SHA-256 {}, {} words seen, seed {}).",
            matched.targets.len(),
            env!("CARGO_PKG_VERSION"),
            provenance.lexicon,
            provenance.lexicon_digest,
            provenance.words_seen,
            model.config.train.seed,
        )?;
        writeln!(
            formatter,
            "Candidates ({} in all) had the length of their word and were drawn from the model by conditioning (seed {}); strings of the lexicon \
             ({} words, SHA-256 {}){} were excluded, and so were candidates with three letters in a row, word boundaries included, that occur fewer than {} times in \
             the lexicon's words.",
            matched.candidates,
            matched.seed,
            lexicon.types(),
            lexicon.digest(),
            if request.refused.is_empty() {
                String::new()
            } else {
                let names: Vec<String> = request.refused.iter().map(|list| list.name().to_owned()).collect();
                format!(" and of {}", join(&names))
            },
            request.attested,
        )?;
        if !request.constraints.is_empty() {
            let all: Vec<String> = request.constraints.iter().map(ToString::to_string).collect();
            writeln!(formatter, "All candidates met these constraints: {}.", join(&all))?;
        }
        let mut shared: Vec<String> =
            request.same.iter().map(|feature: &Feature| feature.name().replace('-', " ")).collect();
        shared.extend(request.keep.iter().map(|place| format!("letter at place {place}")));
        if !shared.is_empty() {
            writeln!(formatter, "Each pseudoword shares its word's {}.", join(&shared))?;
        }
        if request.least_edits > 1 || request.most_edits.is_some() {
            let most = request.most_edits.map_or(String::new(), |most| format!(" and at most {most}"));
            writeln!(formatter, "It differs from it by at least {}{most} edits.", request.least_edits)?;
        }
        if request.apart > 1 {
            writeln!(formatter, "Any two pseudowords differ by at least {} edits.", request.apart)?;
        }
        writeln!(
            formatter,
            "Each word was assigned its pseudowords by optimal assignment, minimising the sum of squared standardised differences in {}, with the \
             mean difference of each measure and the effect of neighbours within the list (LD1NN) balanced around zero.",
            join(&criteria),
        )?;
        for quality in &matched.quality {
            let name = quality.measure.name().replace('-', " ");
            match (quality.target_mean, quality.pseudoword_mean, quality.p) {
                (Some(words), Some(pseudowords), Some(p)) => writeln!(
                    formatter,
                    "Words and pseudowords had a mean {name} of {words:.2} and {pseudowords:.2} (mean paired difference {:.3}, SD {:.3}, paired t test p = {p:.2}; \
                     mean absolute difference {:.2} SD).",
                    quality.mean_difference, quality.deviation, quality.standardised_distance
                )?,
                _ => writeln!(
                    formatter,
                    "The mean difference in {name} was {:.3} ({:.2} SD).",
                    quality.mean_difference, quality.standardised_distance
                )?,
            }
        }
        match &matched.bias {
            Some(bias) => writeln!(
                formatter,
                "The LD1NN test (Keuleers & Brysbaert, 2011; mean of {ORDERS} random orders) gave odds of {:.2} (z = {:.2}, p = {:.2}; p < .05 in {} orders).",
                bias.fit.odds(),
                bias.fit.z(),
                bias.fit.p(),
                bias.significant_orders(),
            ),
            None => writeln!(formatter, "The LD1NN test could not be computed for this list."),
        }
    }
}
