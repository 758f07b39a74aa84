use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::lexicon::Alphabet;

fn alphabet() -> Alphabet {
    Alphabet::from_letters(["a", "b", "c"]).unwrap()
}

fn build(constraints: &[Constraint], most: usize) -> Result<Automaton, ConstraintError> {
    Automaton::new(&alphabet(), &Classes::default(), constraints, most)
}

/// Backtracking, letter by letter, on the text of a pattern.
fn matches(pattern: &[char], word: &[char]) -> bool {
    match pattern.split_first() {
        None => word.is_empty(),
        Some(('*', rest)) => (0..=word.len()).any(|skipped| matches(rest, &word[skipped..])),
        Some(('[', rest)) => {
            let (negated, rest) = if rest[0] == '!' { (true, &rest[1..]) } else { (false, rest) };
            let end = rest.iter().position(|&sign| sign == ']').unwrap();
            word.split_first().is_some_and(|(letter, word)| {
                rest[..end].contains(letter) != negated && matches(&rest[end + 1..], word)
            })
        }
        Some((sign, rest)) => word
            .split_first()
            .is_some_and(|(letter, word)| (*sign == '?' || sign == letter) && matches(rest, word)),
    }
}

/// All words of up to six letters.
fn words() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..6 {
        last = last.iter().flat_map(|word| ["a", "b", "c"].map(|letter| format!("{word}{letter}"))).collect();
        all.extend(last.clone());
    }
    all
}

fn encode(word: &str) -> Vec<Symbol> {
    let mut symbols = alphabet().encode(word).unwrap();
    symbols.pop();
    symbols
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn an_automaton_accepts_what_backtracking_does(
        pattern in prop::collection::vec(prop::sample::select(vec!["a", "b", "?", "*", "[ab]", "[!a]", "[!bc]"]), 0..7),
        prefix in "[abc]{0,2}",
        suffix in "[abc]{0,2}",
        least in 0usize..5,
        most in 0usize..7,
    ) {
        let pattern: String = pattern.concat();
        let constraints = [
            Constraint::Pattern(pattern.clone()),
            Constraint::Prefix(prefix.clone()),
            Constraint::Suffix(suffix.clone()),
            Constraint::AtLeast(least),
            Constraint::AtMost(most),
        ];
        let automaton = build(&constraints, 6);
        let signs: Vec<char> = pattern.chars().collect();
        let mut accepted = 0;
        for word in words() {
            let letters: Vec<char> = word.chars().collect();
            let expected = matches(&signs, &letters)
                && word.starts_with(&prefix)
                && word.ends_with(&suffix)
                && (least..=most).contains(&letters.len());
            accepted += usize::from(expected);
            if let Ok(automaton) = &automaton {
                prop_assert_eq!(automaton.accepts(&encode(&word)), expected, "{} by {}", word, pattern);
            }
        }
        // Words of up to six letters are all there are here.
        prop_assert_eq!(automaton.is_ok(), accepted > 0);
    }
}

/// The same language, whether letters are classes of their own or not.
#[test]
fn letters_of_large_alphabets_share_classes() {
    let letters: Vec<String> = ('\u{4e00}'..'\u{4f00}').map(String::from).collect();
    let alphabet = Alphabet::from_letters(letters.iter().map(String::as_str)).unwrap();
    let constraint = Constraint::Pattern("*\u{4e05}[!\u{4e05}\u{4e06}]".into());
    let automaton = Automaton::new(&alphabet, &Classes::default(), &[constraint], 10).unwrap();
    assert_eq!(automaton.class_count(), 4, "the end, two letters, all others");
    assert!(automaton.accepts(&[9, 6, 6, 8]));
    assert!(!automaton.accepts(&[9, 6, 7]) && !automaton.accepts(&[6, 6]) && !automaton.accepts(&[6]));
}

#[test]
fn a_word_dies_at_the_letter_that_rules_it_out() {
    let constraints = [Constraint::Pattern("a*c".into()), Constraint::AtMost(3)];
    let automaton = build(&constraints, 100).unwrap();
    let after = |word: &str| encode(word).iter().fold(START, |state, &symbol| automaton.next(state, symbol));
    assert_eq!(after("b"), DEAD);
    assert_ne!(after("ab"), DEAD);
    assert_eq!(after("abb"), DEAD, "three letters, and no c at the end");
    assert_eq!(automaton.next(after("abc"), END), ACCEPTED);
}

