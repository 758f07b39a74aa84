//! Candidates: words of the model that meet the constraints of some targets, with their measures.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::super::column::Column;
use super::super::columns::Columns;
use super::super::criteria::{Criterion, Feature};
use super::super::measured_word::MeasuredWord;
use super::super::reference::Reference;
use super::super::score::ScoreSettings;
use super::super::shape::Shape;
use super::super::words::Measures;
use super::{MatchError, MatchRequest, MatchStage, Shortage, Watch, few};
use crate::generate::{Automaton, Constraint, MAX_LETTERS, SampleError, WordRequest};
use crate::lexicon::WordCounts;
use crate::lexicon::letters::letters;
use crate::{Error, Execution, Result};

/// Candidates for a group: so many for each pseudoword that is wanted, within bounds.
const CANDIDATES_EACH: usize = 60;
const MIN_CANDIDATES: usize = 3000;
const MAX_CANDIDATES: usize = 40_000;
/// Where there are many groups, they share this number, and each has some.
const SHARED_CANDIDATES: usize = 24_000;
const MIN_OF_MANY: usize = 400;
/// Tries in a row after which there are no more candidates.
const CANDIDATE_TRIES: u64 = 40_000;
/// Candidates that are measured at a time.
const BATCH: usize = 1024;

/// A word as a point: for each criterion its figure in units of the measure's scale.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) figures: Vec<f64>,
    /// For each criterion its numbers, if it is a list of them.
    profiles: Vec<Vec<f64>>,
}

/// A word to be matched.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) word: MeasuredWord,
    pub(super) point: Point,
    pub(super) group: usize,
}

/// A word that may match.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) word: String,
    pub(super) point: Point,
}

/// Targets that share their constraints, and the candidates that meet them.
#[derive(Debug, Default)]
pub(super) struct Group {
    constraints: Vec<Constraint>,
    length: usize,
    pub(super) targets: usize,
    pub(super) candidates: Vec<u32>,
}

/// All targets and candidates.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) criteria: Vec<Criterion>,
    pub(super) targets: Vec<Target>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) groups: Vec<Group>,
    /// By length, the scale of each criterion.
    scales: BTreeMap<usize, Vec<f64>>,
}

impl Pool {
    /// Makes candidates for words, and measures them. Words that cannot be matched become shortages.
    pub(super) fn gather(
        measures: &Measures,
        words: Vec<MeasuredWord>,
        request: &MatchRequest,
        shortages: &mut Vec<(String, Shortage)>,
        watch: &mut Watch<'_>,
    ) -> Result<Self> {
        let mut pool = Self::enter_all(measures, words, request, shortages)?;
        // Words of the lexicon are excluded while candidates are made, so that there are as many as are wanted.
        let mut lexicon = WordCounts::new("the lexicon");
        for word in measures.makers()?.1.lexicon().words() {
            // All of its counts have a sum that fits.
            let _ = lexicon.add(word.text, word.count);
        }
        let mut request = request.clone();
        request.excluded.push(Arc::new(lexicon));
        pool.make(measures, &request, shortages, watch)?;
        Ok(pool)
    }

    /// Enters targets into their groups, without candidates.
    pub(super) fn enter_all(
        measures: &Measures,
        words: Vec<MeasuredWord>,
        request: &MatchRequest,
        shortages: &mut Vec<(String, Shortage)>,
    ) -> Result<Self> {
        let mut pool = Self {
            criteria: request.criteria.clone(),
            targets: Vec::new(),
            candidates: Vec::new(),
            groups: Vec::new(),
            scales: BTreeMap::new(),
        };
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for word in words {
            let text = word.word.clone();
            match pool.enter(measures, word, request, &mut numbers)? {
                Ok(()) => {}
                Err(shortage) => shortages.push((text, shortage)),
            }
        }
        Ok(pool)
    }

