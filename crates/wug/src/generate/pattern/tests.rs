use super::super::automaton::Automaton;
use super::super::constraint::Constraint;
use super::*;

#[test]
fn ranges_are_letters_by_their_numbers() {
    let alphabet = Alphabet::from_letters(["-", "K", "b", "d", "t͡", "z", "é"]).unwrap();
    let mut classes = Classes::default();
    classes.define("S", "zé").unwrap();
    let found = |pattern: &str| {
        Automaton::new(&alphabet, &classes, &[Constraint::Pattern(pattern.into())], 9).map(|automaton| {
            let accepted = |symbol: &Symbol| automaton.accepts(&[*symbol]);
            let letters = (1..8).filter(accepted).filter_map(|symbol| alphabet.letter(symbol));
            letters.collect::<Vec<_>>().join(" ")
        })
    };
    for (pattern, expected) in [
        ("[a-z]", "b d z"),
        ("[!a-z]", "- é t͡ K"),
        ("[a-cz]", "b z"),
        ("[c-éK]", "d é z K"),
        ("[-b]", "b -"),
        ("[b-]", "b -"),
        ("[b\\-z]", "b - z"),
        ("[\\b-\\d]", "b d"),
        ("[S-]", "- é z"),
    ] {
        let mut letters: Vec<&str> = expected.split(' ').collect();
        letters.sort_by_key(|letter| alphabet.symbol(letter));
        assert_eq!(found(pattern).unwrap(), letters.join(" "), "{pattern}");
    }
    let error = |pattern: &str| found(pattern).unwrap_err().to_string();
    assert!(error("[z-a]").contains("`[z-a]`: `z` comes after `a`"), "{}", error("[z-a]"));
    assert!(error("[t͡-z]").contains("one of these is several"), "{}", error("[t͡-z]"));
    assert!(error("[b-").contains("has no `]`") && error("[a-z").contains("has no `]`"));
    assert!(error("[0-9]").contains("no word"), "{}", error("[0-9]"));
}
