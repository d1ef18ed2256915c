//! Kinds of texts and sequences. Hexadecimal digits and base64 are both text, but of different kinds: a function that takes one
//! fails for most values of the other.
//!
//! Without kinds, most terms of a codec would decode one coding as another: such terms seldom have a value, and equations of them hold by
//! chance.

use dodona_relations::plan::Ty;

use super::equation_tuning::ACCEPTED;
use super::laboratory::Laboratory;
use super::values::Values;
use super::vocabulary::Vocabulary;
use crate::discovery::is_sequence;

/// A number for each kind of text or sequence. Only values of one kind are put together, and a parameter is only given values
/// of its kind. Values of other types, and empty texts and sequences, have no kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    /// The kind of each parameter of each function.
    parameters: Vec<Vec<Option<usize>>>,
    /// The kind of each output of each function.
    outputs: Vec<Vec<Option<usize>>>,
}

impl Kinds {
    /// Calls each function with variables, and all functions with its results, to see which of them they accept.
    ///
    /// # Errors
    /// When the functions cannot be run.
    pub(super) fn probe<L: Laboratory>(
        vocabulary: &Vocabulary,
        variables: &[&Values],
        laboratory: &mut L,
    ) -> Result<Kinds, L::Error> {
        let mut kinds = Kinds::apart(vocabulary);
        let mut probe = Probe { vocabulary, variables, laboratory };
        for (f, function) in vocabulary.functions.iter().enumerate() {
            let Some(arguments) = probe.plain(f) else { continue };
            let results = probe.laboratory.call(f, &arguments)?;
            for (output, values) in results.iter().enumerate() {
                let Some(kind) = kinds.outputs[f][output] else { continue };
                for (g, other) in vocabulary.functions.iter().enumerate() {
                    for (p, (_, ty)) in other.parameters.iter().enumerate() {
                        let is_typed = *ty == function.outputs[output].ty;
                        if is_typed && probe.accepted(g, p, values)?.is_some_and(|share| share >= ACCEPTED) {
                            kinds.join(kind, kinds.parameters[g][p]);
                        }
                    }
                }
            }
        }
        kinds.join_variables(&mut probe)?;
        Ok(kinds)
    }

    /// Different kinds: one for the parameters of each variable, and one for each output.
    fn apart(vocabulary: &Vocabulary) -> Kinds {
        let mut count = 0;
        let mut next = |ty: Ty| {
            is_sequence(ty).then(|| {
                count += 1;
                count
            })
        };
        let functions = &vocabulary.functions;
        let mut parameters: Vec<Vec<Option<usize>>> =
            functions.iter().map(|f| f.parameters.iter().map(|(_, ty)| next(*ty)).collect()).collect();
        let outputs = functions.iter().map(|f| f.outputs.iter().map(|o| next(o.ty)).collect()).collect();
        for variable in &vocabulary.variables {
            let (first, index) = variable.parameters[0];
            let kind = parameters[first][index];
            variable.parameters.iter().for_each(|&(f, p)| parameters[f][p] = kind);
        }
        Kinds { parameters, outputs }
    }

    /// Joins the kinds of two variables if the parameters of each accept the values of the other as often as their own.
    fn join_variables<L: Laboratory>(&mut self, probe: &mut Probe<'_, L>) -> Result<(), L::Error> {
        let variables = &probe.vocabulary.variables;
        for (a, one) in variables.iter().enumerate() {
            for (b, other) in variables.iter().enumerate().skip(a + 1) {
                let is_apart =
                    one.ty == other.ty && is_sequence(one.ty) && one.parameters != other.parameters;
                if is_apart && probe.takes(a, b)? && probe.takes(b, a)? {
                    let ((f, p), (g, q)) = (one.parameters[0], other.parameters[0]);
                    if let Some(kind) = self.parameters[f][p] {
                        self.join(kind, self.parameters[g][q]);
                    }
                }
            }
        }
        Ok(())
    }

    fn join(&mut self, kind: usize, other: Option<usize>) {
        let all = self.parameters.iter_mut().chain(&mut self.outputs).flatten();
        all.filter(|of| other.is_some() && **of == other).for_each(|of| *of = Some(kind));
    }

    pub(super) fn parameter(&self, function: usize, parameter: usize) -> Option<usize> {
        self.parameters[function][parameter]
    }

    pub(super) fn output(&self, function: usize, output: usize) -> Option<usize> {
        self.outputs[function][output]
    }
}

struct Probe<'a, L> {
    vocabulary: &'a Vocabulary,
    variables: &'a [&'a Values],
    laboratory: &'a mut L,
}

impl<'a, L: Laboratory> Probe<'a, L> {
    /// The values of a variable for each parameter of a function, of different variables as far as there are enough.
    fn plain(&self, function: usize) -> Option<Vec<&'a Values>> {
        let mut taken: Vec<usize> = Vec::new();
        for parameter in 0..self.vocabulary.functions[function].parameters.len() {
            let fits = |v: &usize| self.vocabulary.variables[*v].parameters.contains(&(function, parameter));
            let mut fitting = (0..self.variables.len()).filter(fits);
            let first = fitting.clone().find(|v| !taken.contains(v)).or_else(|| fitting.next())?;
            taken.push(first);
        }
        Some(taken.into_iter().map(|v| self.variables[v]).collect())
    }

    /// The share of some values with which a function returns, if they are passed to one of its parameters, and variables to
    /// the others.
    fn accepted(
        &mut self,
        function: usize,
        parameter: usize,
        values: &Values,
    ) -> Result<Option<f64>, L::Error> {
        let Some(mut arguments) = self.plain(function) else { return Ok(None) };
        arguments[parameter] = values;
        let results = self.laboratory.call(function, &arguments)?;
        let Some(result) = results.first() else { return Ok(None) };
        let given = values.defined_rows();
        Ok((given > 0).then(|| result.defined_rows() as f64 / given as f64))
    }

    /// Whether the parameters of one variable accept the values of another nearly as often as its own.
    fn takes(&mut self, own: usize, other: usize) -> Result<bool, L::Error> {
        for &(function, parameter) in &self.vocabulary.variables[own].parameters {
            let [own, other] = [own, other].map(|v| self.variables[v]);
            let (as_usual, now) =
                (self.accepted(function, parameter, own)?, self.accepted(function, parameter, other)?);
            let is_taken = as_usual.zip(now).is_some_and(|(as_usual, now)| now >= ACCEPTED * as_usual);
            if !is_taken {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
