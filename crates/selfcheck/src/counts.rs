//! The result of a fuzzing case, and how many cases had which result.

use std::collections::BTreeMap;
use std::fmt;

/// What came of a case that found no defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Something was held against something, and agreed: what.
    Checked(&'static str),
    /// Nothing could be checked: why.
    Dropped(&'static str),
}

/// A defect of Dodona, in words that say what contradicts what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect(String);

impl Defect {
    /// A defect in these words.
    pub fn new(what: impl Into<String>) -> Defect {
        Defect(what.into())
    }

    /// The same defect, with what it was found on in the lines below.
    pub fn with(self, context: &str) -> Defect {
        Defect(format!("{}\n{context}", self.0))
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How often cases came out each way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    checked: BTreeMap<&'static str, u64>,
    dropped: BTreeMap<&'static str, u64>,
}

impl Counts {
    /// No case yet.
    pub const fn new() -> Counts {
        Counts { checked: BTreeMap::new(), dropped: BTreeMap::new() }
    }

    /// Counts a case.
    pub fn add(&mut self, case: Case) {
        let count = match case {
            Case::Checked(what) => self.checked.entry(what),
            Case::Dropped(why) => self.dropped.entry(why),
        };
        *count.or_default() += 1;
    }

    /// All cases.
    pub fn cases(&self) -> u64 {
        self.checked() + self.dropped.values().sum::<u64>()
    }

    /// Those in which something was checked.
    pub fn checked(&self) -> u64 {
        self.checked.values().sum()
    }

    /// Those that came out in one way.
    pub fn of(&self, what: &str) -> u64 {
        self.checked.get(what).or(self.dropped.get(what)).copied().unwrap_or(0)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cases, {} checked", self.cases(), self.checked())?;
        for (what, count) in &self.checked {
            write!(f, "; {count} {what}")?;
        }
        for (why, count) in &self.dropped {
            write!(f, "; {count} dropped: {why}")?;
        }
        Ok(())
    }
}
