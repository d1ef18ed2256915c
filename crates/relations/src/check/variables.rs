//! Which parameters the variables of a relation are bound to.

use dodona_target::Signature;

use super::callee::{Callee, resolve};
use super::constants::CONSTANTS;
use crate::Diagnostic;
use crate::ast::{Binding, Expression, Name, Node, Relation};
use crate::diagnostic::{Quoted, nearest};
use crate::foreign;

/// A variable of a relation; the values of all variables make up the source input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The variable's name.
    pub name: String,
    /// The function with the parameter from which the variable takes its type, domain and sampling, as an index into
    /// the functions that the relation was checked with.
    pub function: usize,
    /// The index of that parameter.
    pub parameter: usize,
}

/// The variables of a relation.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// In the order in which they are first used.
    pub list: Vec<Variable>,
    /// For each variable every parameter that it is bound to, as (function, parameter).
    bound: Vec<Vec<(usize, usize)>>,
}

impl Variables {
    /// The index of the variable of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.list.iter().position(|v| v.name == name)
    }

    /// For each variable the parameters that take it: the one that gives its type, then each parameter that some call passes
    /// it for, as (function, parameter) without repetition. A group is eligible only if the value lies in the domains of all.
    pub fn takers(&self, expressions: &[&Expression], functions: &[Signature]) -> Vec<Vec<(usize, usize)>> {
        let mut takers: Vec<_> = self.list.iter().map(|v| vec![(v.function, v.parameter)]).collect();
        expressions.iter().for_each(|e| self.passed(e, functions, &mut takers));
        takers
    }

    fn passed(&self, e: &Expression, functions: &[Signature], takers: &mut [Vec<(usize, usize)>]) {
        if let Node::Call { function, arguments } = &e.node
            && let Some(Callee::Function(f)) = resolve(&function.text, arguments.len(), functions)
        {
            for (parameter, argument) in arguments.iter().enumerate() {
                if let Node::Name(name) = &argument.node
                    && let Some(v) = self.find(name)
                    && !takers[v].contains(&(f, parameter))
                {
                    takers[v].push((f, parameter));
                }
            }
        }
        e.children().into_iter().for_each(|child| self.passed(child, functions, takers));
    }

    /// Whether the variable of this name is bound to this parameter.
    pub fn is_bound(&self, name: &str, function: usize, parameter: usize) -> bool {
        self.find(name).is_some_and(|v| self.bound[v].contains(&(function, parameter)))
    }

    /// Finds the variables in a relation's expressions. Names that are not variables are left to the type checker,
    /// which reports what is wrong with them.
    ///
    /// # Errors
    /// Header entries that name an unknown parameter, bind a variable twice, or are not used.
    pub fn collect(
        relation: &Relation,
        expressions: &[&Expression],
        functions: &[Signature],
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut variables = Variables::default();
        let mut used = Vec::new();
        expressions.iter().for_each(|e| names(e, &mut used));
        let constant = relation.constants.as_ref().map(|c| &c.name);
        used.retain(|name| constant.is_none_or(|c| c.text != name.text));
        let headers = headers(relation, &used, functions)?;
        let called = called(relation, expressions, functions);
        for name in used {
            if variables.find(&name.text).is_some() {
                continue;
            }
            let bound = match headers.iter().find(|(variable, _)| *variable == name.text) {
                Some((_, place)) => vec![*place],
                None => called
                    .iter()
                    .filter_map(|&f| functions[f].parameter(&name.text).map(|(parameter, _)| (f, parameter)))
                    .collect(),
            };
            if let Some(&(function, parameter)) = bound.first() {
                variables.list.push(Variable { name: name.text, function, parameter });
                variables.bound.push(bound);
            }
        }
        Ok(variables)
    }
}

/// Variables of the header, each with its (function, parameter).
type Headers = Vec<(String, (usize, usize))>;

