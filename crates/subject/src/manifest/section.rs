//! Reading a TOML table key by key, so that every key left over is reported with the nearest known one.

use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::homes::{home, other_word};
use dodona_target::{Diagnostic, Number, Sequence, Value, nearest};

/// The problems found so far; reading goes on after each.
#[derive(Default)]
pub(super) struct Problems {
    found: RefCell<Vec<Diagnostic>>,
    warnings: RefCell<Vec<Diagnostic>>,
}

impl Problems {
    pub(super) fn add(&self, problem: Diagnostic) {
        self.found.borrow_mut().push(problem);
    }

    /// What is no reason to refuse the text, in order of place, each with its line and column.
    pub(super) fn warnings(&self, text: &str) -> Vec<String> {
        let mut warnings = self.warnings.borrow().clone();
        warnings.sort_by_key(|warning| warning.span.start);
        let said = |warning: &Diagnostic| {
            let (line, column) = warning.line_column(text);
            format!("{line}:{column}: {}", warning.message)
        };
        warnings.iter().map(said).collect()
    }

    pub(super) fn finish<T>(self, value: Option<T>) -> Result<T, Vec<Diagnostic>> {
        let mut problems = self.found.into_inner();
        problems.sort_by_key(|p| p.span.start);
        match value {
            Some(value) if problems.is_empty() => Ok(value),
            _ => Err(problems),
        }
    }
}

/// A value with its place.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    value: &'a Spanned<DeValue<'a>>,
    problems: &'a Problems,
}

/// A table with the keys that were asked for.
pub(super) struct Section<'a> {
    /// What the table is, for messages: `[[function]]`.
    title: &'static str,
    table: &'a DeTable<'a>,
    span: Range<usize>,
    known: RefCell<Vec<&'static str>>,
    pub(super) problems: &'a Problems,
}

impl<'a> Section<'a> {
    pub(super) fn new(
        title: &'static str,
        table: &'a DeTable<'a>,
        span: Range<usize>,
        problems: &'a Problems,
    ) -> Self {
        Section { title, table, span, known: RefCell::default(), problems }
    }

    /// The value of a key; asking makes the key known.
    pub(super) fn get(&self, key: &'static str) -> Option<Item<'a>> {
        let mut known = self.known.borrow_mut();
        if !known.contains(&key) {
            known.push(key);
        }
        self.table.get(key).map(|value| Item { value, problems: self.problems })
    }

    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    pub(super) fn text(&self, key: &'static str) -> Option<(String, Range<usize>)> {
        let item = self.get(key)?;
        Some((item.text()?, item.span()))
    }

    pub(super) fn section(&self, title: &'static str, key: &'static str) -> Option<Section<'a>> {
        let item = self.get(key)?;
        if title.starts_with('[') && item.is_list() {
            let problem = Diagnostic::new(item.span(), format!("`{key}` is one table"));
            item.problem(problem.hint(format!("write {title}")));
            return None;
        }
        item.section(title)
    }

    /// The keys that are there.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.table.keys().map(|key| &**key.get_ref())
    }

    /// Every key with its value, for tables whose keys are names that the user chose.
    pub(super) fn named(&self) -> impl Iterator<Item = (&'a str, Range<usize>, Item<'a>)> {
        let problems = self.problems;
        self.table.iter().map(move |(key, value)| (&**key.get_ref(), key.span(), Item { value, problems }))
    }

    /// Reports the keys that nobody asked for.
    pub(super) fn finish(self) {
        let known = self.known.into_inner();
        for key in self.table.keys().filter(|k| !known.contains(&&**k.get_ref())) {
            let name: &str = key.get_ref();
            let problem = Diagnostic::new(key.span(), format!("unknown key `{name}` in {}", self.title));
            let near = || nearest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
            let all = || format!("known keys: {}", known.join(", "));
            let other = || known.contains(&"function").then(|| other_word(name)).flatten();
            let hint = other().or_else(|| home(name)).or_else(near).unwrap_or_else(all);
            self.problems.add(problem.label("not a key here").hint(hint));
        }
    }
}

impl<'a> Item<'a> {
    pub(super) fn span(&self) -> Range<usize> {
        self.value.span()
    }

    /// Reports that the value is not what its key takes.
    pub(super) fn wrong<T>(&self, wanted: &str) -> Option<T> {
        self.other(wanted, self.value.get_ref().type_str())
    }

    /// [`Item::wrong`], with the words for what was found.
    pub(super) fn other<T>(&self, wanted: &str, found: &str) -> Option<T> {
        self.problems.add(Diagnostic::new(self.span(), format!("expected {wanted}, found {found}")));
        None
    }

    pub(super) fn problem(&self, problem: Diagnostic) {
        self.problems.add(problem);
    }

    /// Reports what is no reason to refuse the value.
    pub(super) fn warn(&self, message: String) {
        self.problems.warnings.borrow_mut().push(Diagnostic::new(self.span(), message));
    }

    pub(super) fn is_boolean(&self) -> bool {
        self.value.get_ref().is_bool()
    }

    pub(super) fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    pub(super) fn is_list(&self) -> bool {
        self.value.get_ref().is_array()
    }

