//! The distance between two inputs.

use dodona_target::{Column, Domain, Parameter, Ragged, Sampling, SequenceColumn, Type};

use rapidfuzz::distance::levenshtein;

use super::scale::Measure;

/// The distance between inputs of a function: Euclidean over its parameters, each of which contributes 0 to 1.
///
/// | parameter | distance between two values |
/// | --- | --- |
/// | number | the distance between their places in the range from which numbers are drawn: by value for uniform sampling, by magnitude for logarithmic sampling, the mean of both for mixed sampling. Infinities lie beyond the range; NaN is at distance 1 from every number |
/// | Boolean, or a number or text from a list in the domain | 0 if they are equal, else 1 (a category) |
/// | sequence | the sum of the distances at each position, divided by the greater length; an element without a counterpart counts 1 |
/// | text | the Levenshtein distance between their bytes, divided by the greater length |
///
/// Values outside the sampled range, as a file may contain them, count too: the farther outside, the less each
/// further step adds, up to one more width of the range.
///
/// ```
/// use dodona_sources::adaptive::Distance;
/// use dodona_target::Column;
/// use dodona_subject::Manifest;
///
/// let manifest = r#"
///     module = "mean.wasm"
///     [[function]]
///     signature = "mean(a: f64, b: f64) -> f64"
///     sample.a = { range = [0.0, 10.0], distribution = "uniform" }
///     sample.b = { range = [0.0, 100.0], distribution = "uniform" }
/// "#;
/// let manifest = Manifest::parse(std::path::Path::new("dodona.toml"), manifest).expect("it is valid");
/// let distance = Distance::of(&manifest.functions[0].parameters);
/// let points = distance.points(&[Column::Float(vec![1.0, 4.0]), Column::Float(vec![50.0, 10.0])]);
/// assert!((distance.between(&points, 0, &points, 1) - 0.5).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct Distance {
    numbers: Vec<Part<Measure>>,
    sequences: Vec<Part<Measure>>,
    texts: Vec<Part<TextMeasure>>,
}

/// One parameter's contribution to the distance, with the parameter's index.
#[derive(Clone, Debug)]
struct Part<M> {
    column: usize,
    measure: M,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum TextMeasure {
    /// Texts are only equal or different.
    Category,
    /// The number of insertions, deletions and substitutions.
    Levenshtein,
}

/// Inputs prepared for comparison by [`Distance::points`]; they may be used only with the distance that prepared
/// them.
#[derive(Clone, Debug, Default)]
pub struct Points {
    rows: usize,
    /// The scaled numbers, row by row.
    numbers: Vec<f64>,
    sequences: Vec<Ragged<f64>>,
    texts: Vec<Ragged<u8>>,
}

impl Points {
    /// The number of inputs.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no inputs.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Appends one input of `other`, which the same distance must have prepared.
    pub(super) fn push(&mut self, other: &Points, row: usize) {
        let width = other.numbers.len() / other.rows;
        self.numbers.extend_from_slice(&other.numbers[row * width..(row + 1) * width]);
        self.sequences.resize_with(other.sequences.len(), Ragged::new);
        self.texts.resize_with(other.texts.len(), Ragged::new);
        self.sequences.iter_mut().zip(&other.sequences).for_each(|(to, from)| to.push(from.row(row)));
        self.texts.iter_mut().zip(&other.texts).for_each(|(to, from)| to.push(from.row(row)));
        self.rows += 1;
    }
}

impl Distance {
    /// The distance between inputs of these parameters.
    pub fn of(parameters: &[Parameter]) -> Distance {
        let mut distance = Distance { numbers: Vec::new(), sequences: Vec::new(), texts: Vec::new() };
        for (column, Parameter { ty, domain, sampling, .. }) in parameters.iter().enumerate() {
            distance.add(column, *ty, domain, sampling);
        }
        distance
    }

    fn add(&mut self, column: usize, ty: Type, domain: &Domain, sampling: &Sampling) {
        match ty {
            Type::Scalar(s) => self.numbers.push(Part { column, measure: Measure::of(s, domain, sampling) }),
            Type::Sequence(s) => {
                self.sequences.push(Part { column, measure: Measure::of(s, domain, sampling) })
            }
            Type::Text => {
                let listed = domain.texts.is_some();
                let measure = if listed { TextMeasure::Category } else { TextMeasure::Levenshtein };
                self.texts.push(Part { column, measure });
            }
        }
    }