#[test]
fn the_smallest_contradiction_is_named() {
    let prefix = Constraint::Prefix("abc".into());
    let suffix = Constraint::Suffix("cab".into());
    let error = |constraints: &[Constraint], most| build(constraints, most).unwrap_err().to_string();
    assert_eq!(
        error(&[prefix.clone(), suffix.clone(), Constraint::AtMost(4)], 60),
        "no word of up to 60 letters meets prefix `abc`, suffix `cab` and at most 4 letters"
    );
    assert_eq!(
        error(&[suffix, prefix, Constraint::AtMost(2), Constraint::AtLeast(1)], 60),
        "no word of up to 60 letters meets suffix `cab` and at most 2 letters"
    );
    let none = Constraint::Pattern("a[!abc]".into());
    assert_eq!(error(&[none], 60), "no word of up to 60 letters meets pattern `a[!abc]`");
    let long = Constraint::AtLeast(61);
    assert_eq!(error(&[long], 60), "no word of up to 60 letters meets at least 61 letters");
}

/// A pattern as it was made up, and its text.
#[derive(Debug, Clone)]
enum Made {
    Letter(&'static str, &'static str),
    Any,
    Sequence(Vec<Made>),
    Choice(Vec<Made>),
    Repeat(Box<Made>, usize, Option<usize>),
}

impl Made {
    fn text(&self) -> String {
        match self {
            Self::Letter(text, _) => (*text).into(),
            Self::Any => "*".into(),
            Self::Sequence(parts) => parts.iter().map(Self::text).collect(),
            Self::Choice(parts) => {
                format!("({})", parts.iter().map(Self::text).collect::<Vec<_>>().join("|"))
            }
            Self::Repeat(inner, least, most) => {
                let most = most.map_or(String::new(), |most| most.to_string());
                format!("({}){{{least},{most}}}", inner.text())
            }
        }
    }

    /// Where a match that begins at a place may end.
    fn ends(&self, word: &[u8], from: usize) -> Vec<usize> {
        let mut ends: Vec<usize> = match self {
            Self::Letter(_, members) => {
                let fits = word.get(from).is_some_and(|letter| members.as_bytes().contains(letter));
                fits.then_some(from + 1).into_iter().collect()
            }
            Self::Any => (from..=word.len()).collect(),
            Self::Sequence(parts) => parts
                .iter()
                .fold(vec![from], |at, part| at.iter().flat_map(|&at| part.ends(word, at)).collect()),
            Self::Choice(parts) => parts.iter().flat_map(|part| part.ends(word, from)).collect(),
            Self::Repeat(inner, least, most) => {
                // Whatever matches nothing may be repeated at will: so many rounds suffice.
                let rounds = most.unwrap_or(least + word.len() + 1);
                let mut at = vec![from];
                let mut all = Vec::new();
                for round in 0..=rounds {
                    if round >= *least {
                        all.extend(&at);
                    }
                    at = at.iter().flat_map(|&at| inner.ends(word, at)).collect();
                    at.sort_unstable();
                    at.dedup();
                }
                all
            }
        };
        ends.sort_unstable();
        ends.dedup();
        ends
    }

    fn is_in(&self, word: &str, anywhere: bool) -> bool {
        let word = word.as_bytes();
        if anywhere {
            (0..=word.len()).any(|from| !self.ends(word, from).is_empty())
        } else {
            self.ends(word, 0).contains(&word.len())
        }
    }
}

fn made() -> impl Strategy<Value = Made> {
    let letter = prop::sample::select(vec![
        Made::Letter("a", "a"),
        Made::Letter("b", "b"),
        Made::Letter("?", "abc"),
        Made::Letter("[!b]", "ac"),
        Made::Letter("V", "a"),
        Made::Letter("C", "bc"),
        Made::Letter("[!V]", "bc"),
        Made::Any,
    ]);
    letter.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Made::Sequence),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Made::Choice),
            (inner, 0usize..3, prop::option::of(0usize..3)).prop_map(|(inner, least, more)| {
                Made::Repeat(Box::new(inner), least, more.map(|more| least + more))
            }),
        ]
    })
}

/// Whether a word meets a constraint by its definition.
type Holds<'a> = Box<dyn Fn(&str) -> bool + 'a>;