    pub(super) fn is_integer(&self) -> bool {
        self.value.get_ref().is_integer()
    }

    pub(super) fn text(&self) -> Option<String> {
        match self.value.get_ref().as_str() {
            Some(text) => Some(text.to_owned()),
            None => self.wrong("a string"),
        }
    }

    pub(super) fn as_str(&self) -> Option<&'a str> {
        self.value.get_ref().as_str()
    }

    pub(super) fn boolean(&self) -> Option<bool> {
        self.value.get_ref().as_bool().or_else(|| self.wrong("true or false"))
    }

    pub(super) fn section(&self, title: &'static str) -> Option<Section<'a>> {
        match self.value.get_ref() {
            DeValue::Table(table) => Some(Section::new(title, table, self.span(), self.problems)),
            _ => self.wrong("a table"),
        }
    }

    pub(super) fn list(&self) -> Option<Vec<Item<'a>>> {
        match self.value.get_ref() {
            DeValue::Array(items) => {
                Some(items.iter().map(|value| Item { value, problems: self.problems }).collect())
            }
            _ => self.wrong("a list"),
        }
    }

    pub(super) fn texts(&self) -> Option<Vec<String>> {
        self.list()?.iter().map(Item::text).collect()
    }

    /// A number without rounding: TOML's 64-bit limit is not ours, `u64` needs more.
    pub(super) fn number(&self) -> Option<Number> {
        let number = match self.value.get_ref() {
            DeValue::Integer(i) => match i128::from_str_radix(i.as_str(), i.radix()) {
                Ok(i) => Some(Number::Int(i)),
                Err(_) => return self.too_large(i.as_str()),
            },
            DeValue::Float(x) => return self.float(x.as_str()),
            DeValue::Boolean(b) => Some(Number::Int((*b).into())),
            _ => None,
        };
        number.or_else(|| self.wrong("a number"))
    }

    fn too_large(&self, text: &str) -> Option<Number> {
        let problem = Diagnostic::new(self.span(), format!("{text} is too large"));
        self.problem(problem.hint("integers are 128 bits wide; write a float such as 1e40"));
        None
    }

    /// A float; a NaN without a sign, for there is one.
    fn float(&self, text: &str) -> Option<Number> {
        let x: f64 = text.parse().ok()?;
        if x.is_infinite() && !text.ends_with("inf") {
            let problem = Diagnostic::new(self.span(), format!("{text} is beyond every float"));
            self.problem(problem.hint("write inf for infinity"));
            return None;
        }
        if x == 0.0 && !is_zero(text) {
            let zero = Value::Float(x);
            self.warn(format!("{text} is no float; {zero}, the nearest, stands for it"));
        }
        Some(Number::Float(if x.is_nan() { f64::NAN } else { x }))
    }

    /// An integer within bounds, both of them inside.
    pub(super) fn integer<T: TryFrom<i128>>(&self, wanted: &str, bounds: RangeInclusive<i128>) -> Option<T> {
        let DeValue::Integer(written) = self.value.get_ref() else { return self.wrong(wanted) };
        let found = i128::from_str_radix(written.as_str(), written.radix()).ok();
        let inside = found.filter(|i| bounds.contains(i)).and_then(|i| i.try_into().ok());
        inside.or_else(|| {
            let found = found.map_or_else(|| written.as_str().to_owned(), |i| i.to_string());
            let (low, high) = bounds.into_inner();
            self.other(&format!("{wanted}, from {low} to {high}"), &found)
        })
    }

    /// A whole value for a parameter: scalar, text or sequence.
    pub(super) fn value(&self) -> Option<Value> {
        Some(match self.value.get_ref() {
            DeValue::Boolean(b) => Value::Bool(*b),
            DeValue::String(s) => Value::Text(s.as_ref().into()),
            DeValue::Array(_) => Value::Sequence(self.sequence()?),
            _ => match self.number()? {
                Number::Int(i) => Value::Int(i),
                Number::Float(x) => Value::Float(x),
            },
        })
    }

    fn sequence(&self) -> Option<Sequence> {
        let items = self.list()?;
        if items.iter().all(|i| i.value.get_ref().is_bool()) && !items.is_empty() {
            return Some(Sequence::Bool(items.iter().filter_map(Item::boolean).collect()));
        }
        let numbers: Vec<Number> = items.iter().map(Item::number).collect::<Option<_>>()?;
        let exact = |n: &Number| match n {
            Number::Int(i) => Some(*i),
            Number::Float(_) => None,
        };
        Some(match numbers.iter().map(exact).collect::<Option<Vec<i128>>>() {
            Some(ints) => Sequence::Int(ints),
            None => Sequence::Float(numbers.iter().map(|n| n.as_f64()).collect()),
        })
    }
}

/// Whether a float is written with no digit but 0 before its exponent.
fn is_zero(text: &str) -> bool {
    let digits = text.split(['e', 'E']).next().unwrap_or(text);
    !digits.contains(|c: char| matches!(c, '1'..='9'))
}

impl<'a> Item<'a> {
    /// The items when it is a list; nothing is reported when it is not.
    pub(super) fn as_list(&self) -> Option<Vec<Item<'a>>> {
        if self.is_list() { self.list() } else { None }
    }
}
