//! Reads a file of categories and choices.

use std::ops::Range;

use dodona_relations::ast::{Expression, Node};
use dodona_relations::{Precondition, parse_expression};
use dodona_target::{Diagnostic, Output, Type};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::identification::category::{Category, Choice};
use crate::identification::formula::{Formula, near};
use crate::identification::quoted::Written;
use crate::identification::specification::Specification;

/// The name by which conditions of output choices refer to the result of a call.
const RESULT: &str = "result";

/// The keys of the file.
const KEYS: [&str; 6] = ["function", "constraints", "scenarios", "input", "output", "order"];

/// The most choices of a category. It is far more than a person can tell apart, and few enough to compare all with each other.
const MOST_CHOICES: usize = 2_000;

/// The function that a file of frames is about, with its place in the text; `None` if the file does not say.
///
/// # Errors
/// When the text is not TOML, or the name is not a string.
pub fn function_of(text: &str) -> Result<Option<(String, Range<usize>)>, Vec<Diagnostic>> {
    let table = table(text)?;
    match table.get_ref().get("function") {
        None => Ok(None),
        Some(value) => match value.get_ref().as_str() {
            Some(name) => Ok(Some((name.to_owned(), value.span()))),
            None => Err(vec![Diagnostic::new(value.span(), "expected the name of a function")]),
        },
    }
}

impl Specification {
    /// Reads a file of categories and choices. Choices of inputs are conditions over these parameters, choices of outputs over
    /// `result`, `result.stdout` and so on.
    ///
    /// # Errors
    /// Everything that is wrong with it, with its place in the text.
    pub fn read(
        text: &str,
        parameters: &[(String, Type)],
        outputs: &[Output],
    ) -> Result<Specification, Vec<Diagnostic>> {
        let table = table(text)?;
        let mut reader = Reader { text, table: table.get_ref(), problems: Vec::new() };
        reader.keys();
        let results: Vec<(String, Type)> = outputs.iter().map(|o| (output_name(o), o.ty)).collect();
        let mut specification = Specification {
            inputs: reader.categories(&Scope { key: "input", names: parameters.to_vec() }),
            outputs: reader.categories(&Scope { key: "output", names: results }),
            results: outputs.to_vec(),
            ..Specification::default()
        };
        if specification.inputs.is_empty() && reader.problems.is_empty() {
            reader.problems.push(
                Diagnostic::new(0..text.len().min(1), "there is no category of inputs")
                    .hint("write [input.NAME] with a condition for each choice"),
            );
        }
        reader.orders(&mut specification.outputs);
        for (expression, written) in reader.formulas("constraints") {
            if let Some(formula) = reader.kept(Formula::of(&expression, &specification.inputs), &written) {
                let words: Vec<&str> = written.text.split_whitespace().collect();
                specification.constraints.push((formula, words.join(" ")));
            }
        }
        for (expression, written) in reader.formulas("scenarios") {
            let scenario = scenario(&expression, &specification);
            if let Some(scenario) = reader.kept(scenario, &written) {
                specification.scenarios.push(scenario);
            }
        }
        match reader.problems.is_empty() {
            true => Ok(specification),
            false => {
                reader.problems.sort_by_key(|problem| problem.span.start);
                Err(reader.problems)
            }
        }
    }
}

/// The name of an output in conditions: `result`, `result.stdout`.
fn output_name(output: &Output) -> String {
    match output.name.selector() {
        None => RESULT.to_owned(),
        Some(selector) => format!("{RESULT}.{selector}"),
    }
}

fn table(text: &str) -> Result<Spanned<DeTable<'_>>, Vec<Diagnostic>> {
    DeTable::parse(text).map_err(|error| {
        let message = error.message().lines().next().unwrap_or("not TOML").to_owned();
        vec![Diagnostic::new(error.span().unwrap_or(0..0), message)]
    })
}

