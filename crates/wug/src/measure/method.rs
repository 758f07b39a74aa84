//! The method section of a paper that uses matched pseudowords, and what to cite.

use std::fmt;

use super::criteria::{Criterion, Feature};
use super::declaration::Need;
use super::matching::{MatchRequest, Matched, ORDERS, Quality};
use crate::TrainedModel;
use crate::generate::Constraint;
use crate::lexicon::Lexicon;
use crate::quantity::grouped;

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
@incollection{coltheart1977access,
  author = {Coltheart, Max and Davelaar, Eileen and Jonasson, Jon Torfi and Besner, Derek},
  title = {Access to the internal lexicon},
  booktitle = {Attention and Performance VI},
  editor = {Dornic, Stanislav},
  pages = {535--555},
  publisher = {Erlbaum},
  year = {1977}
}
@article{yarkoni2008moving,
  author = {Yarkoni, Tal and Balota, David and Yap, Melvin},
  title = {Moving beyond {C}oltheart's {N}: A new measure of orthographic similarity},
  journal = {Psychonomic Bulletin \\& Review},
  volume = {15},
  pages = {971--979},
  year = {2008}
}
@article{vanheuven2014subtlex,
  author = {van Heuven, Walter and Mandera, Pawel and Keuleers, Emmanuel and Brysbaert, Marc},
  title = {{SUBTLEX-UK}: A new and improved word frequency database for {B}ritish {E}nglish},
  journal = {Quarterly Journal of Experimental Psychology},
  volume = {67},
  pages = {1176--1190},
  year = {2014}
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
    /// The model's [fingerprint](TrainedModel::fingerprint).
    pub model_digest: &'a str,
    /// The lexicon.
    pub lexicon: &'a Lexicon,
    /// A second lexicon, for measures in it.
    pub other_lexicon: Option<&'a Lexicon>,
}

impl fmt::Display for Method<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { matched, request, .. } = self;
        self.model(formatter)?;
        self.candidates(formatter)?;
        writeln!(formatter, "{}", excluded(request, self.lexicon))?;
        constraints(request).map_or(Ok(()), |text| writeln!(formatter, "{text}"))?;
        pairs(request).iter().try_for_each(|text| writeln!(formatter, "{text}"))?;
        self.assignment(formatter)?;
        for quality in &matched.quality {
            writeln!(formatter, "{}", told(quality))?;
        }
        let Some(bias) = &matched.bias else {
            return writeln!(formatter, "The LD1NN test could not be computed for this list.");
        };
        writeln!(
            formatter,
            "In the LD1NN test (Keuleers & Brysbaert, 2011), averaged over {ORDERS} random orders of the list, the odds were {:.2} (z = {:.2}, {}; p < 0.05 in {} of \
             the orders).",
            bias.fit.odds(),
            bias.fit.z(),
            p_value(bias.fit.p()),
            bias.significant_orders(),
        )?;
        writeln!(
            formatter,
            "These tests describe this list, which was balanced by construction; they say nothing about other lists."
        )
    }
}

impl Method<'_> {
    fn model(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { matched, model, model_name, model_digest, .. } = self;
        let (provenance, seed) = (&model.provenance, model.config.train.seed);
        let made: usize = matched.targets.iter().map(|target| target.pseudowords.len()).sum();
        writeln!(
            formatter,
            "For {} words, {made} pseudowords were generated with wug {} (Schmidt & Hofmann, 2018) and its model {model_name} (SHA-256 {model_digest}), which was trained \
             on {} (SHA-256 {}; {} words seen; seed {seed}).",
            matched.targets.len(),
            env!("CARGO_PKG_VERSION"),
            provenance.lexicon,
            provenance.lexicon_digest,
            grouped(provenance.words_seen),
        )
    }

    fn candidates(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Matched { candidates, seed, .. } = self.matched;
        writeln!(
            formatter,
            "Candidates had as many letters as their word and were sampled without replacement from the model's distribution, given all constraints (seed {seed}; {} \
             candidates in all).",
            grouped(*candidates as u64)
        )
    }

    fn assignment(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { matched, request, model, other_lexicon, .. } = self;
        let each = match request.per_target {
            1 => "One pseudoword was".to_owned(),
            several => format!("{several} pseudowords were"),
        };
        let criteria: Vec<String> = request.criteria.iter().map(criterion).collect();
        let leaning = match matched.bias {
            Some(_) => " and words could not be told from pseudowords by their neighbours within the list",
            None => "",
        };
        writeln!(
            formatter,
            "{each} given to each word by optimal assignment, which minimised the sum of squared differences in {}, in units of their standard deviations among the \
             lexicon's words of the same length.",
            join(&criteria),
        )?;
        writeln!(
            formatter,
            "The assignment was repeated with shifted aims, so that the mean difference of each measure was close to zero{leaning}."
        )?;
        let uses = |need| request.criteria.iter().any(|criterion| criterion.measure.needs(need));
        if uses(Need::Model) {
            let exact = if model.model.is_exact() { "" } else { ", estimated by a particle filter" };
            writeln!(formatter, "Log-probabilities are natural logarithms under the model{exact}.")?;
        }
        match other_lexicon {
            Some(other) if uses(Need::OtherLexicon) => writeln!(
                formatter,
                "The other lexicon has {} words (SHA-256 {}).",
                grouped(other.types() as u64),
                other.digest()
            ),
            _ => Ok(()),
        }
    }
}

fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// Which words were no pseudowords.
fn excluded(request: &MatchRequest, lexicon: &Lexicon) -> String {
    let own =
        format!("of the lexicon ({} words, SHA-256 {})", grouped(lexicon.types() as u64), lexicon.digest());
    let others =
        request.excluded.iter().map(|list| format!("of {} (SHA-256 {})", list.name(), list.digest()));
    let lists: Vec<String> = std::iter::once(own).chain(others).collect();
    let rare = match request.attested {
        0 => String::new(),
        least => format!(
            ", and so were strings with three successive letters, word boundaries included, that occur fewer than {least} times in the lexicon's words"
        ),
    };
    format!("Words {} were excluded{rare}.", join(&lists))
}

/// What all candidates met.
fn constraints(request: &MatchRequest) -> Option<String> {
    let all: Vec<String> = request.constraints.iter().map(Constraint::sentence).collect();
    let has_patterns = request.constraints.iter().any(|constraint| {
        use Constraint::{Containing, NotPattern, Pattern, Without};
        matches!(constraint, Pattern(_) | NotPattern(_) | Containing(_) | Without(_))
    });
    let classes = request.classes.definitions().map(|(name, members)| format!("{name} for {members}"));
    let signs = ["* stands for any letters", "? for one", "V for a vowel", "C for a consonant"];
    let signs: Vec<String> = signs.into_iter().map(str::to_owned).chain(classes).collect();
    let signs = if has_patterns { format!(" (in patterns, {})", join(&signs)) } else { String::new() };
    (!all.is_empty()).then(|| format!("Candidates {}{signs}.", join(&all)))
}

/// How pseudowords go with their words and with each other.
fn pairs(request: &MatchRequest) -> Vec<String> {
    let MatchRequest { same, keep, min_edits, max_edits, apart, .. } = request;
    let mut shared: Vec<String> = same.iter().map(|&feature| feature_name(feature).to_owned()).collect();
    shared.extend(keep.iter().map(|place| match place {
        ..0 => format!("letter at place {} from the end", place.unsigned_abs()),
        _ => format!("letter at place {place}"),
    }));
    let mut found = Vec::new();
    if !shared.is_empty() {
        found.push(format!("Each pseudoword has the same {} as its word.", join(&shared)));
    }
    if *min_edits > 1 || max_edits.is_some() {
        let most = max_edits.map_or(String::new(), |most| format!(" and at most {most}"));
        found.push(format!("The Levenshtein distance between them is at least {min_edits}{most}."));
    }
    if *apart > 1 {
        found.push(format!("The Levenshtein distance between any two pseudowords is at least {apart}."));
    }
    found
}

fn feature_name(feature: Feature) -> &'static str {
    match feature {
        Feature::FirstLetter => "first letter",
        Feature::LastLetter => "last letter",
        Feature::Onset => "letters before the first vowel",
        Feature::Ending => "letters from the last group of vowels on",
        Feature::Skeleton => "pattern of consonants and vowels",
        Feature::Syllables => "number of groups of vowels",
    }
}

fn criterion(Criterion { measure, weight, tolerance }: &Criterion) -> String {
    let source = match measure.source() {
        "" => String::new(),
        source => format!(" ({source})"),
    };
    let weight = if *weight == 1.0 { String::new() } else { format!(" (weight {weight})") };
    let within = tolerance.map_or(String::new(), |most| format!(" (differing by at most {most})"));
    format!("{}{source}{weight}{within}", measure.prose())
}

fn told(quality: &Quality) -> String {
    let Quality { prose: name, mean_difference, deviation, standardised_distance, .. } = quality;
    match (quality.target_mean, quality.pseudoword_mean, quality.p) {
        (Some(words), Some(pseudowords), Some(p)) => format!(
            "Mean {name} was {words:.2} for words and {pseudowords:.2} for pseudowords (mean paired difference {mean_difference:.3}, SD {deviation:.3}, paired t test {}; \
             mean absolute difference {standardised_distance:.2} SD).",
            p_value(p)
        ),
        _ => {
            format!("The mean difference in {name} was {mean_difference:.3} ({standardised_distance:.2} SD).")
        }
    }
}

/// Two digits, or more where they matter.
fn p_value(p: f64) -> String {
    match p {
        ..0.001 => "p < 0.001".to_owned(),
        ..0.1 => format!("p = {p:.3}"),
        _ => format!("p = {p:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_told_in_words() {
        let mut request = MatchRequest {
            constraints: vec![Constraint::NotPattern("*K".into()), Constraint::AtLeast(3)],
            same: vec![Feature::Onset],
            keep: vec![2, -1],
            max_edits: Some(2),
            apart: 3,
            ..MatchRequest::default()
        };
        request.classes.define("K", "ptk").unwrap();
        assert_eq!(
            constraints(&request).unwrap(),
            "Candidates did not match the pattern `*K` and had at least 3 letters (in patterns, * stands for any letters, ? for one, V for a vowel, C for a consonant and \
             K for ptk)."
        );
        assert_eq!(
            pairs(&request),
            [
                "Each pseudoword has the same letters before the first vowel, letter at place 2 and letter at place 1 from the end as its word.",
                "The Levenshtein distance between them is at least 1 and at most 2.",
                "The Levenshtein distance between any two pseudowords is at least 3.",
            ]
        );
        assert!(constraints(&MatchRequest::default()).is_none());
        assert!(pairs(&MatchRequest::default()).is_empty());
        let weighted = Criterion { weight: 2.0, tolerance: Some(0.2), ..Criterion::named("old20").unwrap() };
        assert_eq!(
            criterion(&weighted),
            "OLD20 (Yarkoni et al., 2008) (weight 2) (differing by at most 0.2)"
        );
        assert_eq!([0.0001, 0.012, 0.5].map(p_value), ["p < 0.001", "p = 0.012", "p = 0.50"]);
    }
}
