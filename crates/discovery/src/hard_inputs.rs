//! Inputs whose only aim is to refute a relation that holds on random ones.
//!
//! Relations that people found to be false held on half a million random inputs each: of texts of printable characters hardly one has a letter that becomes two in
//! lower case, hardly a number lies halfway between two others, and of random bytes nothing repeats. So each relation that would be listed is run on inputs that
//! are drawn in these ways, too.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use dodona_records::{RelationRecord, RelationVerdict};
use dodona_relations::ast::{BinaryOperator, Body, Expression, Node, Relation};
use dodona_sources::Seed;
use dodona_target::{
    Caller as _, Column, Distribution, Kind, Number, NumberRange, Outcome, Parameter, Sampling, Scalar,
    Signature, Type, Until, Value,
};
use dodona_workbench::inputs::{drawn, eligible_rows};
use dodona_workbench::{LabError, Relations, Workbench, check::check_until};

use crate::relation_of::aside;
use crate::tuning::FEWEST;

/// A way of drawing inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Nothing special: no empty text, and no number is favoured. A relation that hardly any of these is eligible for says something of special inputs only.
    Plain,
    /// Texts and sequences in which everything is the same.
    OneLetter,
    /// Texts and sequences of two letters, in which much repeats.
    TwoLetters,
    /// Long sequences of small numbers, whose sums go beyond what short ones come to.
    SmallNumbers,
    /// Long sequences of the greatest numbers.
    GreatNumbers,
    /// Letters that grow, shrink or join where their case is changed.
    Folding,
    /// Characters that are one with their neighbours: marks, joiners, signs of presentation, flags, syllables.
    Joining,
    /// Digits, signs, white space, and what separates words and paths.
    Marks,
    /// Numbers halfway between others, and powers of two and ten with their neighbours.
    Ties,
}

const WAYS: [Way; 9] = [
    Way::Plain,
    Way::OneLetter,
    Way::TwoLetters,
    Way::SmallNumbers,
    Way::GreatNumbers,
    Way::Folding,
    Way::Joining,
    Way::Marks,
    Way::Ties,
];

/// So many numbers are small, and as many great.
const FEW_NUMBERS: i128 = 16;

/// So many inputs are drawn in each way. A relation that is false for a kind of input fails on most of that kind; more would only make slow functions slower.
const INPUTS: u64 = 2_000;

/// The longest texts and sequences that are drawn of few letters, if their domains allow it.
const LONGEST: u64 = 80;

/// The longest texts of characters that join.
const FEW: u64 = 2;

/// Letters whose upper or lower case has another length, or is that of several letters, and some that have neither.
const FOLDING: [char; 18] = [
    'İ',
    'ı',
    'ß',
    'ẞ',
    'ŉ',
    'ǰ',
    'ﬁ',
    'Σ',
    'ς',
    'σ',
    '\u{212a}',
    'Å',
    '\u{307}',
    'ǅ',
    'a',
    'B',
    '中',
    '\u{1f600}',
];

/// Characters of which two are one to people, or look otherwise beside another; with some of their upper and lower cases.
const JOINING: [char; 24] = [
    '\u{fe0f}',
    '\u{fe0e}',
    '\u{200d}',
    '\u{301}',
    '\u{20e3}',
    '⌚',
    'Ⓜ',
    '☎',
    '1',
    '\u{1f469}',
    '\u{1f3fd}',
    '\u{1f1e9}',
    '\u{1f1ea}',
    'Ⅻ',
    'ⅻ',
    'ⴱ',
    '\u{2d7f}',
    '\u{1100}',
    '\u{1161}',
    '\u{11a8}',
    'ل',
    'ا',
    '\u{0}',
    'a',
];

/// Digits, signs, separators and white space.
const MARKS: [char; 24] = [
    '0', '1', '9', '-', '+', '.', ',', ';', ':', '/', '\\', '_', ' ', '\t', '\n', '\r', '\u{a0}', '"', '\'',
    '%', '&', '=', 'a', 'Z',
];

