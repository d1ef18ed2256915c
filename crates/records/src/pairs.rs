//! Candidate pairs of frames, which a tester reviews one by one (METRIC+), and their table as comma-separated values.

use std::io;

use serde::{Deserialize, Serialize};

/// A candidate pair of input-and-output frames, for one output of the function: what its samples show, and what a tester says of it. It is a line
/// of a table that a spreadsheet can edit, so that everything is text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct CandidatePair {
    /// What the tester says: nothing yet, or one of [`PairAnswer`].
    #[serde(default)]
    pub answer: String,
    /// The output relation that the tester takes or writes: `out' > out`.
    #[serde(default)]
    pub relation: String,
    /// The output relation that is proposed; empty if there is none.
    #[serde(default)]
    pub proposed: String,
    /// Where the proposal comes from: `specification`, `order` (the declared order, and outputs that the code gave) or `inferred`.
    #[serde(default)]
    pub origin: String,
    /// What else is to be known.
    #[serde(default)]
    pub note: String,
    /// The frame of the source input: `age.young member.no -> fee.none`.
    pub from: String,
    /// The frame of the follow-up input.
    pub to: String,
    /// The output that it is about: `out`, `out.stdout`.
    pub output: String,
    /// How the input is changed, with the conditions: `of fee: when age < 60: given age' = age + 1 expect`. The output relation follows.
    pub given: String,
    /// A source input.
    #[serde(default)]
    pub source: String,
    /// What the function gives for it.
    #[serde(default)]
    pub source_output: String,
    /// What the specification says of the outputs of the source frame; empty if nothing.
    #[serde(default)]
    pub source_specification: String,
    /// The follow-up input.
    #[serde(default)]
    pub follow_up: String,
    /// What the function gives for it.
    #[serde(default)]
    pub follow_up_output: String,
    /// What the specification says of the outputs of the follow-up frame; empty if nothing.
    #[serde(default)]
    pub follow_up_specification: String,
}

/// The frames of a candidate pair, and the output that it is about.
pub type PairKey<'a> = (&'a str, &'a str, &'a str);

/// What a tester says of a candidate pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairAnswer {
    /// The proposed output relation is right.
    Accept,
    /// Another output relation, which the tester wrote, is right.
    Own,
    /// There is no output relation.
    None,
    /// To be asked again.
    Later,
}

impl PairAnswer {
    /// All answers.
    pub const ALL: [PairAnswer; 4] =
        [PairAnswer::Accept, PairAnswer::Own, PairAnswer::None, PairAnswer::Later];

    /// The word in the table.
    pub fn word(self) -> &'static str {
        match self {
            PairAnswer::Accept => "accept",
            PairAnswer::Own => "own",
            PairAnswer::None => "none",
            PairAnswer::Later => "later",
        }
    }
}

impl CandidatePair {
    /// Its frames and its output: what a tester said of a pair, she said of every pair with this key.
    pub fn key(&self) -> PairKey<'_> {
        (&self.from, &self.to, &self.output)
    }

    /// The answer; `None` where there is none yet. A relation without an answer is the tester's own.
    ///
    /// # Errors
    /// A word that is no answer, `accept` without a proposal, or `own` without a relation, in words.
    pub fn answered(&self) -> Result<Option<PairAnswer>, String> {
        let word = self.answer.trim().to_lowercase();
        let has_relation = !self.relation.trim().is_empty();
        if word.is_empty() {
            return Ok(has_relation.then_some(PairAnswer::Own));
        }
        let answer = PairAnswer::ALL.into_iter().find(|answer| answer.word() == word);
        match answer {
            None => Err(format!("`{}` is no answer; write accept, own, none or later", self.answer)),
            Some(PairAnswer::Accept) if self.proposed.is_empty() && !has_relation => {
                Err("nothing is proposed that could be accepted; write own and the output relation"
                    .to_owned())
            }
            Some(PairAnswer::Own) if !has_relation => {
                Err("own needs the output relation in the column `relation`".to_owned())
            }
            answer => Ok(answer),
        }
    }

    /// The relation of the pair under a name, with the proposed output relation or the tester's own. `None` if there is neither.
    pub fn text(&self, name: &str) -> Option<String> {
        let relation = if self.relation.trim().is_empty() { &self.proposed } else { &self.relation };
        let relation = relation.trim();
        (!relation.is_empty()).then(|| format!("relation {name} {} {relation}", self.given))
    }
}

/// Writes pairs as a table: a line of names, then a line a pair.
///
/// # Errors
/// What the writer says.
pub fn write_pairs(pairs: &[CandidatePair], out: &mut dyn io::Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    for pair in pairs {
        table.serialize(pair).map_err(io::Error::other)?;
    }
    table.flush()
}

/// The columns that tell which pair a row is about.
const NEEDED: [&str; 4] = ["from", "to", "output", "given"];