    /// Prepares inputs for comparison: one column for each parameter, in the order of the parameters, all of the same
    /// length.
    ///
    /// # Panics
    /// When a column is missing, or not of its parameter's kind.
    pub fn points(&self, columns: &[Column]) -> Points {
        let rows = columns.first().map_or(0, Column::len);
        let mut numbers = vec![0.0; rows * self.numbers.len()];
        for (place, part) in self.numbers.iter().enumerate() {
            for (row, x) in floats(&columns[part.column]).into_iter().enumerate() {
                numbers[row * self.numbers.len() + place] = part.measure.place(x);
            }
        }
        let sequences = self.sequences.iter().map(|part| places(&columns[part.column], &part.measure));
        let texts = self.texts.iter().map(|part| match &columns[part.column] {
            Column::Text(texts) => texts.clone(),
            other => panic!("{other:?} is no column of text"),
        });
        Points { rows, numbers, sequences: sequences.collect(), texts: texts.collect() }
    }

    /// The distance between two inputs: at least 0; if all values lie in the ranges that are drawn from, at most the
    /// square root of the number of parameters.
    ///
    /// # Panics
    /// When there is no such row, or the points were prepared by another distance.
    pub fn between(&self, a: &Points, row: usize, b: &Points, other: usize) -> f64 {
        self.square(a, row, b, other, f64::INFINITY).sqrt()
    }

    /// The square of the distance, or a lower bound of it that is at least `enough`.
    pub(super) fn square(&self, a: &Points, row: usize, b: &Points, other: usize, enough: f64) -> f64 {
        let width = self.numbers.len();
        let (left, right) = (&a.numbers[row * width..][..width], &b.numbers[other * width..][..width]);
        let parts = self.numbers.iter().zip(left.iter().zip(right));
        let mut sum: f64 = parts.map(|(part, (a, b))| part.measure.apart(*a, *b).powi(2)).sum();
        for (part, (a, b)) in self.sequences.iter().zip(a.sequences.iter().zip(&b.sequences)) {
            sum += of_sequences(&part.measure, a.row(row), b.row(other)).powi(2);
        }
        for (part, (a, b)) in self.texts.iter().zip(a.texts.iter().zip(&b.texts)) {
            // Text is compared last, and only if needed, because it takes longest.
            if sum >= enough {
                break;
            }
            sum += of_texts(part.measure, a.row(row), b.row(other)).powi(2);
        }
        sum
    }
}

fn of_sequences(measure: &Measure, a: &[f64], b: &[f64]) -> f64 {
    let (longest, common) = (a.len().max(b.len()), a.len().min(b.len()));
    if longest == 0 {
        return 0.0;
    }
    let apart: f64 = a.iter().zip(b).map(|(a, b)| measure.apart(*a, *b)).sum();
    (apart + (longest - common) as f64) / longest as f64
}

fn of_texts(measure: TextMeasure, a: &[u8], b: &[u8]) -> f64 {
    let longest = a.len().max(b.len());
    match measure {
        _ if a == b => 0.0,
        TextMeasure::Category => 1.0,
        TextMeasure::Levenshtein => {
            levenshtein::distance(a.iter().copied(), b.iter().copied()) as f64 / longest as f64
        }
    }
}

fn floats(column: &Column) -> Vec<f64> {
    match column {
        Column::Bool(v) => v.iter().map(|&b| f64::from(u8::from(b))).collect(),
        Column::Int(v) => v.iter().map(|&i| i as f64).collect(),
        Column::Float(v) => v.clone(),
        other => panic!("{other:?} is no column of numbers"),
    }
}

fn places(column: &Column, measure: &Measure) -> Ragged<f64> {
    fn all<T: Clone>(rows: &Ragged<T>, one: impl Fn(&T) -> f64) -> Ragged<f64> {
        let mut out = Ragged::with_capacity(rows.len(), rows.items().len());
        rows.rows().for_each(|row| out.push_from(row.iter().map(&one)));
        out
    }
    match column {
        Column::Sequence(SequenceColumn::Bool(rows)) => all(rows, |&b| f64::from(u8::from(b))),
        Column::Sequence(SequenceColumn::Int(rows)) => all(rows, |&i| measure.place(i as f64)),
        Column::Sequence(SequenceColumn::Float(rows)) => all(rows, |&x| measure.place(x)),
        other => panic!("{other:?} is no column of sequences"),
    }
}
