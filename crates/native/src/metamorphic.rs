//! A metamorphic test in Rust.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dodona_records::{CheckRecord, RelationVerdict};
use dodona_report::{Report as _, Styles};
use dodona_target::{Diagnostic, Domain, Interruption, Sampling, fnv1a};
use dodona_workbench::{CheckOptions, LabError, Regressions, Seed, Workbench, check};

use crate::{NativeFunction, NativeTarget};

/// A metamorphic test: functions under test, the relations that are expected to hold, and how they are tried.
///
/// [`function!`](crate::function) begins one.
#[must_use = "nothing is tested before `check`"]
pub struct Metamorphic {
    functions: Vec<NativeFunction>,
    relations: Vec<String>,
    declared_in: PathBuf,
    options: CheckOptions,
}

impl Metamorphic {
    /// A test of a function. `package` is the folder of the package, `file` the source file as the compiler names it.
    #[doc(hidden)]
    pub fn of(function: NativeFunction, package: &str, file: &str) -> Metamorphic {
        // The compiler names files from the folder of the workspace, which holds that of the package.
        let folders = Path::new(package).ancestors();
        let found = folders.map(|folder| folder.join(file)).find(|path| path.is_file());
        Metamorphic {
            functions: vec![function],
            relations: Vec::new(),
            declared_in: found.unwrap_or_else(|| Path::new(package).join("Cargo.toml")),
            options: CheckOptions::default(),
        }
    }

    /// The same with the functions of another test, for relations over several.
    pub fn with(mut self, other: Metamorphic) -> Metamorphic {
        self.functions.extend(other.functions);
        self.relations.extend(other.relations);
        self
    }

    /// A relation that is expected to hold: what it says (`f(-x) == -f(x)`, or `when x > 0: …`), or all of it
    /// (`relation odd: f(-x) == -f(x)`). One without a name is named after what it says.
    pub fn holds(mut self, relation: &str) -> Metamorphic {
        let relation = relation.trim();
        let is_named = relation.starts_with("relation ");
        self.relations.push(match is_named {
            true => relation.to_owned(),
            false => format!("relation holds_{:06x}: {relation}", fnv1a(relation.as_bytes()) & 0xff_ffff),
        });
        self
    }

    /// The function that was declared last is meant to work only where this condition over its parameters is true.
    pub fn requires(mut self, condition: &str) -> Metamorphic {
        self.last().signature.requires = Some(condition.to_owned());
        self
    }

    /// The lengths of a slice, a vector or a text that the function that was declared last is meant to take.
    ///
    /// # Panics
    /// When the function has no such parameter.
    #[track_caller]
    pub fn length(self, parameter: &str, length: RangeInclusive<u64>) -> Metamorphic {
        self.domain(parameter, |domain| domain.length = Some(length.into_inner()))
    }

    /// What else the values of a parameter of the function that was declared last must satisfy, as a manifest's `domain` says it.
    ///
    /// ```
    /// use dodona_target::Predicate;
    ///
    /// fn has(xs: &[i32], x: i32) -> bool {
    ///     xs.binary_search(&x).is_ok()
    /// }
    ///
    /// dodona_native::function!(has(xs: &[i32], x: i32) -> bool)
    ///     .domain("xs", |domain| domain.predicates.push(Predicate::Sorted))
    ///     .holds("has(xs, x) == (count(xs, x) > 0)")
    ///     .check();
    /// ```
    ///
    /// # Panics
    /// When the function has no such parameter.
    #[track_caller]
    pub fn domain(mut self, parameter: &str, say: impl FnOnce(&mut Domain)) -> Metamorphic {
        say(&mut self.last().parameter(parameter).domain);
        self
    }

    /// How source inputs of a parameter of the function that was declared last are drawn, as a manifest's `sample` says it.
    ///
    /// # Panics
    /// When the function has no such parameter.
    #[track_caller]
    pub fn sampling(mut self, parameter: &str, say: impl FnOnce(&mut Sampling)) -> Metamorphic {
        say(&mut self.last().parameter(parameter).sampling);
        self
    }