/// A subject whose inputs are drawn in ways that refute.
pub(crate) struct HardInputs {
    ways: Vec<(Way, Arc<Workbench>)>,
    jobs: NonZeroUsize,
    seed: Seed,
    /// The subject as it is drawn usually.
    usual: Arc<Workbench>,
    /// The functions of data whose results are spread like random numbers, by name: hashes and checksums. They are called when a bound asks for it.
    scattered: OnceLock<Vec<String>>,
}

/// What became of a relation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum HardVerdict {
    /// It held on all of them, or there was no time.
    Holds,
    /// An input violates it.
    Violated(Box<RelationRecord>),
    /// Hardly any input but special ones is eligible.
    Special,
}

impl HardInputs {
    /// The ways that differ from how a subject's inputs are drawn anyway. Of targets that are not modules there are none.
    pub(crate) fn new(workbench: &Workbench, seed: Seed, jobs: NonZeroUsize) -> HardInputs {
        let module = dodona_wasm::of(workbench);
        let otherwise = |way: Way| {
            let module = module.as_ref()?;
            let other = dodona_wasm::drawn_otherwise(module, &|parameter| sampling(parameter, way))?;
            Some((way, other.any()))
        };
        let ways = WAYS.into_iter().filter_map(otherwise).collect();
        let usual = workbench.about(Relations::default());
        HardInputs { ways, jobs, seed, usual, scattered: OnceLock::new() }
    }

    /// Runs a relation on inputs of each way.
    ///
    /// # Errors
    /// When inputs cannot be drawn or the host fails.
    pub(crate) fn judge(&self, relation: &Relation, until: &Until) -> Result<HardVerdict, LabError> {
        if self.bounds_scattered(relation, until) {
            return Ok(HardVerdict::Special);
        }
        for (way, workbench) in &self.ways {
            if !until.goes_on() {
                break;
            }
            let Some(record) = self.run(workbench, relation, until)? else { continue };
            match record.verdict() {
                RelationVerdict::Violated => return Ok(HardVerdict::Violated(Box::new(record))),
                // What has no variable is an example, and a condition with a number says itself which inputs it is about.
                _ if *way == Way::Plain
                    && record.sources > 1
                    && !has_border(relation)
                    && is_special(&record) =>
                {
                    return Ok(HardVerdict::Special);
                }
                _ => {}
            }
        }
        Ok(HardVerdict::Holds)
    }

    /// Whether a relation bounds results that are spread like random numbers: it holds because they are large, until one is not.
    fn bounds_scattered(&self, relation: &Relation, until: &Until) -> bool {
        use BinaryOperator::{Greater, GreaterEqual, Less, LessEqual};
        let scattered = || self.scattered.get_or_init(|| scattered(&self.usual, self.seed, until));
        let is_scattered = |e: &Expression| match &e.node {
            Node::Call { function, .. } => scattered().contains(&function.text),
            // The result in the notation of pairs.
            Node::Name(name) | Node::Primed(name) => name == "out" && !scattered().is_empty(),
            _ => false,
        };
        let (Body::Calls(expect) | Body::Primed { expect, .. }) = &relation.body;
        expect.has(&|e: &Expression| match &e.node {
            Node::Binary(Less | LessEqual | Greater | GreaterEqual, a, b) => {
                a.has(&is_scattered) || b.has(&is_scattered)
            }
            _ => false,
        })
    }