/// `inputs implies outputs`.
fn scenario(
    expression: &Expression,
    specification: &Specification,
) -> Result<(Formula, Formula), Diagnostic> {
    use dodona_relations::ast::BinaryOperator::Implies;
    match &expression.node {
        Node::Binary(Implies, when, then) => {
            Ok((Formula::of(when, &specification.inputs)?, Formula::of(then, &specification.outputs)?))
        }
        _ => Err(Diagnostic::new(expression.span, "a scenario says what follows from choices of inputs")
            .hint("write `category.choice implies output.choice`")),
    }
}

/// The names that the conditions of a category may use.
struct Scope {
    key: &'static str,
    names: Vec<(String, Type)>,
}

impl Scope {
    /// A choice in place of one with a wrong condition, so that formulas that name it are not reported as wrong too.
    fn any(&self, name: &str) -> Option<Choice> {
        let condition = Expression::new(Node::Bool(true));
        let predicate = Precondition::over(&self.names, &condition).ok()?;
        Some(Choice { name: name.to_owned(), condition, predicate })
    }

    /// Adds the known names to the report of an unknown name. The usual hints are about relation files.
    fn told(&self, problem: Diagnostic) -> Diagnostic {
        let is_near = problem.hint.as_ref().is_some_and(|hint| hint.starts_with("did you mean"));
        let is_name =
            ["unknown name", "unknown function"].iter().any(|start| problem.message.starts_with(start))
                || problem.message.contains("primed notation");
        if is_near || !is_name {
            return problem;
        }
        let names: Vec<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
        let names = if names.is_empty() { "nothing, for there is none".to_owned() } else { names.join(", ") };
        let whose = if self.key == "input" { "parameters" } else { "output" };
        problem.hint(format!("conditions of [{}] speak of the {whose}: {names}", self.key))
    }
}

