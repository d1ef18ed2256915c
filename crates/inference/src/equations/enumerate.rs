//! The enumeration of terms. Of several terms with the same column of values, one is kept.

use dodona_relations::plan::Ty;
use dodona_target::Column;
use rustc_hash::FxHashMap;

use super::equation::Equation;
use super::equation_term::{TermId, Terms};
use super::head::{Applied, Head};
use super::kinds::Kinds;
use super::laboratory::Laboratory;
use super::lengths;
use super::rules::Rules;
use super::values::Values;
use super::vocabulary::Vocabulary;
use crate::discovery::{EmptyKind, Operator};

/// How many terms are enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The greatest size of a term.
    pub size: u32,
    /// The greatest size of a term without a call. Such terms occur as the other sides of equations and as arguments.
    pub without_call: u32,
    /// The greatest size of an argument of a call.
    pub argument: u32,
    /// The most calls in a term.
    pub calls: u32,
    /// The most terms that are evaluated.
    pub terms: usize,
}

impl Default for Limits {
    /// The sizes of textbook laws: `f(concat(a, b)) == concat(f(a), f(b))` has terms of sizes 4 and 5,
    /// `f(a, f(b, c)) == f(f(a, b), c)` has two terms of size 5. With size 6 the searches of an edit distance and a codec
    /// (`tests/equations.rs`) take three to four times as long, and none of the additional equations has a form of textbooks.
    fn default() -> Limits {
        Limits { size: 5, without_call: 5, argument: 4, calls: 3, terms: 40_000 }
    }
}

/// The terms that were found, by size, and the equations between them.
pub struct Enumeration<'v> {
    pub(super) vocabulary: &'v Vocabulary,
    pub(super) limits: Limits,
    pub(super) rows: usize,
    pub(super) terms: Terms,
    /// The values of the terms from which larger ones are built.
    pub(super) values: FxHashMap<TermId, Values>,
    /// The terms from which larger ones are built, by size.
    pub(super) layers: Vec<Vec<TermId>>,
    pub(super) by_key: FxHashMap<(Ty, u64), Vec<TermId>>,
    pub(super) kinds: Kinds,
    /// The kind of each text or sequence among these terms, if it has one.
    pub(super) kind_of: FxHashMap<TermId, usize>,
    /// For each variable values of its type that no domain restricts.
    pub(super) unrestricted: Vec<Values>,
    /// The rules that follow from the meaning of the language alone.
    pub(super) of_language: Rules,
    pub(super) rules: Rules,
    pub(super) equations: Vec<Equation>,
    /// Equations that hold under a condition. Beside each stand all conditions that are true wherever its own is.
    pub(super) conditional: Vec<(Equation, Vec<TermId>)>,
    /// The bounds: comparisons that are true.
    pub(super) bounds: Vec<Equation>,
    pub(super) evaluated: usize,
    /// The greatest size for which all terms were enumerated.
    complete: u32,
    pub(super) candidates: u64,
    pub(super) is_stopped: bool,
}

