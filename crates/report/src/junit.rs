//! JUnit XML, for continuous integration: a suite a subject, a case a relation.
//!
//! The elements and attributes are those that the schema of Jenkins' plugin xunit knows (`junit-10.xsd`), which other readers of the format take too.

use std::io;
use std::time::Duration;

use dodona_records::{CheckRecord, RelationRecord, RelationVerdict, StopReason};
use quick_xml::events::BytesText;

use crate::check_words::{counts, never_tested, not_checked, stopped, unread};
use crate::text::one_line;
use crate::xml::{self, Xml, valid};
use crate::{CounterexampleView, Styles};

/// One JUnit document. A violated relation is a failure. An error is a relation that was never tested or less than was asked for, an interruption, kept counterexamples that were
/// not judged, and a degree of adequacy that was not reached; what is no relation has a case of its own. Each case has its counts as output, and a suite has
/// the warnings. A character that XML cannot hold is written as the relation language does: `\u{fffe}`.
///
/// # Panics
/// Never: writing to memory does not fail.
pub(crate) fn junit(records: &[CheckRecord]) -> String {
    let suites: Vec<Suite<'_>> = records.iter().map(Suite::new).collect();
    xml::written(|xml| document(xml, &suites))
}

struct Suite<'a> {
    record: &'a CheckRecord,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    took: Duration,
    /// What is wrong; nothing where it passed.
    problem: Option<Problem>,
    output: String,
}

struct Problem {
    element: &'static str,
    kind: &'static str,
    message: String,
    text: String,
}

impl Problem {
    fn new(element: &'static str, kind: &'static str, message: impl Into<String>) -> Problem {
        Problem { element, kind, message: message.into(), text: String::new() }
    }
}

impl<'a> Suite<'a> {
    fn new(record: &'a CheckRecord) -> Suite<'a> {
        let of_relations = record.relations.iter().map(|relation| Case::of_relation(record, relation));
        let failed = not_checked(record).map(|why| {
            let mut case =
                Case::error("(subject)", "not-checked", "the subject could not be checked".to_owned());
            case.problem.iter_mut().for_each(|problem| problem.text.clone_from(why));
            case
        });
        let interrupted = stopped(record).map(|words| match record.failure {
            Some(_) => Case::error("(target)", "failed", words),
            None => Case::error("(interrupted)", "interrupted", words),
        });
        let unread = unread(record).map(|words| Case::error("(kept counterexamples)", "unread", words));
        let adequacy = record.adequacy.iter().map(|adequacy| {
            let words = format!("{} of {} are reached", adequacy.reached, adequacy.whole);
            let name = format!("(adequacy of {})", adequacy.function);
            match adequacy.is_reached() {
                false => Case::error(&name, "inadequate", words),
                true => Case { name, took: Duration::ZERO, problem: None, output: words },
            }
        });
        Suite {
            record,
            cases: of_relations.chain(failed).chain(interrupted).chain(unread).chain(adequacy).collect(),
        }
    }

    /// How many cases have a problem of this kind.
    fn count(&self, element: &str) -> usize {
        let problems = self.cases.iter().filter_map(|case| case.problem.as_ref());
        problems.filter(|problem| problem.element == element).count()
    }

    fn took(&self) -> Duration {
        self.cases.iter().map(|case| case.took).sum()
    }
}

impl Case {
    fn of_relation(record: &CheckRecord, relation: &RelationRecord) -> Case {
        let is_interrupted = matches!(record.stop, StopReason::Interrupted { .. });
        let problem = match relation.verdict() {
            RelationVerdict::Holds => {
                let few = record.too_few_eligible(relation);
                few.map(|words| Problem::new("error", "hardly-tested", words))
            }
            RelationVerdict::Violated => Some(failure(relation)),
            RelationVerdict::NeverEligible | RelationVerdict::OnlyAllowed => Some(Problem {
                text: relation.outside.clone().unwrap_or_default(),
                ..Problem::new("error", "never-tested", never_tested(relation))
            }),
            RelationVerdict::NotRun if is_interrupted => {
                Some(Problem::new("skipped", "interrupted", "not run, because the check was interrupted"))
            }
            RelationVerdict::NotRun => Some(Problem::new("error", "not-run", "no source input was run")),
        };
        let RelationRecord { name, text, file, line, elapsed, .. } = relation;
        let output = format!("{}\n{}  {file}:{line}", counts(relation), one_line(text));
        Case { name: name.clone(), took: elapsed.0, problem, output }
    }

