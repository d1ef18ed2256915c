//! JUnit XML, for continuous integration: a suite a subject, a case a relation.

use dodona_evidence::{CheckRecord, RelationRecord, RelationVerdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::{CounterexampleView, Styles};

/// One JUnit document. A violated relation is a failure; one that was never tested is an error.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn junit(records: &[CheckRecord]) -> String {
    let mut report = Report::new("dodona");
    for record in records {
        let mut suite = TestSuite::new(record.subject.clone());
        suite.add_test_cases(not_checked(record));
        suite.add_test_cases(record.relations.iter().map(|r| case(record, r)));
        report.add_test_suite(suite);
    }
    report.to_string().expect("memory takes what is written")
}

/// A subject that could not be checked is a case with an error.
fn not_checked(record: &CheckRecord) -> Option<TestCase> {
    let why = record.failure.as_ref()?;
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message("the subject could not be checked");
    status.set_description(why.clone());
    let mut case = TestCase::new(record.subject.clone(), status);
    case.set_classname(record.subject.clone());
    Some(case)
}

fn case(record: &CheckRecord, relation: &RelationRecord) -> TestCase {
    let status = match relation.verdict() {
        RelationVerdict::Holds => TestCaseStatus::success(),
        RelationVerdict::Violated => failure(relation),
        RelationVerdict::NeverEligible => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message("no source input was eligible, so nothing was tested");
            status
        }
        RelationVerdict::OnlyAbsolute => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message("in every group only the absolute tolerance decides, so nothing was tested");
            status
        }
        RelationVerdict::NotRun => TestCaseStatus::skipped(),
    };
    let mut case = TestCase::new(relation.name.clone(), status);
    case.set_classname(record.subject.clone());
    case
}

fn failure(relation: &RelationRecord) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    if let Some(counterexample) = &relation.counterexample {
        status.set_message(counterexample.why.clone());
        status.set_description(
            CounterexampleView { relation, counterexample, styles: Styles::plain() }.to_string(),
        );
    }
    status
}