impl<'v> Enumeration<'v> {
    /// An enumeration that has nothing but variables and constants.
    ///
    /// `columns` are values of the variables, drawn like values of their parameters. `unrestricted` are values of the same
    /// types that no domain restricts: with them one sees whether an equation is true of the language or only of a domain.
    ///
    /// # Panics
    /// When there are not as many columns as variables, or they differ in length.
    pub fn new(
        vocabulary: &'v Vocabulary,
        columns: &[Column],
        unrestricted: &[Column],
        limits: Limits,
    ) -> Enumeration<'v> {
        assert_eq!((columns.len(), unrestricted.len()), (vocabulary.variables.len(), columns.len()));
        let mut types: Vec<Ty> = vocabulary.variables.iter().map(|variable| variable.ty).collect();
        types.extend(vocabulary.functions.iter().flat_map(|f| &f.outputs).map(|output| output.ty));
        types.push(Ty::Int);
        types.sort_unstable();
        types.dedup();
        let rules = Rules::new(&vocabulary.words, &types);
        let all = |column: &Column| Values::new(column.clone(), &vec![true; column.len()]);
        let mut new = Enumeration {
            vocabulary,
            limits,
            rows: columns.first().map_or(0, Column::len),
            terms: Terms::default(),
            values: FxHashMap::default(),
            layers: vec![Vec::new(); limits.size as usize + 1],
            by_key: FxHashMap::default(),
            kinds: Kinds::default(),
            kind_of: FxHashMap::default(),
            unrestricted: unrestricted.iter().map(all).collect(),
            of_language: rules.clone(),
            rules,
            equations: Vec::new(),
            conditional: Vec::new(),
            bounds: Vec::new(),
            evaluated: 0,
            complete: 1,
            candidates: 0,
            is_stopped: false,
        };
        for (v, column) in columns.iter().enumerate() {
            new.leaf(Head::Variable(v as u8), all(column));
        }
        for &constant in &vocabulary.constants {
            let values = constant_values(constant, new.rows);
            new.leaf(constant, values);
        }
        new
    }

    fn leaf(&mut self, head: Head, values: Values) {
        let term = self.terms.insert(self.vocabulary, head, &[]).expect("leaves have no operands");
        self.build_upon(term, values);
    }

    /// Enumerates all terms within the limits.
    ///
    /// # Errors
    /// When the functions under test cannot be run.
    pub fn run<L: Laboratory>(&mut self, laboratory: &mut L) -> Result<(), L::Error> {
        self.find_kinds(laboratory)?;
        for size in 2..=self.limits.size {
            for (head, operands) in self.of_size(size) {
                if self.is_stopped || self.evaluated >= self.limits.terms || !laboratory.may_go_on() {
                    return Ok(());
                }
                match head {
                    Applied::Word(operator) => self.word(operator, &operands, laboratory)?,
                    Applied::Call(function) => self.call(function, &operands, laboratory)?,
                }
            }
            self.lengths(size, laboratory)?;
            self.all_changed(size, laboratory)?;
            if self.is_stopped || !laboratory.may_go_on() {
                return Ok(());
            }
            self.complete = size;
        }
        Ok(())
    }

    /// Enumerates terms without calls, and the call of each function at its first variables: what bounds are made of.
    ///
    /// # Errors
    /// When the functions under test cannot be run.
    pub fn run_plain<L: Laboratory>(&mut self, laboratory: &mut L) -> Result<(), L::Error> {
        self.limits.calls = 0;
        self.run(laboratory)?;
        for function in 0..self.vocabulary.functions.len() {
            if let Some(arguments) = self.plain_arguments(function) {
                self.call(function as u8, &arguments, laboratory)?;
            }
        }
        Ok(())
    }

    fn find_kinds<L: Laboratory>(&mut self, laboratory: &mut L) -> Result<(), L::Error> {
        let variables = self.variables();
        let values: Vec<&Values> = variables.iter().map(|term| &self.values[term]).collect();
        self.kinds = Kinds::probe(self.vocabulary, &values, laboratory)?;
        for (variable, term) in self.vocabulary.variables.iter().zip(variables) {
            let (function, parameter) = variable.parameters[0];
            if let Some(kind) = self.kinds.parameter(function, parameter) {
                self.kind_of.insert(term, kind);
            }
        }
        Ok(())
    }

    /// Looks for the integers that a call of this size gives as steps of an integer argument or of the length of one:
    /// `len(f(b)) == 4 * ((len(b) + 2) div 3)`.
    fn lengths<L: Laboratory>(&mut self, size: u32, laboratory: &mut L) -> Result<(), L::Error> {
        let results: Vec<TermId> = self.layers[size as usize]
            .iter()
            .copied()
            .filter(|&term| self.terms.ty(term) == Ty::Int && self.terms.calls(term) == 1)
            .collect();
        let arguments: Vec<TermId> = self.layers[1..=2]
            .iter()
            .flatten()
            .copied()
            .filter(|&term| self.terms.ty(term) == Ty::Int && self.terms.calls(term) == 0)
            .filter(|&term| self.terms.variables(term) != 0)
            .collect();
        for &result in &results {
            for &argument in &arguments {
                if self.is_stopped || !laboratory.may_go_on() {
                    return Ok(());
                }
                let [of, by] = [result, argument].map(|term| &self.values[&term]);
                let Some(steps) = lengths::steps(of.column(), by.column(), of, by) else { continue };
                let written = steps.term(&mut self.terms, self.vocabulary, argument);
                if self.is_equation(Equation::new(result, written), laboratory)? {
                    // The term is equal to the other side, and larger terms are built from the other side.
                    self.layers[size as usize].retain(|term| *term != result);
                    break;
                }
            }
        }
        Ok(())
    }

    fn word<L: Laboratory>(
        &mut self,
        operator: Operator,
        operands: &[TermId],
        laboratory: &mut L,
    ) -> Result<(), L::Error> {
        let Some(term) = self.terms.insert(self.vocabulary, Head::Word(operator), operands) else {
            return Ok(());
        };
        self.evaluated += 1;
        let values: Vec<&Values> = operands.iter().map(|operand| &self.values[operand]).collect();
        let values = Values::applied(operator.op(), &values);
        let kind = operands.iter().find_map(|operand| self.kind_of.get(operand)).copied();
        self.place(term, values, kind, laboratory)
    }

    fn call<L: Laboratory>(
        &mut self,
        function: u8,
        arguments: &[TermId],
        laboratory: &mut L,
    ) -> Result<(), L::Error> {
        self.evaluated += 1;
        let values: Vec<&Values> = arguments.iter().map(|argument| &self.values[argument]).collect();
        let outputs = laboratory.call(usize::from(function), &values)?;
        self.place_outputs(function, arguments, outputs, laboratory)
    }

    /// Adds the outputs of a call to the terms.
    pub(super) fn place_outputs<L: Laboratory>(
        &mut self,
        function: u8,
        arguments: &[TermId],
        outputs: Vec<Values>,
        laboratory: &mut L,
    ) -> Result<(), L::Error> {
        for (output, values) in outputs.into_iter().enumerate() {
            let head = Head::Output { function, output: output as u8 };
            let term = self.terms.insert(self.vocabulary, head, arguments).expect("calls have any operands");
            let kind = self.kinds.output(function.into(), output);
            self.place(term, values, kind, laboratory)?;
        }
        Ok(())
    }

    /// The terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The equations of which none follows from the others, the smallest first, then those under a condition, then the bounds.
    pub fn equations(&self) -> Vec<Equation> {
        let size = |equation: &Equation| equation.size(&self.terms);
        let mut everywhere = self.equations.clone();
        let is_instance = |special: &Equation| {
            self.conditional.iter().any(|(general, _)| self.is_instance(*special, *general))
        };
        everywhere.retain(|equation| !is_instance(equation));
        self.remove_those_by_cases(&mut everywhere);
        everywhere.sort_by_key(size);
        let mut conditional = self.conditional.clone();
        conditional.sort_by_key(|(equation, _)| size(equation));
        let mut kept: Vec<(Equation, Vec<TermId>)> =
            everywhere.into_iter().map(|equation| (equation, Vec::new())).chain(conditional).collect();
        for place in (0..kept.len()).rev() {
            let mut rules = self.of_language.clone();
            let others = kept.iter().enumerate().filter(|(other, _)| *other != place);
            others.for_each(|(_, (other, _))| rules.add(&self.terms, *other));
            let (equation, met) = &kept[place];
            if rules.follows(&self.terms, *equation, met) {
                kept.remove(place);
            }
        }
        kept.into_iter().map(|(equation, _)| equation).chain(self.bounds.iter().copied()).collect()
    }

    /// How many terms were evaluated.
    pub fn evaluated(&self) -> usize {
        self.evaluated
    }

    /// The greatest size for which all terms were enumerated.
    pub fn complete_size(&self) -> u32 {
        self.complete
    }

    /// How many equations were tested on fresh inputs.
    pub fn candidates(&self) -> u64 {
        self.candidates
    }
}