    fn last(&mut self) -> &mut NativeFunction {
        self.functions.last_mut().expect("a test begins with a function")
    }

    /// So many random source inputs for each relation, 1,000 if nothing is said.
    pub fn sources(mut self, sources: u64) -> Metamorphic {
        self.options.sources = sources;
        self
    }

    /// The seed of the random source inputs, 0 if nothing is said: the same inputs in each run.
    pub fn seed(mut self, seed: u64) -> Metamorphic {
        self.options.seed = Seed(seed);
        self
    }

    /// Violations are kept in `dodona-regressions/` beside this file, and not beside the test.
    pub fn kept_beside(mut self, file: impl Into<PathBuf>) -> Metamorphic {
        self.declared_in = file.into();
        self
    }

    /// Violations are neither kept beside the test nor tried again.
    pub fn keep_nothing(mut self) -> Metamorphic {
        self.options.regressions = Regressions::Ignore;
        self
    }

    /// Tests the relations.
    ///
    /// # Panics
    /// When a relation is violated or was not tested, with the report; when one is not valid, or inputs cannot be drawn.
    #[track_caller]
    pub fn check(self) {
        assert!(
            !self.relations.is_empty(),
            "nothing is tested: say a relation with `.holds(\"f(-x) == f(x)\")`"
        );
        let record = match self.run() {
            Ok(record) => record,
            Err(LabError::Relations { text, problems, .. }) => {
                let problems: Vec<String> = problems.iter().map(|problem| pointed(problem, &text)).collect();
                panic!("{}", problems.join("\n"))
            }
            Err(error) => panic!("{error}"),
        };
        let holds = record.relations.iter().all(|relation| relation.verdict() == RelationVerdict::Holds);
        if !holds || record.unread > 0 {
            panic!("relations do not hold\n{}", [record].whole(Styles::plain()));
        }
    }

    /// Tests the relations, and tells what was found.
    ///
    /// # Errors
    /// When a relation is not valid, inputs cannot be drawn, or kept violations cannot be read.
    ///
    /// # Panics
    /// As [`Metamorphic::workbench`].
    #[track_caller]
    pub fn run(self) -> Result<CheckRecord, LabError> {
        let options = self.options.clone();
        check(self.workbench()?, &options, &Interruption::default(), &mut |_| {})
    }

    /// The functions with their relations, for what else can be done with these: laws of the functions are looked for, say.
    ///
    /// # Errors
    /// When a relation or a precondition is not valid.
    ///
    /// # Panics
    /// When the domain of a parameter has no value of its type.
    #[track_caller]
    pub fn workbench(self) -> Result<Arc<Workbench>, LabError> {
        let functions: Vec<NativeFunction> =
            self.functions.into_iter().map(NativeFunction::narrowed).collect();
        let names: Vec<&str> = functions.iter().map(|f| f.signature.name.as_str()).collect();
        let target = NativeTarget::new(names.join(", "), self.declared_in, functions);
        let text: String = self.relations.iter().map(|relation| format!("{relation}\n")).collect();
        Workbench::open(target, &text)
    }
}

/// A problem with the line that it is in and a mark below its place.
fn pointed(problem: &Diagnostic, text: &str) -> String {
    let start = text.floor_char_boundary(problem.span.start);
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let shown = text[line..].lines().next().unwrap_or_default();
    let before = text[line..start].chars().count();
    let marked = text[start..text.floor_char_boundary(problem.span.end).max(start)].chars().count().max(1);
    let hint = problem.hint.as_ref().map(|hint| format!("\n  help: {hint}")).unwrap_or_default();
    format!(
        "{}\n  {shown}\n  {}{} {}{hint}",
        problem.message,
        " ".repeat(before),
        "^".repeat(marked),
        problem.label
    )
}