    /// Enters a target into its group.
    fn enter(
        &mut self,
        measures: &Measures,
        word: MeasuredWord,
        request: &MatchRequest,
        numbers: &mut HashMap<String, usize>,
    ) -> Result<Result<(), Shortage>> {
        let length = word.spelling.len();
        if !self.scales.contains_key(&length) {
            let columns: Vec<Column> = self.columns().iter().collect();
            let Some(spreads) = measures.spreads(length, &columns)? else {
                return Ok(Err(Shortage::TooFewWords { length }));
            };
            self.scales.insert(length, spreads.iter().map(|spread| spread.scale).collect());
        }
        if let Some(measure) = self.lacking(&word) {
            return Ok(Err(Shortage::NoFigure { measure: measure.criterion_name().into_owned() }));
        }
        let shape = Shape::of(word.spelling.iter().map(String::as_str), measures.makers()?.1.vowels());
        let constraints = match constraints(&word, shape.as_ref(), request) {
            Ok(constraints) => constraints,
            Err(shortage) => return Ok(Err(shortage)),
        };
        let names = constraints.iter().map(ToString::to_string);
        let key = std::iter::once(length.to_string()).chain(names).collect::<Vec<_>>().join("\n");
        let group = *numbers.entry(key).or_insert_with(|| {
            self.groups.push(Group { constraints, length, ..Group::default() });
            self.groups.len() - 1
        });
        self.groups[group].targets += 1;
        let point = self.point(&word);
        self.targets.push(Target { word, point, group });
        Ok(Ok(()))
    }

    /// Makes each group's candidates.
    fn make(
        &mut self,
        measures: &Measures,
        request: &MatchRequest,
        shortages: &mut Vec<(String, Shortage)>,
        watch: &mut Watch<'_>,
    ) -> Result<()> {
        let taken: HashSet<String, RandomState> =
            self.targets.iter().map(|target| target.word.word.clone()).collect();
        let mut known: HashMap<String, u32, RandomState> = HashMap::default();
        let (_, list) = measures.makers()?;
        let rarest_trigram = |word: &str| list.positional().rarest_trigram(&list.symbols(letters(word)));
        for number in 0..self.groups.len() {
            let done = number as f64 / self.groups.len() as f64;
            watch.tell(MatchStage::Candidates, done)?;
            let wanted = self.wanted(number, request);
            let words = match self.words(measures, number, wanted, request, watch) {
                Ok(words) => words,
                Err(Error::Sample(SampleError::Constraint(error))) if self.groups.len() > 1 => {
                    let own = self.targets.iter().filter(|target| target.group == number);
                    shortages.extend(
                        own.map(|target| (target.word.word.clone(), Shortage::Impossible(error.clone()))),
                    );
                    continue;
                }
                Err(error) => return Err(error),
            };
            let words: Vec<String> = words
                .into_iter()
                .filter(|word| !taken.contains(word) && rarest_trigram(word) >= request.attested)
                .collect();
            let (old, new): (Vec<String>, Vec<String>) =
                words.into_iter().partition(|word| known.contains_key(word));
            let mut own: Vec<u32> = old.iter().filter_map(|word| known.get(word).copied()).collect();
            for (batch, words) in new.chunks(BATCH).enumerate() {
                let share = (batch * BATCH) as f64 / new.len() as f64;
                watch.tell(MatchStage::Candidates, done + share / self.groups.len() as f64)?;
                let texts: Vec<&str> = words.iter().map(String::as_str).collect();
                let settings = ScoreSettings { particles: Reference::PARTICLES, ..measures.settings() };
                for word in measures.rows(&self.columns(), &texts, settings)?.into_iter().flatten() {
                    if self.lacking(&word).is_none() {
                        known.insert(word.word.clone(), self.candidates.len() as u32);
                        own.push(self.candidates.len() as u32);
                        self.candidates.push(Candidate { point: self.point(&word), word: word.word });
                    }
                }
            }
            self.groups[number].candidates = own;
        }
        Ok(watch.tell(MatchStage::Candidates, 1.0)?)
    }