/// The values of a term, of which `known` gives what is not computed by words: variables, and what was evaluated before. `None` where
/// a variable or a call is not known.
pub(super) fn computed_values(
    terms: &Terms,
    id: TermId,
    rows: usize,
    known: &dyn Fn(TermId) -> Option<Values>,
) -> Option<Values> {
    if let Some(values) = known(id) {
        return Some(values);
    }
    let term = terms.get(id);
    match term.head {
        Head::Variable(_) | Head::Output { .. } => None,
        Head::Word(operator) => {
            let operands: Option<Vec<Values>> =
                term.operands.iter().map(|&operand| computed_values(terms, operand, rows, known)).collect();
            Some(Values::applied(operator.op(), &operands?.iter().collect::<Vec<_>>()))
        }
        constant => Some(constant_values(constant, rows)),
    }
}

/// The values of a constant.
///
/// # Panics
/// For a variable, a word or a call.
fn constant_values(constant: Head, rows: usize) -> Values {
    let column = match constant {
        Head::Int(value) => Column::Int(vec![value.into(); rows]),
        Head::Bool(value) => Column::Bool(vec![value; rows]),
        Head::Float(bits) => Column::Float(vec![f64::from_bits(bits); rows]),
        Head::Empty(kind) => {
            let mut column = match kind {
                EmptyKind::Text => Column::empty(dodona_target::Type::Text),
                EmptyKind::Bools => of_elements(dodona_target::Scalar::Bool),
                EmptyKind::Ints => of_elements(dodona_target::Scalar::I64),
                EmptyKind::Floats => of_elements(dodona_target::Scalar::F64),
            };
            (0..rows).for_each(|_| column.push_default());
            column
        }
        other => unreachable!("{other:?} is no constant"),
    };
    Values::new(column, &vec![true; rows])
}

fn of_elements(scalar: dodona_target::Scalar) -> Column {
    Column::empty(dodona_target::Type::Sequence(scalar))
}
