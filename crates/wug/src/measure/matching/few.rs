//! Candidates under constraints that few words meet: all of them are listed, rather than drawn until no new one comes.
//!
//! Of a list that is longer than what is wanted, words are taken as if they were drawn one after the other from the model, each once:
//! those with the largest `log P(w) + g`, where g has Gumbel's distribution, are such draws (Kool, van Hoof & Welling 2019).

use super::super::score::ScoreSettings;
use super::super::words::Measures;
use super::MatchRequest;
use crate::Result;
use crate::generate::Automaton;
use crate::lexicon::{END, Symbol};
use crate::random::{stream, streams, unit};

/// Words that are listed: so many for each that is wanted, or this number.
const LISTED_EACH: usize = 4;
const MIN_LISTED: usize = 4000;

/// Up to `wanted` words that the automaton accepts and the request admits; none if there are too many to list, or scores are estimates.
pub(super) fn words(
    measures: &Measures,
    automaton: &Automaton,
    wanted: usize,
    request: &MatchRequest,
) -> Result<Option<Vec<String>>> {
    let (model, list) = measures.makers()?;
    if !model.model.is_exact() {
        return Ok(None);
    }
    let alphabet = &model.alphabet;
    // The lexicon's numbers of the model's letters.
    let numbers: Vec<Symbol> =
        std::iter::once(END).chain(alphabet.letters().map(|letter| list.symbol(letter))).collect();
    let number = |symbol: Symbol| numbers[usize::from(symbol)];
    let trigram = |letters| list.positional().trigram(letters);
    // A letter is judged with its neighbours as soon as the next one is there.
    let is_attested = |letters: &[Symbol], next: Symbol| match *letters {
        [] => true,
        [only] => trigram([END, number(only), number(next)]) >= request.attested,
        [.., before, last] => trigram([number(before), number(last), number(next)]) >= request.attested,
    };
    let most = wanted.saturating_mul(LISTED_EACH).max(MIN_LISTED);
    let Some(listed) = automaton.list(most, is_attested) else { return Ok(None) };
    let mut words: Vec<String> = listed.iter().map(|letters| alphabet.decode(letters)).collect();
    words.retain(|word| !request.excluded.iter().any(|known| known.has(word)));
    if words.len() <= wanted {
        return Ok(Some(words));
    }
    let settings: ScoreSettings = measures.settings();
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    let scores = model.scores(&texts, settings)?;
    let probabilities: Vec<f64> = scores
        .into_iter()
        .map(|score| score.map_or(f64::NEG_INFINITY, |score| score.log_probability))
        .collect();
    let chosen = draw(&probabilities, wanted, settings.execution.seed);
    Ok(Some(chosen.into_iter().map(|place| words[place].clone()).collect()))
}

/// Places drawn without repetition by their log-probabilities, the first drawn first.
fn draw(log_probabilities: &[f64], wanted: usize, seed: u64) -> Vec<usize> {
    let mut rng = stream(seed, streams::LISTED_WORDS, 0);
    let mut keys: Vec<(f64, usize)> = log_probabilities
        .iter()
        .enumerate()
        .map(|(place, log_probability)| {
            let gumbel = -libm::log(-libm::log(unit(&mut rng)));
            (log_probability + gumbel, place)
        })
        .collect();
    keys.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    keys.into_iter().take(wanted).map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the second draw have the probabilities of draws without repetition.
    #[test]
    fn listed_words_are_taken_as_if_drawn_one_after_the_other() {
        let shares = [0.5_f64, 0.3, 0.15, 0.05];
        let logs: Vec<f64> = shares.iter().map(|share| 7.0 + share.ln()).collect();
        let mut counts = [[0.0_f64; 4]; 4];
        let draws = 40_000;
        for seed in 0..draws {
            let drawn = draw(&logs, 2, seed);
            counts[drawn[0]][drawn[1]] += 1.0;
        }
        let mut statistic = 0.0;
        for (first, row) in counts.iter().enumerate() {
            for (second, &count) in row.iter().enumerate() {
                if first == second {
                    assert_eq!(count, 0.0);
                    continue;
                }
                let expected = draws as f64 * shares[first] * shares[second] / (1.0 - shares[first]);
                statistic += (count - expected).powi(2) / expected;
            }
        }
        // Eleven degrees of freedom: beyond this once in a thousand.
        assert!(statistic < 31.3, "{statistic}");
    }
}
