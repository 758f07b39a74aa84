//! Pseudowords for a list of words.

use std::ops::ControlFlow;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use wug::generate::Constraint;
use wug::lexicon::{Input, WordCounts, read_list};
use wug::measure::{BIBTEX, Bias, Columns, Feature, MatchRequest, Matched, Method};

use crate::models::OpenModel;
use crate::{Answer, Failure, score};

/// What is to be matched, as the options of `wug match` say it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchingRequest {
    pub(crate) model: String,
    /// The model's name in the method text.
    name: String,
    #[serde(default)]
    targets: Vec<String>,
    /// Words with pseudowords that are chosen already: these are measured, and none are made.
    pairs: Option<Vec<(String, Vec<String>)>>,
    /// Candidates for each group of targets; with pairs, how many they were chosen from.
    candidates: Option<usize>,
    per_target: usize,
    seed: u64,
    #[serde(default)]
    same: Vec<String>,
    max_edits: Option<usize>,
    without: Option<String>,
    /// Words that are not wanted.
    #[serde(default)]
    excluded: Vec<String>,
}

impl MatchingRequest {
    fn request(&self) -> Result<MatchRequest, Failure> {
        let same = self.same.iter().map(|name| name.parse::<Feature>());
        Ok(MatchRequest {
            per_target: self.per_target,
            same: same.collect::<Result<_, _>>()?,
            max_edits: self.max_edits,
            candidates: self.candidates,
            constraints: self.without.clone().map(Constraint::Without).into_iter().collect(),
            excluded: if self.excluded.is_empty() {
                Vec::new()
            } else {
                vec![Arc::new(list(&self.excluded)?)]
            },
            ..MatchRequest::default()
        })
    }
}

fn list(words: &[String]) -> Result<WordCounts, Failure> {
    let text = std::io::Cursor::new(words.join("\n").into_bytes());
    Ok(read_list(Input::from_reader("words that were not wanted", text)?, false)?)
}

/// Finds pseudowords and tells how far it is, or measures those that are given.
pub(crate) fn find(
    open: &mut OpenModel,
    request: &MatchingRequest,
    tell: &mut dyn FnMut(&Value),
) -> Result<Answer, Failure> {
    let targets: Vec<&str> = request.targets.iter().map(String::as_str).collect();
    let mut asked = request.request()?;
    asked.excluded.push(open.list()?);
    let (model, list) = (Arc::clone(&open.model), open.lexicon()?);
    let measures = open.measures(Columns::all(false, false), request.seed)?;
    let matched = match &request.pairs {
        Some(pairs) => {
            let candidates = request.candidates.unwrap_or_default();
            Matched { candidates, ..measures.assess(pairs, &asked)? }
        }
        None => measures.match_list(&targets, &asked, |progress| {
            tell(&json!({ "stage": progress.stage.name(), "share": progress.share }));
            ControlFlow::Continue(())
        })?,
    };
    let method = Method {
        matched: &matched,
        request: &asked,
        model: &model,
        model_name: &request.name,
        model_digest: &model.fingerprint(),
        lexicon: list.lexicon(),
        other_lexicon: None,
    };
    let matched_on: Vec<_> = matched.quality.iter().map(|quality| quality.measure.name()).collect();
    let mut json = json!(matched);
    json["columns"] = score::described(measures.columns());
    json["matched_on"] = json!(matched_on);
    json["method"] = json!(method.to_string());
    json["bibtex"] = json!(BIBTEX);
    if let Some(bias) = &matched.bias {
        json["bias"] = told(bias);
    }
    Ok(Answer::of(json))
}

/// What the page shows of the test for bias.
fn told(bias: &Bias) -> Value {
    json!({
        "odds": bias.fit.odds(),
        "z": bias.fit.z(),
        "p": bias.fit.p(),
        "significant_orders": bias.significant_orders(),
        "verdict": bias.verdict(),
    })
}
