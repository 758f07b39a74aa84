//! The affixes of a dictionary, as its `.aff` file has them.

use std::collections::HashMap;

use super::super::letters::normalise;
use super::one_apostrophe;

/// What allows an affix, or says something about an entry.
pub(super) type Flag = u64;

/// The most affixes that are written alike. Dictionaries of Serbian, with many forms, have about 270 for one letter.
const MAX_ALIKE: usize = 1000;

/// How flags are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writing {
    /// One character each.
    Short,
    /// Two characters each.
    Long,
    /// Numbers with commas between them.
    Numbers,
}

/// A prefix or suffix.
#[derive(Debug)]
pub(super) struct Affix {
    /// The flag that allows it.
    pub(super) flag: Flag,
    /// Whether it may stand beside affixes of the other kind.
    pub(super) crosses: bool,
    /// The set of flags that the new form has.
    pub(super) then: u32,
    /// What the stem has in its place.
    strip: String,
    condition: Vec<Sign>,
}

/// One character of a condition on stems.
#[derive(Debug)]
struct Sign {
    members: String,
    negated: bool,
}

impl Sign {
    fn fits(&self, character: char) -> bool {
        self.members.contains(character) != self.negated
    }
}

type ByText = HashMap<String, Vec<Affix>>;

/// All affixes and flags.
#[derive(Debug)]
pub(super) struct Affixes {
    writing: Writing,
    aliases: Vec<String>,
    sets: Vec<Vec<Flag>>,
    numbers: HashMap<String, u32>,
    prefixes: ByText,
    suffixes: ByText,
    /// Whether some suffix allows another one after it: in most dictionaries none does, and the search for it would take longest.
    doubles: bool,
    needs_affix: Option<Flag>,
    only_in_compound: Option<Flag>,
    forbidden: Option<Flag>,
}