    /// What is matched on.
    pub(super) fn columns(&self) -> Columns {
        self.criteria.iter().map(|criterion| criterion.measure).collect()
    }

    /// A measure that a word has no value of.
    fn lacking(&self, word: &MeasuredWord) -> Option<Column> {
        let lacks = |column: &Column| !column.is_profile() && word.figure(*column).is_none();
        self.criteria.iter().map(|criterion| criterion.measure).find(lacks)
    }

    /// How many candidates a group needs.
    fn wanted(&self, group: usize, request: &MatchRequest) -> usize {
        let fewest = (SHARED_CANDIDATES / self.groups.len()).clamp(MIN_OF_MANY, MIN_CANDIDATES);
        let each =
            self.groups[group].targets.saturating_mul(request.per_target).saturating_mul(CANDIDATES_EACH);
        request.candidates.unwrap_or_else(|| each.clamp(fewest, MAX_CANDIDATES))
    }

    /// Different new words that meet a group's constraints; fewer than wanted where there are no more.
    fn words(
        &self,
        measures: &Measures,
        group: usize,
        wanted: usize,
        request: &MatchRequest,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<String>> {
        let Group { constraints, length, .. } = &self.groups[group];
        let (model, _) = measures.makers()?;
        let mut constraints: Vec<Constraint> =
            constraints.iter().chain(&request.constraints).cloned().collect();
        constraints.extend([Constraint::AtLeast(*length), Constraint::AtMost(*length)]);
        let automaton = Automaton::new(&model.alphabet, &request.classes, &constraints, MAX_LETTERS)
            .map_err(SampleError::from)?;
        if let Some(words) = few::words(measures, &automaton, wanted, request)? {
            return Ok(words);
        }
        let Execution { seed, threads } = measures.settings().execution;
        let candidates = WordRequest {
            seed,
            constraints,
            classes: request.classes.clone(),
            unique: true,
            max_tries: CANDIDATE_TRIES,
            ..WordRequest::default()
        };
        let mut words = model.words().request(candidates).threads(threads);
        words = request.excluded.iter().cloned().fold(words, |words, known| words.exclude(known));
        let share = group as f64 / self.groups.len() as f64;
        let words = words.watch(|_| match watch.tell(MatchStage::Candidates, share) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
        let mut found = Vec::new();
        for word in words.make(wanted as u64)? {
            match word {
                Ok(word) => found.push(word),
                // Short words are soon all known.
                Err(Error::Sample(SampleError::GaveUp(_))) => {}
                Err(Error::Sample(SampleError::Stopped)) => return Err(MatchError::Stopped.into()),
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    /// A word's place among those of its length.
    pub(super) fn point(&self, word: &MeasuredWord) -> Point {
        let scales = &self.scales[&word.spelling.len()];
        let criteria = || self.criteria.iter().map(|criterion| criterion.measure).zip(scales);
        let figure = |(measure, scale): (Column, &f64)| word.figure(measure).unwrap_or(0.0) / scale;
        let profile = |(measure, scale): (Column, &f64)| {
            word.profile(measure)
                .iter()
                .filter(|_| measure.is_profile())
                .map(|number| number / scale)
                .collect()
        };
        Point { figures: criteria().map(figure).collect(), profiles: criteria().map(profile).collect() }
    }

    /// The scale of a criterion for words of a length.
    pub(super) fn scale(&self, length: usize, criterion: usize) -> f64 {
        self.scales[&length][criterion]
    }

    /// The square of the distance between points, of which one is moved; infinite if a tolerance is exceeded.
    pub(super) fn cost(&self, target: &Target, other: &Point, shift: &[f64]) -> f64 {
        let scales = &self.scales[&target.word.spelling.len()];
        let exceeds = |index: usize, criterion: &Criterion| {
            let difference = self.difference(index, &target.point, other).abs() * scales[index];
            criterion.tolerance.is_some_and(|most| difference > most + 1e-9)
        };
        if self.criteria.iter().enumerate().any(|(index, criterion)| exceeds(index, criterion)) {
            return f64::INFINITY;
        }
        self.squares(target, other, shift)
    }

    fn squares(&self, target: &Target, other: &Point, shift: &[f64]) -> f64 {
        let square = |(index, criterion): (usize, &Criterion)| {
            let moved = self.difference(index, &target.point, other) + shift[index];
            criterion.weight * moved * moved
        };
        self.criteria.iter().enumerate().map(square).sum()
    }

    /// The difference of two points in a criterion.
    pub(super) fn difference(&self, criterion: usize, target: &Point, other: &Point) -> f64 {
        if self.criteria[criterion].measure.is_profile() {
            profile_difference(&target.profiles[criterion], &other.profiles[criterion])
        } else {
            other.figures[criterion] - target.figures[criterion]
        }
    }

    /// The distance of a pseudoword from its target.
    pub(super) fn distance(&self, target: &Target, word: &MeasuredWord) -> f64 {
        self.squares(target, &self.point(word), &vec![0.0; self.criteria.len()]).sqrt()
    }
}

/// The root of the mean squared difference.
pub(super) fn profile_difference(left: &[f64], right: &[f64]) -> f64 {
    let squares: f64 = left.iter().zip(right).map(|(left, right)| (left - right).powi(2)).sum();
    (squares / left.len().max(1) as f64).sqrt()
}

/// What a target's pseudowords must have beside its length.
fn constraints(
    word: &MeasuredWord,
    shape: Option<&Shape>,
    request: &MatchRequest,
) -> Result<Vec<Constraint>, Shortage> {
    let lacking = |feature: &str| Shortage::NoFeature { feature: feature.to_owned() };
    let spelling = &word.spelling;
    let mut kept: Vec<Option<&str>> = vec![None; spelling.len()];
    let mut keep = |place: i32| {
        let index = if place > 0 {
            Some(place as usize - 1)
        } else {
            spelling.len().checked_sub(place.unsigned_abs() as usize)
        };
        let letter =
            index.and_then(|index| spelling.get(index)).ok_or_else(|| lacking(&format!("letter {place}")))?;
        kept[index.unwrap_or(0)] = Some(letter);
        Ok(())
    };
    request.keep.iter().try_for_each(|&place| keep(place))?;
    let mut found = Vec::new();
    for feature in &request.same {
        let shape = || shape.ok_or_else(|| lacking(feature.name()));
        match feature {
            Feature::FirstLetter => keep(1)?,
            Feature::LastLetter => keep(-1)?,
            Feature::Onset => found.push(Constraint::Pattern(format!("{}V*", escaped(&shape()?.onset)))),
            Feature::Ending => found.push(Constraint::Pattern(format!("(*C|){}", escaped(&shape()?.ending)))),
            Feature::Skeleton => found.push(Constraint::Pattern(shape()?.skeleton.replace('-', "?"))),
            Feature::Syllables => {
                let groups = shape()?.vowel_groups;
                found.push(Constraint::Syllables { least: groups, most: groups });
            }
        }
    }
    if kept.iter().any(Option::is_some) {
        let sign = |letter: &Option<&str>| letter.map_or("?".to_owned(), escaped);
        found.push(Constraint::Pattern(kept.iter().map(sign).collect()));
    }
    if request.min_edits > 1 || request.max_edits.is_some() {
        let (least, most) = (request.min_edits, request.max_edits);
        found.push(Constraint::Edits { word: word.word.clone(), least, most });
    }
    Ok(found)
}

/// Letters that stand for themselves in a pattern.
fn escaped(text: &str) -> String {
    letters(text).map(|letter| format!("\\{letter}")).collect()
}