    fn run(
        &self,
        workbench: &Workbench,
        relation: &Relation,
        until: &Until,
    ) -> Result<Option<RelationRecord>, LabError> {
        let relations = Relations::of_trees(std::slice::from_ref(relation), workbench.functions())?;
        let options = aside(INPUTS, Seed(self.seed.0 ^ 0x6861_7264_0000_0000), self.jobs, 0);
        match check_until(workbench.about(relations), &options, until, &mut |_| {}) {
            Ok(record) => Ok(record.relations.into_iter().next()),
            // No value of this kind is in the domains.
            Err(LabError::DisjointDomains { .. } | LabError::EmptyDomain { .. } | LabError::Sources(_)) => {
                Ok(None)
            }
            Err(error) if error.is_stopped() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// So many calls show how results are spread.
const SPREAD_CALLS: u64 = 256;

/// Results are spread like random numbers if their first bytes have so many values. Of 256 random ones 162 are expected, and less than 140 once in a thousand times; results
/// that grow with the length of their data have a few.
const SPREAD: usize = 130;

/// The functions of texts or sequences whose results of 32 bits or more are spread like random numbers.
fn scattered(workbench: &Workbench, seed: Seed, until: &Until) -> Vec<String> {
    let is_spread = |(function, declared): (usize, &Signature)| {
        let bits = declared.returned_scalar().filter(|scalar| scalar.kind() == Kind::Int)?.integer_range()?;
        let width = (bits.1 - bits.0).ilog2();
        let is_of_data = declared
            .parameters
            .iter()
            .any(|parameter| matches!(parameter.ty, Type::Text | Type::Sequence(_)));
        if width < 31 || !is_of_data {
            return None;
        }
        let rows = drawn(declared, SPREAD_CALLS, seed).ok()?.into_iter().next()?;
        let rows: Vec<Column> =
            rows.iter().map(|column| column.select(&eligible_rows(declared, &rows))).collect();
        let ran = workbench.caller().until(until).call(function, &rows).ok()?;
        let mut first: Vec<i128> = (0..ran.outcomes.len())
            .filter(|&row| ran.outcomes[row] == Outcome::Returned)
            .filter_map(|row| match ran.outputs[0].value(row) {
                Value::Int(value) => Some((value - bits.0) >> (width + 1 - 8)),
                _ => None,
            })
            .collect();
        first.sort_unstable();
        first.dedup();
        (first.len() >= SPREAD).then(|| declared.name.clone())
    };
    workbench.functions().iter().enumerate().filter_map(is_spread).collect()
}

/// Whether a condition compares something with a number, or asks whether there is a result.
pub(crate) fn has_border(relation: &Relation) -> bool {
    let is_number =
        |e: &Expression| matches!(e.node, Node::Int(_) | Node::Float(_) | Node::Text(_) | Node::Is(..));
    relation.condition.as_ref().is_some_and(|condition| condition.has(&is_number))
}

fn is_special(record: &RelationRecord) -> bool {
    record.verdict() == RelationVerdict::NeverEligible || record.hardly_tested(FEWEST).is_some()
}

/// How the values of a parameter are drawn in a way; nothing if as they are anyway.
fn sampling(parameter: &Parameter, way: Way) -> Option<Sampling> {
    let Parameter { ty, domain, sampling, .. } = parameter;
    let (least, most) = domain.length.unwrap_or((0, u64::MAX));
    let has_length = matches!(ty, Type::Text | Type::Sequence(_));
    let longer = Some((least.max(1).min(most), most.min(LONGEST).max(least)));
    let allowed = |letters: &[char]| -> Vec<char> {
        let is_allowed = |letter: &char| domain.alphabet.as_ref().is_none_or(|all| all.contains(letter));
        letters.iter().copied().filter(is_allowed).collect()
    };
    let of_letters = |letters: Vec<char>| {
        let sampling = Sampling {
            alphabet: Some(letters.clone()),
            length: longer,
            favour: Vec::new(),
            favour_rate: Some(0.0),
            ..sampling.clone()
        };
        (!letters.is_empty() && domain.texts.is_none()).then_some(sampling)
    };
    // The first letters that are drawn anyway.
    let usual = || {
        sampling.alphabet.clone().or_else(|| domain.alphabet.clone()).unwrap_or_else(|| vec!['a', 'b', ' '])
    };
    match (way, ty) {
        (Way::Plain, _) => Some(Sampling {
            length: if has_length { plain_length(parameter) } else { None },
            distribution: if is_narrow(parameter) { Distribution::Uniform } else { sampling.distribution },
            favour: Vec::new(),
            favour_rate: Some(0.0),
            ..sampling.clone()
        }),
        (Way::OneLetter, Type::Text) => of_letters(usual().into_iter().take(1).collect()),
        (Way::TwoLetters, Type::Text) => of_letters(usual().into_iter().take(2).collect()),
        (Way::Folding, Type::Text) => of_letters(allowed(&FOLDING)),
        // A few of them, or there are always others in between.
        (Way::Joining, Type::Text) => of_letters(allowed(&JOINING)).map(|sampling| {
            let few = sampling.length.map(|(least, most)| (least, most.min(FEW).max(least)));
            Sampling { length: few, ..sampling }
        }),
        (Way::Marks, Type::Text) => of_letters(allowed(&MARKS)),
        (Way::OneLetter | Way::TwoLetters | Way::SmallNumbers | Way::GreatNumbers, Type::Sequence(of))
            if of.kind() == Kind::Int =>
        {
            let (first, last) = match way {
                Way::OneLetter => (0, 0),
                Way::TwoLetters => (0, 1),
                Way::SmallNumbers => (1, FEW_NUMBERS),
                _ => {
                    let greatest = domain.numbers.ranges.last().and_then(|range| match range.high {
                        Number::Int(high) => Some(high),
                        Number::Float(_) => None,
                    });
                    let greatest = greatest.or(of.integer_range().map(|(_, high)| high))?;
                    (greatest - FEW_NUMBERS + 1, greatest)
                }
            };
            let range = NumberRange { low: Number::Int(first), high: Number::Int(last) };
            let is_allowed = (first..=last).all(|number| domain.numbers.contains_int(number));
            is_allowed.then(|| Sampling {
                range: Some(range),
                length: longer,
                favour: Vec::new(),
                favour_rate: Some(0.0),
                ..sampling.clone()
            })
        }
        (Way::Ties, Type::Scalar(scalar)) => {
            let favour = ties(*scalar, parameter);
            (!favour.is_empty()).then(|| Sampling { favour, favour_rate: Some(0.9), ..sampling.clone() })
        }
        _ => None,
    }
}

/// The lengths that are drawn usually, without 0 if there are others.
fn plain_length(parameter: &Parameter) -> Option<(u64, u64)> {
    let (least, most) = parameter.sampling.length.or(parameter.domain.length).unwrap_or((0, 32));
    Some((least.max(1).min(most), most))
}

/// Whether numbers come from so few that all of them are as likely as each other.
fn is_narrow(parameter: &Parameter) -> bool {
    const NARROW: f64 = 1e6;
    let range = parameter.sampling.range.or_else(|| match parameter.domain.numbers.ranges[..] {
        [range] => Some(range),
        _ => None,
    });
    range.is_some_and(|range| range.high.as_f64() - range.low.as_f64() <= NARROW)
}

/// Numbers halfway between others, and powers of two and ten with their neighbours, as far as a parameter may have them.
fn ties(scalar: Scalar, parameter: &Parameter) -> Vec<Value> {
    match scalar.kind() {
        Kind::Float => {
            let halves = (-20..=20).map(|n| f64::from(n) + 0.5);
            let cents = (-20..=20).map(|n| f64::from(n) / 10.0 + 0.05);
            let tens = (-3..=9).map(|n| 10f64.powi(n));
            let all = halves.chain(cents).chain(tens);
            all.filter(|x| parameter.domain.contains_float(scalar, *x)).map(Value::Float).collect()
        }
        Kind::Int => {
            let powers = (0..63).map(|n| 1i128 << n).chain((1..19).map(|n| 10i128.pow(n)));
            let near = powers.flat_map(|power| [power - 1, power, power + 1, -power]);
            let fits = |x: &i128| parameter.domain.contains_int(scalar, *x);
            near.filter(fits).map(Value::Int).collect()
        }
        Kind::Bool => Vec::new(),
    }
}

#[cfg(test)]
pub(crate) mod tests;
