//! Inputs for the ways through all calls of relations. A path of the source call says nothing of the paths of the follow-up calls: inputs of one
//! path may lead a follow-up call along different ones, and a fault may show on one of them only. The study of path-directed source
//! inputs leaves this to future work (section 7).

use std::rc::Rc;

use dodona_relations::{Program, Relation};
use dodona_smt::term::{Assignment, Term};
use dodona_subject::Function;
use dodona_symbolic::Code;
use dodona_symbolic::explore::{Explorer, Path, Start};
use dodona_symbolic::input::Inputs;
use dodona_symbolic::prove::{KnownCall, Prover};
use fixedbitset::FixedBitSet;

use super::draw::Drawer;
use crate::adequacy::prioritise::additional;

/// The ways of one path of the source call that are followed in each group of a relation. More of them find rarer paths of follow-up calls; each costs some questions to the
/// solver, and takes the place of a way of another relation. A choice; not measured.
const WAYS_EACH: usize = 4;

/// Questions to the solver for the ways, for each wanted input. With thousands of ways most questions bring inputs that are not kept: of a fee over
/// six parameters and 18 relations all ways take a minute, and the inputs that are kept take hardly more of them than with so many questions.
const QUESTIONS: u64 = 40;

/// A relation whose ways are followed. Its variables are parameters of the source call, each at most once.
pub(crate) struct WaysOf<'a> {
    pub(crate) relation: &'a Relation,
    pub(crate) program: &'a Program,
}

/// The relations whose ways are followed, with what they call.
pub(crate) struct Through<'a> {
    pub(crate) relations: Vec<WaysOf<'a>>,
    pub(crate) functions: &'a [Function],
    /// The function that inputs are made for, by its index.
    pub(crate) function: usize,
}

impl<'a> WaysOf<'a> {
    /// `None` if the relation has a variable that is no parameter of the function, or two for one parameter: then an input of the function
    /// does not decide its way.
    pub(crate) fn of(relation: &'a Relation, program: &'a Program, function: usize) -> Option<WaysOf<'a>> {
        let variables = relation.variables();
        let is_own = |place: usize| {
            let variable = &variables[place];
            let is_first = variables[..place].iter().all(|other| other.parameter != variable.parameter);
            variable.function == function && is_first
        };
        (0..variables.len()).all(is_own).then_some(WaysOf { relation, program })
    }
}

/// Inputs with the path of the source call and the ways that each takes.
#[derive(Default)]
pub(super) struct Taken {
    inputs: Vec<(usize, Assignment)>,
    ways: Vec<FixedBitSet>,
    count: usize,
}

impl Taken {
    /// The inputs of one path, in which ways count from here on. The path is a way of its own.
    fn add(&mut self, path: usize, models: Vec<Assignment>, ways: &[Vec<Term>], explorer: &mut Explorer<'_>) {
        let first = self.count;
        self.count += 1 + ways.len();
        for model in models {
            let mut taken = FixedBitSet::with_capacity(self.count);
            taken.insert(first);
            let terms = explorer.terms();
            for (number, way) in ways.iter().enumerate() {
                if way.iter().all(|constraint| terms.evaluate(*constraint, &model) == 1) {
                    taken.insert(first + 1 + number);
                }
            }
            self.inputs.push((path, model));
            self.ways.push(taken);
        }
    }

    /// At most `count` of the inputs, those first that take most ways which those before them do not take.
    pub(super) fn chosen(mut self, count: usize) -> Vec<(usize, Assignment)> {
        self.ways.iter_mut().for_each(|ways| ways.grow(self.count));
        let order = additional(&self.ways);
        order.into_iter().take(count).map(|place| self.inputs[place].clone()).collect()
    }
}

impl Through<'_> {
    /// For each path inputs that take the ways of all relations, as far as they are found. Paths and groups come in a random order, so that none starves where there are
    /// more ways than questions.
    pub(super) fn inputs(
        &self,
        (explorer, code): (&mut Explorer<'_>, &Rc<Code>),
        inputs: &[Inputs],
        paths: &[(Path, Assignment)],
        (drawer, count): (&mut Drawer, Option<usize>),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Taken {
        let most = count.map_or(u64::MAX, |count| QUESTIONS * count as u64);
        let end = explorer.questions().saturating_add(most);
        let mut found: Vec<_> = paths.iter().map(|(_, own)| (vec![own.clone()], Vec::new())).collect();
        let groups = |of: &WaysOf<'_>| 0..of.relation.group_count();
        let of_path = |path: usize| {
            self.relations.iter().flat_map(move |of| groups(of).map(move |group| (path, of, group)))
        };
        let mut todo: Vec<(usize, &WaysOf<'_>, usize)> = (0..paths.len()).flat_map(of_path).collect();
        drawer.shuffle(&mut todo);
        for (number, of, group) in todo {
            if explorer.questions() >= end || !go_on() {
                break;
            }
            let (path, _) = &paths[number];
            let (models, ways) = &mut found[number];
            let source = (path, &inputs[path.start]);
            self.of_group((explorer, code), (of, group), source, (models, ways), drawer, go_on);
        }
        let mut taken = Taken::default();
        for (number, (models, ways)) in found.into_iter().enumerate() {
            taken.add(number, models, &ways, explorer);
        }
        taken
    }

    /// Follows the ways of one group from one path of the source call. Values of a way that no other input of the path takes are added to `models`.
    fn of_group(
        &self,
        (explorer, code): (&mut Explorer<'_>, &Rc<Code>),
        (of, group): (&WaysOf<'_>, usize),
        (path, inputs): (&Path, &Inputs),
        (models, ways): (&mut Vec<Assignment>, &mut Vec<Vec<Term>>),
        drawer: &mut Drawer,
        go_on: &mut dyn FnMut() -> bool,
    ) {
        let prover = Prover { code, relation: of.relation, program: of.program, functions: self.functions };
        let variables = of.relation.variables();
        let start = Start {
            symbols: variables.iter().map(|variable| inputs.symbols[variable.parameter].clone()).collect(),
            assumptions: path.constraints.clone(),
            model: models[0].clone(),
        };
        let known = KnownCall { function: self.function, arguments: &inputs.symbols, path };
        let mut left = WAYS_EACH;
        let mut visit = |explorer: &mut Explorer<'_>, constraints: &[Term], model: &Assignment| {
            let terms = explorer.terms();
            let takes = |model: &Assignment| constraints.iter().all(|c| terms.evaluate(*c, model) == 1);
            if !models.iter().any(takes) {
                let way = Path { constraints: constraints.to_vec(), model: model.clone(), ..path.clone() };
                models.push(drawer.other(explorer.terms(), inputs, &way));
            }
            ways.push(constraints.to_vec());
            left -= 1;
            left > 0
        };
        // A relation that cannot be followed on symbols has no ways; the inputs of the others stand.
        let _ = prover.ways(explorer, (group, &start), (known, WAYS_EACH), go_on, &mut visit);
    }
}