impl Affixes {
    /// Reads the text of the file. Lines of other kinds than those known here are passed over.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut found = Self {
            writing: Writing::Short,
            aliases: Vec::new(),
            sets: vec![Vec::new()],
            numbers: HashMap::from([(String::new(), 0)]),
            prefixes: ByText::new(),
            suffixes: ByText::new(),
            doubles: false,
            needs_affix: None,
            only_in_compound: None,
            forbidden: None,
        };
        // Which kinds of affixes have begun, and whether they cross.
        let mut begun: HashMap<(bool, Flag), bool> = HashMap::new();
        for (number, line) in text.lines().enumerate() {
            let fields: Vec<&str> = line.trim_start_matches('\u{feff}').split_whitespace().collect();
            let wrong = || format!("line {} cannot be understood: {}", number + 1, line.trim());
            match fields[..] {
                ["FLAG", "long"] => found.writing = Writing::Long,
                ["FLAG", "num"] => found.writing = Writing::Numbers,
                ["NEEDAFFIX" | "PSEUDOROOT", flag] => found.needs_affix = Some(found.flag(flag)),
                ["ONLYINCOMPOUND", flag] => found.only_in_compound = Some(found.flag(flag)),
                ["FORBIDDENWORD", flag] => found.forbidden = Some(found.flag(flag)),
                ["AF", flags, ..] => found.aliases.push(flags.to_owned()),
                [kind @ ("PFX" | "SFX"), flag, third, fourth, ref rest @ ..] => {
                    let flag = found.flag(flag);
                    let key = (kind == "SFX", flag);
                    match begun.get(&key) {
                        Some(&crosses) => {
                            let alike = found.add(key, crosses, third, fourth, rest).ok_or_else(wrong)?;
                            if alike > MAX_ALIKE {
                                return Err(format!(
                                    "line {}: more than {MAX_ALIKE} affixes are written alike: {}",
                                    number + 1,
                                    line.trim()
                                ));
                            }
                        }
                        None => drop(begun.insert(key, third == "Y")),
                    }
                }
                ["PFX" | "SFX", ..] => return Err(wrong()),
                _ => {}
            }
        }
        let is_suffix = |flag: &Flag| begun.contains_key(&(true, *flag));
        let allows_another = |affix: &Affix| found.flags(affix.then).iter().any(is_suffix);
        found.doubles = found.suffixes.values().flatten().any(allows_another);
        Ok(found)
    }

    /// Adds an affix, and tells how many are now written like it; none if it cannot be understood.
    fn add(
        &mut self,
        (is_suffix, flag): (bool, Flag),
        crosses: bool,
        strip: &str,
        text: &str,
        rest: &[&str],
    ) -> Option<usize> {
        let or_nothing = |text: &str| match text {
            "0" => String::new(),
            text => one_apostrophe(&normalise(text, false)).into_owned(),
        };
        let (text, then) = text.split_once('/').unwrap_or((text, ""));
        let condition = condition(rest.first().copied().unwrap_or("."))?;
        let affix = Affix { flag, crosses, then: self.set(then), strip: or_nothing(strip), condition };
        let all = if is_suffix { &mut self.suffixes } else { &mut self.prefixes };
        let alike = all.entry(or_nothing(text)).or_default();
        alike.push(affix);
        Some(alike.len())
    }

    /// The number of the set of flags that is written like this.
    pub(super) fn set(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        // With aliases, a number stands for flags; the first line only told how many there are.
        let alias = text.parse().ok().and_then(|number: usize| self.aliases.get(number));
        let set = match (alias, text) {
            (Some(alias), _) if text != "0" => self.all_flags(alias),
            _ => self.all_flags(text),
        };
        self.sets.push(set);
        let number = (self.sets.len() - 1) as u32;
        self.numbers.insert(text.to_owned(), number);
        number
    }

    fn all_flags(&self, text: &str) -> Vec<Flag> {
        match self.writing {
            Writing::Short => text.chars().map(Flag::from).collect(),
            Writing::Long => {
                let characters: Vec<char> = text.chars().collect();
                characters.chunks(2).map(pair).collect()
            }
            Writing::Numbers => text.split(',').filter_map(|number| number.trim().parse().ok()).collect(),
        }
    }

    fn flag(&self, text: &str) -> Flag {
        self.all_flags(text).first().copied().unwrap_or(0)
    }

    /// The flags of a set.
    pub(super) fn flags(&self, set: u32) -> &[Flag] {
        &self.sets[set as usize]
    }

    /// Whether what has these flags is a word by itself.
    pub(super) fn stands_alone(&self, flags: &[Flag]) -> bool {
        let needs = [self.needs_affix, self.only_in_compound];
        !needs.into_iter().flatten().any(|flag| flags.contains(&flag))
    }

    /// Whether what has these flags is no word.
    pub(super) fn forbids(&self, flags: &[Flag]) -> bool {
        self.forbidden.is_some_and(|flag| flags.contains(&flag))
    }

    /// All ways of taking a suffix off a word, with the stem that it was put on. A suffix that stood after it must be allowed by it,
    /// whatever the stem allows.
    pub(super) fn without_suffix(
        &self,
        word: &str,
        after: Option<Flag>,
    ) -> impl Iterator<Item = (&Affix, String)> {
        let allows = move |affix: &&Affix| after.is_none_or(|flag| self.flags(affix.then).contains(&flag));
        let is_possible = after.is_none() || self.doubles;
        places(word).filter(move |_| is_possible).flat_map(move |place| {
            let (rest, text) = word.split_at(place);
            self.suffixes.get(text).into_iter().flatten().filter(allows).filter_map(move |affix| {
                let stem = format!("{rest}{}", affix.strip);
                let mut characters = stem.chars().rev();
                let fits = affix
                    .condition
                    .iter()
                    .rev()
                    .all(|sign| characters.next().is_some_and(|own| sign.fits(own)));
                fits.then_some((affix, stem))
            })
        })
    }

    /// The same for prefixes.
    pub(super) fn without_prefix(&self, word: &str) -> impl Iterator<Item = (&Affix, String)> {
        places(word).flat_map(move |place| {
            let (text, rest) = word.split_at(place);
            self.prefixes.get(text).into_iter().flatten().filter_map(move |affix| {
                let stem = format!("{}{rest}", affix.strip);
                let mut characters = stem.chars();
                let fits =
                    affix.condition.iter().all(|sign| characters.next().is_some_and(|own| sign.fits(own)));
                fits.then_some((affix, stem))
            })
        })
    }
}

/// Where a word can be divided, its ends among the places.
fn places(word: &str) -> impl Iterator<Item = usize> {
    word.char_indices().map(|(place, _)| place).chain([word.len()])
}

fn pair(characters: &[char]) -> Flag {
    characters.iter().fold(0, |flag, &character| flag << 32 | Flag::from(character))
}

/// Characters, sets such as `[abc]` and `[^abc]`, and `.` for any; none if a set does not end.
fn condition(text: &str) -> Option<Vec<Sign>> {
    let mut signs = Vec::new();
    let text = normalise(text, false);
    if text == "." {
        return Some(signs);
    }
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let (members, negated) = match character {
            '.' => (String::new(), true),
            '[' => {
                let (members, after) = rest.as_str().split_once(']')?;
                rest = after.chars();
                (members.trim_start_matches('^').to_owned(), members.starts_with('^'))
            }
            own => (own.to_string(), false),
        };
        signs.push(Sign { members, negated });
    }
    Some(signs)
}

/// The name of the encoding that the file is said to have.
pub(super) fn encoding(rules: &[u8]) -> String {
    let line = rules.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(b"SET "));
    line.map_or_else(|| "ISO8859-1".to_owned(), |name| String::from_utf8_lossy(name).trim().to_owned())
}

/// Text in UTF-8, whatever it is said to be, or in Latin-1.
pub(super) fn decode(bytes: Vec<u8>, encoding: &str) -> Option<String> {
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if ["ISO8859-1", "ISO-8859-1"].contains(&encoding) => {
            Some(error.into_bytes().into_iter().map(char::from).collect())
        }
        Err(_) => None,
    }
}
