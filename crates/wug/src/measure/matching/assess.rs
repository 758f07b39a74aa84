//! Lists whose pseudowords are given, such as those that were changed by hand.

use std::collections::HashMap;

use super::super::measured_word::MeasuredWord;
use super::super::words::Measures;
use super::pool::Pool;
use super::{Match, MatchRequest, Matched, MatchedTarget};
use crate::Result;

impl Measures {
    /// Measures words and the pseudowords that are given for them as [`Measures::match_list`] measures what it has chosen: distances, the
    /// quality of the list, the test for bias. Of the request only the criteria matter. There are no candidates.
    ///
    /// # Errors
    /// When the request is wrong or the model cannot be used. Words that cannot be measured are in [`Matched::shortages`].
    pub fn assess(&self, pairs: &[(String, Vec<String>)], request: &MatchRequest) -> Result<Matched> {
        let columns = self.checked(request)?;
        let request = MatchRequest { criteria: request.criteria.clone(), ..MatchRequest::default() };
        let mut shortages = Vec::new();
        let texts: Vec<&str> = pairs.iter().map(|(word, _)| word.as_str()).collect();
        let words = self.measured(&columns, &texts, &mut shortages)?;
        let texts: Vec<&str> = pairs.iter().flat_map(|(_, own)| own).map(String::as_str).collect();
        let measured = self.measured(&columns, &texts, &mut shortages)?;
        let measured: HashMap<String, MeasuredWord> =
            measured.into_iter().map(|word| (word.word.clone(), word)).collect();
        let given: HashMap<&str, &[String]> =
            pairs.iter().map(|(word, own)| (word.as_str(), own.as_slice())).collect();
        let pool = Pool::enter_all(self, words, &request, &mut shortages)?;
        let mut matched = Vec::new();
        for target in &pool.targets {
            let own = given.get(target.word.word.as_str()).copied().unwrap_or_default();
            let own = own.iter().filter_map(|word| measured.get(word).cloned());
            let pseudowords = own
                .map(|candidate| Match { match_distance: pool.distance(target, &candidate), candidate })
                .collect();
            matched.push(MatchedTarget { target: target.word.clone(), pseudowords });
        }
        Ok(self.judged(matched, shortages, &pool))
    }
}