/// Reads the file key by key, and continues after each problem.
struct Reader<'t> {
    text: &'t str,
    table: &'t DeTable<'t>,
    problems: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    fn keys(&mut self) {
        for key in self.table.keys().filter(|key| !KEYS.contains(&&**key.get_ref())) {
            let name: &str = key.get_ref();
            let message = format!("unknown key `{name}`");
            self.problems.push(Diagnostic::new(key.span(), message).hint(near(name, KEYS.into_iter())));
        }
    }

    fn wrong(&mut self, value: &Spanned<DeValue<'_>>, wanted: &str) {
        let found = value.get_ref().type_str();
        self.problems.push(Diagnostic::new(value.span(), format!("expected {wanted}, found {found}")));
    }

    /// The entries of a table in the order in which they are written.
    fn entries(
        &mut self,
        value: &'t Spanned<DeValue<'t>>,
    ) -> Vec<(&'t str, Range<usize>, &'t Spanned<DeValue<'t>>)> {
        let DeValue::Table(table) = value.get_ref() else {
            self.wrong(value, "a table");
            return Vec::new();
        };
        let mut entries: Vec<_> =
            table.iter().map(|(key, value)| (&**key.get_ref(), key.span(), value)).collect();
        entries.sort_by_key(|(_, span, _)| span.start);
        entries
    }

    fn categories(&mut self, scope: &Scope) -> Vec<Category> {
        let Some(value) = self.table.get(scope.key) else { return Vec::new() };
        let mut categories = Vec::new();
        for (name, span, choices) in self.entries(value) {
            let mut category = Category { name: name.to_owned(), choices: Vec::new(), order: None };
            let choices = self.entries(choices);
            if choices.len() > MOST_CHOICES {
                let message =
                    format!("`{name}` has {} choices, and {MOST_CHOICES} are the most", choices.len());
                self.problems
                    .push(Diagnostic::new(span, message).hint("what is treated alike is one choice"));
                continue;
            }
            for (choice, place, condition) in choices {
                self.named(choice, place);
                category.choices.extend(self.choice(choice, condition, scope).or_else(|| scope.any(choice)));
            }
            self.named(name, span.clone());
            if category.choices.is_empty() && self.problems.is_empty() {
                self.problems.push(Diagnostic::new(span, format!("`{name}` has no choice")));
            }
            categories.push(category);
        }
        categories
    }

    /// The name has to be one that formulas can contain.
    fn named(&mut self, name: &str, span: Range<usize>) {
        let atom = parse_expression(name).map(|e| e.node);
        if !matches!(atom, Ok(Node::Name(ref read)) if read == name) {
            let message = format!("`{name}` is no name of the relation language");
            let hint =
                "names have letters, digits and _, begin with a letter, and are no word of the language";
            self.problems.push(Diagnostic::new(span, message).hint(hint));
        }
    }

    fn choice(&mut self, name: &str, value: &'t Spanned<DeValue<'t>>, scope: &Scope) -> Option<Choice> {
        let (condition, written) = self.expression(value, "a condition in quotes")?;
        let flat = condition.rewrite(&mut |e| match &e.node {
            Node::Select(of, selector) if of.node == Node::Name(RESULT.to_owned()) => {
                Some(Expression { node: Node::Name(format!("{RESULT}.{}", selector.text)), span: e.span })
            }
            _ => None,
        });
        match Precondition::over(&scope.names, &flat) {
            Ok(predicate) => Some(Choice { name: name.to_owned(), condition, predicate }),
            Err(problems) => {
                self.inside(problems.into_iter().map(|problem| scope.told(problem)).collect(), &written);
                None
            }
        }
    }

    /// The expression that a string holds, with its text and place.
    fn expression(&mut self, value: &Spanned<DeValue<'_>>, wanted: &str) -> Option<(Expression, Written)> {
        let Some(text) = value.get_ref().as_str() else {
            self.wrong(value, wanted);
            return None;
        };
        let written = Written::new(self.text, text, value.span());
        match parse_expression(text) {
            Ok(expression) => Some((expression, written)),
            Err(problems) => {
                self.inside(problems, &written);
                None
            }
        }
    }

    /// Problems of an expression, at their places in the file.
    fn inside(&mut self, problems: Vec<Diagnostic>, written: &Written) {
        for problem in problems {
            self.problems.push(Diagnostic { span: written.at(&problem.span), ..problem });
        }
    }

    fn formulas(&mut self, key: &'static str) -> Vec<(Expression, Written)> {
        let Some(value) = self.table.get(key) else { return Vec::new() };
        let DeValue::Array(items) = value.get_ref() else {
            self.wrong(value, "a list of formulas in quotes");
            return Vec::new();
        };
        items.iter().filter_map(|item| self.expression(item, "a formula in quotes")).collect()
    }

    fn kept<T>(&mut self, read: Result<T, Diagnostic>, written: &Written) -> Option<T> {
        read.map_err(|problem| self.inside(vec![problem], written)).ok()
    }

    /// `[order]`: the choices of output categories from the least to the greatest.
    fn orders(&mut self, outputs: &mut [Category]) {
        let Some(value) = self.table.get("order") else { return };
        for (name, span, list) in self.entries(value) {
            let Some(category) = outputs.iter_mut().find(|category| category.name == name) else {
                let names: Vec<&str> = outputs.iter().map(|category| category.name.as_str()).collect();
                let message = format!("there is no output category `{name}`");
                self.problems.push(Diagnostic::new(span, message).hint(near(name, names.into_iter())));
                continue;
            };
            category.order = self.order(list, category);
        }
    }

    fn order(&mut self, list: &Spanned<DeValue<'_>>, category: &Category) -> Option<Vec<usize>> {
        let DeValue::Array(items) = list.get_ref() else {
            self.wrong(list, "a list of choices");
            return None;
        };
        let names = category.choices.iter().map(|choice| choice.name.as_str());
        let mut order = Vec::new();
        for item in items {
            let Some(written) = item.get_ref().as_str() else {
                self.wrong(item, "the name of a choice in quotes");
                continue;
            };
            match names.clone().position(|name| name == written) {
                Some(place) if !order.contains(&place) => order.push(place),
                Some(_) => {
                    self.problems.push(Diagnostic::new(item.span(), "a choice is named twice in an order"));
                }
                None => {
                    let message = format!("`{}` has no choice `{written}`", category.name);
                    self.problems
                        .push(Diagnostic::new(item.span(), message).hint(near(written, names.clone())));
                }
            }
        }
        Some(order)
    }
}