/// Reads a table of pairs, as [`write_pairs`] or a spreadsheet wrote it: columns may stand in another order, and be separated by semicolons or tabs.
///
/// # Errors
/// A text that is no such table; a row that is no pair, or whose answer is none, by its number and in words.
pub fn read_pairs(text: &str) -> Result<Vec<CandidatePair>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let header = text.lines().next().unwrap_or_default();
    let count = |separator: char| header.matches(separator).count();
    let separator = [',', ';', '\t'].into_iter().max_by_key(|separator| count(*separator)).unwrap_or(',');
    let mut table = csv::ReaderBuilder::new().delimiter(separator as u8).from_reader(text.as_bytes());
    let columns = table.headers().map_err(|error| error.to_string())?;
    let missing = NEEDED.into_iter().find(|needed| columns.iter().all(|column| column != *needed));
    // An empty file is a table that nothing was written to yet; any other file may be one of the user's, which is not to be written over.
    if let Some(missing) = missing.filter(|_| !text.trim().is_empty()) {
        return Err(format!("it is no table of candidate pairs: it has no column `{missing}`"));
    }
    let mut pairs: Vec<CandidatePair> = Vec::new();
    for pair in table.deserialize() {
        let pair: CandidatePair = pair.map_err(|error| error.to_string())?;
        // The header is the first line; a value may have several lines, which the reader counts.
        let line = pairs.len() + 2;
        pair.answered().map_err(|why| format!("row {line}: {why}"))?;
        pairs.push(pair);
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> CandidatePair {
        CandidatePair {
            from: "age.young -> fee.none".to_owned(),
            to: "age.old -> fee.some".to_owned(),
            output: "out".to_owned(),
            given: "of fee: when age < 60: given age' = age + 1 expect".to_owned(),
            proposed: "out' > out".to_owned(),
            note: "a \"note\", with; separators\nand lines".to_owned(),
            ..CandidatePair::default()
        }
    }

    #[test]
    fn a_table_reads_back_whatever_separates_its_columns() {
        let pairs = [pair(), CandidatePair { answer: "none".to_owned(), ..pair() }];
        let mut table = Vec::new();
        write_pairs(&pairs, &mut table).expect("written");
        let text = String::from_utf8(table).expect("text");
        assert_eq!(read_pairs(&text).as_deref(), Ok(&pairs[..]));
        let mut semicolons = csv::WriterBuilder::new().delimiter(b';').from_writer(Vec::new());
        pairs.iter().for_each(|pair| semicolons.serialize(pair).expect("written"));
        let semicolons = String::from_utf8(semicolons.into_inner().expect("whole")).expect("text");
        assert_eq!(read_pairs(&format!("\u{feff}{semicolons}")).as_deref(), Ok(&pairs[..]));
        let few = "answer,from,to,output,given\nlater,a,b,out,of f: given x' = 1 expect\n";
        assert_eq!(read_pairs(few).expect("read")[0].answered(), Ok(Some(PairAnswer::Later)));
    }

    #[test]
    fn an_answer_that_says_nothing_is_told_with_its_row() {
        let said = |answer: &str, relation: &str, proposed: &str| {
            let own = |text: &str| text.to_owned();
            CandidatePair { answer: own(answer), relation: own(relation), proposed: own(proposed), ..pair() }
                .answered()
        };
        assert_eq!(said("", "", "out' > out"), Ok(None));
        assert_eq!(said("", "out' == out", ""), Ok(Some(PairAnswer::Own)), "a relation is an answer");
        assert_eq!(said(" Accept", "", "out' > out"), Ok(Some(PairAnswer::Accept)));
        assert!(said("accept", "", "").is_err() && said("own", " ", "out' > out").is_err());
        assert!(said("yes", "", "").is_err());
        let mut table = Vec::new();
        write_pairs(&[pair(), CandidatePair { answer: "yes".to_owned(), ..pair() }], &mut table)
            .expect("written");
        let error = read_pairs(&String::from_utf8(table).expect("text")).expect_err("no answer");
        assert!(error.starts_with("row 3: `yes` is no answer"), "{error}");
        assert!(read_pairs("answer,from\naccept,a\n").is_err(), "columns are missing");
    }

    /// The table of a review is written over; a file of something else must not be, even if it has a line only.
    #[test]
    fn a_file_of_something_else_is_no_table() {
        for other in ["x,y\n", "some notes\n", "answer,from,to,output\n"] {
            let error = read_pairs(other).expect_err("it has other columns");
            assert!(error.starts_with("it is no table of candidate pairs"), "{error}");
        }
        assert_eq!(read_pairs("").as_deref(), Ok(&[][..]));
        assert_eq!(read_pairs("answer,from,to,output,given\n").as_deref(), Ok(&[][..]));
    }

    #[test]
    fn the_testers_own_relation_comes_before_the_proposal() {
        let mut pair = pair();
        let text = "relation r of fee: when age < 60: given age' = age + 1 expect out' > out";
        assert_eq!(pair.text("r").as_deref(), Some(text));
        pair.relation = "out' == 5".to_owned();
        assert!(pair.text("r").is_some_and(|text| text.ends_with("expect out' == 5")));
        pair.relation.clear();
        pair.proposed.clear();
        assert_eq!(pair.text("r"), None);
    }
}