/// Groups of the letter a.
fn groups(word: &str) -> usize {
    word.split(['b', 'c']).filter(|group| !group.is_empty()).count()
}

fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in right.bytes().enumerate() {
            let new = (diagonal + usize::from(a != b)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], new);
        }
    }
    row[right.len()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn every_kind_of_constraint_accepts_what_its_definition_says(
        (whole, inside, not, never) in (made(), made(), made(), made()),
        strings in prop::collection::vec("[abc]{1,3}", 0..4),
        (least, more) in (0usize..3, 0usize..3),
        (near, nearest, farther) in ("[abc]{0,4}", 0usize..3, prop::option::of(0usize..3)),
        chosen in 0usize..64,
    ) {
        let farthest = farther.map(|more| nearest + more);
        let all: [(Constraint, Holds<'_>); 7] = [
            (Constraint::Pattern(whole.text()), Box::new(|word| whole.is_in(word, false))),
            (Constraint::Containing(inside.text()), Box::new(|word| inside.is_in(word, true))),
            (Constraint::NotPattern(not.text()), Box::new(|word| !not.is_in(word, false))),
            (Constraint::Without(never.text()), Box::new(|word| !never.is_in(word, true))),
            (
                Constraint::WithoutAny(strings.clone().into()),
                Box::new(|word| !strings.iter().any(|string| word.contains(string.as_str()))),
            ),
            (
                Constraint::Syllables { least, most: least + more },
                Box::new(|word| (least..=least + more).contains(&groups(word))),
            ),
            (
                Constraint::Edits { word: near.clone(), least: nearest, most: farthest },
                Box::new(|word| (nearest..=farthest.unwrap_or(99)).contains(&distance(&near, word))),
            ),
        ];
        // One of them by itself, or several at once.
        let chosen = if chosen < 7 { 1 << chosen } else { chosen * 2 + 1 };
        let some = || all.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1).map(|(_, one)| one);
        let constraints: Vec<Constraint> =
            some().map(|(constraint, _)| constraint.clone()).chain([Constraint::AtMost(6)]).collect();
        let automaton = build(&constraints, 6);
        let mut accepted = 0;
        for word in words() {
            let expected = some().all(|(_, holds)| holds(&word));
            accepted += usize::from(expected);
            if let Ok(automaton) = &automaton {
                prop_assert_eq!(automaton.accepts(&encode(&word)), expected, "{} by {:?}", word, constraints);
            }
        }
        prop_assert_eq!(automaton.is_ok(), accepted > 0, "{:?}", constraints);
    }
}

#[test]
fn classes_are_defined_by_letters_or_strings() {
    let mut classes = Classes::default();
    classes.define("K", "ab").unwrap();
    classes.define("S", "ab|c").unwrap();
    classes.define("L", "Kc").unwrap();
    let accepts = |pattern: &str, word: &str| {
        let constraint = Constraint::Pattern(pattern.into());
        Automaton::new(&alphabet(), &classes, &[constraint], 60).unwrap().accepts(&encode(word))
    };
    assert!(accepts("KcK", "acb") && !accepts("KcK", "acc"));
    assert!(accepts("S{2}", "abc") && accepts("S{2}", "cab") && !accepts("S{2}", "aa"));
    assert!(accepts("L[!K]", "bc") && !accepts("L[!K]", "cb"));
    let error = |name: &str, members: &str| classes.clone().define(name, members).unwrap_err().to_string();
    assert!(error("KK", "a").contains("one letter") && error("?", "a").contains("one letter"));
    assert!(error("K", "a").contains("twice") && error("M", "").contains("has members"));
    let error = |pattern: &str| {
        let constraint = Constraint::Pattern(pattern.into());
        Automaton::new(&alphabet(), &classes, &[constraint], 60).unwrap_err().to_string()
    };
    assert!(error("[S]").contains("several letters"), "{}", error("[S]"));
    let mut wrong = Classes::default();
    wrong.define("K", "xyz").unwrap();
    let found = Automaton::new(&alphabet(), &wrong, &[Constraint::Pattern("K".into())], 60).unwrap_err();
    assert_eq!(found.to_string(), "class `K=xyz`: the letter `x` is not one of the model's: a b c");
}

