//! Any text gives constraints or an error; an automaton accepts the words that a naive matcher accepts, and no others.
//!
//! The first character chooses the alphabet. Lines are constraints: `^` begins a prefix, `$` a suffix, `>` and `<` numbers of
//! letters, `~` what words are without, `+` what they contain, `%` a pattern that they do not have, `#` groups of vowels, `@` edits from a
//! word; anything else is a pattern. The naive matcher knows the simple ones.

use wug::generate::{Automaton, Classes, Constraint, ConstraintError, MAX_LETTERS};
use wug::lexicon::{Alphabet, END, Symbol};

/// Signs of patterns are letters too.
const FEW: [&str; 8] = ["!", "*", "?", "[", "]", "a", "b", "é"];
/// The maximum number of letters of words that are tried.
const LENGTHS: (usize, usize) = (3, 1);

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (alphabet, length) = match text.strip_prefix('1') {
        None => (Alphabet::from_letters(FEW).unwrap(), LENGTHS.0),
        Some(_) => (large_alphabet(), LENGTHS.1),
    };
    let lines = || text.get(1..).unwrap_or("").lines().take(6);
    let constraints: Vec<Constraint> = lines().map(constraint).collect();
    let automaton = Automaton::new(&alphabet, &Classes::default(), &constraints, MAX_LETTERS);
    let accepts: &dyn Fn(&[Symbol]) -> bool = match &automaton {
        Ok(automaton) => &|word| automaton.accepts(word),
        Err(ConstraintError::Impossible { .. }) => &|_| false,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    if lines().any(|line| {
        line.starts_with(['~', '+', '%', '#', '@'])
            || line.contains(['(', ')', '{', '}', '|', '\\', 'C', 'V'])
    }) {
        return each_word(&alphabet, length, &mut |word| {
            accepts(word);
        });
    }
    let naive: Vec<Vec<Naive>> = lines().map(|line| items(line, &alphabet)).collect();
    each_word(&alphabet, length, &mut |word| {
        assert_eq!(accepts(word), naive.iter().all(|items| matches(items, word)), "{word:?}");
    });
}

/// The signs and enough letters that they share classes.
fn large_alphabet() -> Alphabet {
    let more = ('一'..).take(100).map(String::from);
    Alphabet::from_letters(FEW.map(String::from).into_iter().chain(more)).unwrap()
}

fn constraint(line: &str) -> Constraint {
    let number = |text: &str| text.parse().unwrap_or(0);
    match line.split_at_checked(1) {
        Some(("^", rest)) => Constraint::Prefix(rest.into()),
        Some(("$", rest)) => Constraint::Suffix(rest.into()),
        Some((">", rest)) => Constraint::AtLeast(number(rest)),
        Some(("<", rest)) => Constraint::AtMost(number(rest)),
        Some(("~", rest)) => Constraint::Without(rest.into()),
        Some(("+", rest)) => Constraint::Containing(rest.into()),
        Some(("%", rest)) => Constraint::NotPattern(rest.into()),
        Some(("#", rest)) => Constraint::Syllables { least: 1, most: number(rest) },
        Some(("@", rest)) => Constraint::Edits { word: rest.into(), least: 1, most: Some(2) },
        _ => Constraint::Pattern(line.into()),
    }
}

/// What the naive matcher knows.
enum Naive {
    One(Vec<Symbol>, bool),
    Any,
    Maybe,
}

/// The same constraint, read once more in the simplest way. All of its signs are letters, since it was accepted.
fn items(line: &str, alphabet: &Alphabet) -> Vec<Naive> {
    let spell = |text: &str| {
        let mut symbols = alphabet.encode(text).unwrap();
        symbols.pop();
        symbols
    };
    let literal = |text: &str| spell(text).into_iter().map(|symbol| Naive::One(vec![symbol], true));
    let anything = || Naive::One(Vec::new(), false);
    let number = |text: &str| text.parse::<usize>().unwrap_or(0).min(200);
    match line.split_at_checked(1) {
        Some(("^", rest)) => literal(rest).chain([Naive::Any]).collect(),
        Some(("$", rest)) => [Naive::Any].into_iter().chain(literal(rest)).collect(),
        Some((">", rest)) => (0..number(rest)).map(|_| anything()).chain([Naive::Any]).collect(),
        Some(("<", rest)) => (0..number(rest)).map(|_| Naive::Maybe).collect(),
        _ => {
            let sign = |text: &str| alphabet.symbol(text).unwrap();
            let symbols = spell(line);
            let mut items = Vec::new();
            let mut at = 0;
            while at < symbols.len() {
                let symbol = symbols[at];
                at += 1;
                if symbol == sign("*") {
                    items.push(Naive::Any);
                } else if symbol == sign("?") {
                    items.push(anything());
                } else if symbol == sign("[") {
                    let negated = symbols[at] == sign("!");
                    at += usize::from(negated);
                    // A closing bracket that comes first is a member.
                    let end = (at + 1..).find(|&end| symbols[end] == sign("]")).unwrap();
                    items.push(Naive::One(symbols[at..end].to_vec(), !negated));
                    at = end + 1;
                } else {
                    items.push(Naive::One(vec![symbol], true));
                }
            }
            items
        }
    }
}

/// Whether a word matches, by going through all places that each letter may leave the matcher at.
fn matches(items: &[Naive], word: &[Symbol]) -> bool {
    let mut places = vec![false; items.len() + 1];
    places[0] = true;
    let skip = |places: &mut Vec<bool>| {
        for (place, item) in items.iter().enumerate() {
            if places[place] && matches!(item, Naive::Any | Naive::Maybe) {
                places[place + 1] = true;
            }
        }
    };
    skip(&mut places);
    for letter in word {
        let mut next = vec![false; items.len() + 1];
        for (place, item) in items.iter().enumerate().filter(|(place, _)| places[*place]) {
            match item {
                Naive::One(set, member) if set.contains(letter) != *member => {}
                Naive::One(..) | Naive::Maybe => next[place + 1] = true,
                Naive::Any => next[place] = true,
            }
        }
        skip(&mut next);
        places = next;
    }
    places[items.len()]
}

/// Calls `test` with all words of up to `length` letters.
fn each_word(alphabet: &Alphabet, length: usize, test: &mut dyn FnMut(&[Symbol])) {
    let letters = END + 1..alphabet.symbol_count() as Symbol;
    let mut words: Vec<Vec<Symbol>> = vec![Vec::new()];
    for round in 0..=length {
        words.iter().for_each(|word| test(word));
        if round < length {
            words = words
                .iter()
                .flat_map(|word| letters.clone().map(move |s| [&word[..], &[s]].concat()))
                .collect();
        }
    }
}