    fn error(name: &str, kind: &'static str, message: String) -> Case {
        let problem = Some(Problem::new("error", kind, message));
        Case { name: name.to_owned(), took: Duration::ZERO, problem, output: String::new() }
    }
}

fn failure(relation: &RelationRecord) -> Problem {
    let Some(counterexample) = &relation.counterexample else {
        return Problem::new("failure", "violated", counts(relation));
    };
    let view = CounterexampleView { relation, counterexample, styles: Styles::plain() };
    Problem { text: view.to_string(), ..Problem::new("failure", "violated", counterexample.why.clone()) }
}

fn document(xml: &mut Xml, suites: &[Suite<'_>]) -> io::Result<()> {
    let sum = |element| suites.iter().map(|suite| suite.count(element)).sum::<usize>().to_string();
    let element = xml.create_element("testsuites").with_attributes([
        ("name", "dodona"),
        ("tests", &suites.iter().map(|suite| suite.cases.len()).sum::<usize>().to_string()),
        ("failures", &sum("failure")),
        ("errors", &sum("error")),
        ("time", &seconds(suites.iter().map(Suite::took).sum())),
    ]);
    element.write_inner_content(|xml| suites.iter().try_for_each(|suite| write_suite(xml, suite)))?;
    Ok(())
}

fn write_suite(xml: &mut Xml, suite: &Suite<'_>) -> io::Result<()> {
    let element = xml.create_element("testsuite").with_attributes([
        ("name", valid(&suite.record.subject).as_str()),
        ("tests", &suite.cases.len().to_string()),
        ("failures", &suite.count("failure").to_string()),
        ("errors", &suite.count("error").to_string()),
        ("skipped", &suite.count("skipped").to_string()),
        ("time", &seconds(suite.took())),
    ]);
    element.write_inner_content(|xml| {
        xml.create_element("properties").write_inner_content(|xml| {
            let properties =
                [("manifest", suite.record.manifest.clone()), ("seed", suite.record.seed.to_string())];
            properties.iter().try_for_each(|(name, value)| {
                let value = valid(value);
                let element = xml.create_element("property");
                element.with_attributes([("name", *name), ("value", &value)]).write_empty().map(drop)
            })
        })?;
        suite.cases.iter().try_for_each(|case| write_case(xml, &suite.record.subject, case))?;
        let warnings: Vec<String> = suite.record.warnings.iter().map(|w| format!("warning: {w}")).collect();
        write_text(xml, "system-err", &warnings.join("\n"))
    })?;
    Ok(())
}

fn write_case(xml: &mut Xml, class: &str, case: &Case) -> io::Result<()> {
    let (name, class, time) = (valid(&case.name), valid(class), seconds(case.took));
    let attributes = [("name", name.as_str()), ("classname", &class), ("time", &time)];
    let element = xml.create_element("testcase").with_attributes(attributes);
    element.write_inner_content(|xml| {
        if let Some(Problem { element, kind, message, text }) = &case.problem {
            let message = valid(&one_line(message));
            let element =
                xml.create_element(*element).with_attributes([("type", *kind), ("message", &message)]);
            element.write_text_content(BytesText::new(&valid(text)))?;
        }
        write_text(xml, "system-out", &case.output)
    })?;
    Ok(())
}

/// An element of text; none where there is no text.
fn write_text(xml: &mut Xml, element: &str, text: &str) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    xml.create_element(element).write_text_content(BytesText::new(&valid(text))).map(drop)
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}