/// A model may have capitals or signs as letters: then they are letters.
#[test]
fn letters_of_the_model_come_before_classes() {
    let alphabet = Alphabet::from_letters(["?", "C", "V", "a"]).unwrap();
    let build = |pattern: &str| {
        Automaton::new(&alphabet, &Classes::default(), &[Constraint::Pattern(pattern.into())], 9).unwrap()
    };
    assert!(build("CV").accepts(&[2, 3]) && !build("CV").accepts(&[2, 4]));
    assert!(build("\\?").accepts(&[1]) && !build("\\?").accepts(&[2]));
    let hangul = Alphabet::from_letters(["가", "나"]).unwrap();
    let error = |classes: &Classes| {
        let syllables = Constraint::Syllables { least: 1, most: 2 };
        Automaton::new(&hangul, classes, &[syllables], 9).map(|_| ()).map_err(|error| error.to_string())
    };
    assert!(error(&Classes::default()).unwrap_err().contains("define the class V"));
    let mut classes = Classes::default();
    classes.define("V", "가").unwrap();
    assert_eq!(error(&classes), Ok(()));
}

#[test]
fn a_range_begins_with_the_smaller_number() {
    let reversed = build(&[Constraint::Syllables { least: 3, most: 2 }], 9).unwrap_err().to_string();
    assert_eq!(reversed, "syllables 3 to 2: the smaller number comes first");
}

#[test]
fn hostile_patterns_are_refused_or_fast() {
    let error = |pattern: &str| build(&[Constraint::Pattern(pattern.into())], 60).unwrap_err().to_string();
    assert!(error(&format!("*a{}", "?".repeat(40))).contains("too many states"));
    assert!(error(&format!("(*a{}){{2,9}}", "?".repeat(30))).contains("too many states"));
    assert!(error(&"?".repeat(100_000)).contains("more than 20000 places"));
    assert!(error("((a{1000}){1000}){1000}").contains("more than 20000 places"));
    assert!(error(&"(".repeat(100_000)).contains("groups inside each other"));
    assert!(
        error("a{1001}").contains("numbers up to 1000") && error("a{3,2}").contains("more than the second")
    );
    assert!(error("a{").contains("no `}`") && error("{2}").contains("nothing stands before"));
    assert!(error("(a").contains("no `)`") && error("a)").contains("without its beginning"));
    assert!(error("a\\").contains("at the end"));
    assert_eq!(error("a[bc"), "pattern `a[bc`: a `[` has no `]` after it; write `[[]` for the sign itself");
    assert!(error("[]").contains("`]`") && error("[!").contains("no `]`"));
    assert_eq!(error("aX"), "pattern `aX`: the letter `X` is not one of the model's: a b c");
    assert_eq!(error("a[bX]"), "pattern `a[bX]`: the letter `X` is not one of the model's: a b c");
    assert!(build(&[Constraint::Pattern(String::new())], 60).is_ok());
    // Nested stars and a thousand alternatives are no trouble.
    assert!(build(&[Constraint::Pattern("((a*)*(b*)*)*".into())], 60).is_ok());
    let many: Vec<String> =
        (0..1000).map(|number| format!("{number:010b}").replace('0', "a").replace('1', "b")).collect();
    for constraint in [
        Constraint::Pattern(many.join("|")),
        Constraint::Without(many.join("|")),
        Constraint::Containing(many.join("|")),
    ] {
        assert!(build(&[constraint], 60).is_ok());
    }
}

#[test]
fn ten_thousand_forbidden_strings() {
    let letters: Vec<String> = ('a'..='z').map(String::from).collect();
    let alphabet = Alphabet::from_letters(letters).unwrap();
    let string = |number: u32| -> String {
        (0..7)
            .map(|place| char::from(b'a' + (number.wrapping_mul(2_654_435_761) >> (4 * place)) as u8 % 26))
            .collect()
    };
    let strings: Arc<[String]> = (0..10_000).map(string).collect();
    let constraints =
        [Constraint::WithoutAny(strings.clone()), Constraint::AtLeast(7), Constraint::AtMost(9)];
    let automaton = Automaton::new(&alphabet, &Classes::default(), &constraints, 60).unwrap();
    let accepts = |word: &str| {
        let mut symbols = alphabet.encode(word).unwrap();
        symbols.pop();
        automaton.accepts(&symbols)
    };
    assert!(strings.iter().all(|string| !accepts(string) && !accepts(&format!("b{string}"))));
    assert!(accepts("wuggish") && !accepts("wug"));
}