/// The header entries with their functions and parameters looked up.
fn headers(relation: &Relation, used: &[Name], functions: &[Signature]) -> Result<Headers, Vec<Diagnostic>> {
    let (mut resolved, mut problems) = (Headers::new(), Vec::new());
    for binding in &relation.bindings {
        let variable = &binding.variable;
        let twice = resolved.iter().any(|(name, _)| *name == variable.text)
            || relation.constants.as_ref().is_some_and(|c| c.name.text == variable.text);
        if twice {
            problems.push(Diagnostic::new(variable.span, format!("`{}` is declared twice", variable.text)));
        } else if !used.iter().any(|name| name.text == variable.text) {
            problems.push(
                Diagnostic::new(variable.span, format!("`{}` is not used", variable.text))
                    .hint("remove it from the header"),
            );
        }
        match place(binding, functions) {
            Ok(place) => resolved.push((variable.text.clone(), place)),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(resolved) } else { Err(problems) }
}

fn place(binding: &Binding, functions: &[Signature]) -> Result<(usize, usize), Diagnostic> {
    let function = function(&binding.function, functions)?;
    let parameters: Vec<&str> = functions[function].parameters.iter().map(|p| p.name.as_str()).collect();
    let name = &binding.parameter;
    match parameters.iter().position(|p| *p == name.text) {
        Some(parameter) => Ok((function, parameter)),
        None => Err(Diagnostic::new(
            name.span,
            format!("`{}` has no parameter `{}`", binding.function.text, name.text),
        )
        .hint(format!("its parameters are {}", Quoted(&parameters)))
        .maybe_hint(nearest(&name.text, parameters))),
    }
}

/// The index of the function under test with this name.
///
/// # Errors
/// When no function has this name.
pub(crate) fn function(name: &Name, functions: &[Signature]) -> Result<usize, Diagnostic> {
    functions.iter().position(|f| f.name == name.text).ok_or_else(|| {
        let known: Vec<&str> = functions.iter().map(|f| f.name.as_str()).collect();
        let near = nearest(&name.text, known.iter().copied());
        Diagnostic::new(name.span, format!("no function under test is called `{}`", name.text))
            .hint(format!("the manifest declares {}", Quoted(&known)))
            .maybe_hint(near)
    })
}

/// The functions whose parameters variables may be: the one after `of`, then those that the relation calls, in order.
fn called(relation: &Relation, expressions: &[&Expression], functions: &[Signature]) -> Vec<usize> {
    fn visit(e: &Expression, functions: &[Signature], found: &mut Vec<usize>) {
        if let Node::Call { function, arguments } = &e.node
            && let Some(Callee::Function(f)) = resolve(&function.text, arguments.len(), functions)
            && !found.contains(&f)
        {
            found.push(f);
        }
        e.children().into_iter().for_each(|child| visit(child, functions, found));
    }
    let mut found = Vec::new();
    expressions.iter().for_each(|e| visit(e, functions, &mut found));
    if let Some(first) = &relation.function
        && let Some(first) = functions.iter().position(|f| f.name == first.text)
    {
        // Also where the relation does not call it: who names a function means its parameters.
        found.retain(|f| *f != first);
        found.insert(0, first);
    }
    found
}

/// Collects every name that an expression mentions, in order, with its position.
pub fn names(e: &Expression, found: &mut Vec<Name>) {
    if let Node::Name(text) = &e.node {
        found.push(Name { text: text.clone(), span: e.span });
    }
    e.children().into_iter().for_each(|child| names(child, found));
}

/// The parameters of the function under test, where there is one only: ` (`f` has `x`, `y`)`.
fn only_parameters(functions: &[Signature]) -> String {
    match functions {
        [f] if !f.parameters.is_empty() => {
            let parameters: Vec<&str> = f.parameters.iter().map(|p| p.name.as_str()).collect();
            format!(" (`{}` has {})", f.name, Quoted(&parameters))
        }
        _ => String::new(),
    }
}

/// The problem report for an unknown name.
pub(super) fn unknown(
    name: &str,
    span: crate::ast::Span,
    known: &[&str],
    functions: &[Signature],
) -> Diagnostic {
    let problem = Diagnostic::new(span, format!("unknown name `{name}`"));
    if let Some(f) = functions.iter().find(|f| f.name == name) {
        let parameters: Vec<&str> = f.parameters.iter().map(|p| p.name.as_str()).collect();
        return problem.hint(format!("to call it, write `{name}({})`", parameters.join(", ")));
    }
    if name == "out" {
        return problem.hint("`out` is the output in the notation `given p' = q expect out' == out`");
    }
    let owner = functions.iter().find(|f| f.parameter(name).is_some());
    let bind = match owner {
        Some(f) => format!("bind it in the header: `relation name({name}: {}.{name}): …`", f.name),
        None => format!(
            "a variable is named like a parameter of a called function{}, or bound in the header: `relation name(x: function.parameter): …`",
            only_parameters(functions)
        ),
    };
    let near = nearest(name, known.iter().copied().chain(CONSTANTS));
    problem.hint(bind).maybe_hint(near).maybe_hint(foreign::constant(name))
}
