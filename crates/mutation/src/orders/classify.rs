//! Mutant classes, found with as few searches for a test as possible.

use fixedbitset::FixedBitSet;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{DfsPostOrder, Reversed};

use crate::orders::{Because, StaticOrder, Strength};

/// Runs mutants for [`classify`].
pub trait Runs {
    /// Why a run cannot go on.
    type Error;

    /// Looks for a test that kills the mutant, and runs it; `None` if none was found. `open` are the other mutants that have no
    /// class yet, in their order; the run may observe these too.
    ///
    /// # Errors
    /// An error that stops the whole classification.
    fn kill(&mut self, mutant: usize, open: &[usize]) -> Result<Option<Kill>, Self::Error>;
}

/// A test that kills a mutant, and what was observed of the others in its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kill {
    /// The number of the test, as the implementation counts tests.
    pub test: usize,
    /// The open mutants whose condition held in this run. Their change had an effect as far as it was observed, so that the
    /// test may kill them.
    pub held: Vec<usize>,
    /// The open mutants that the test was seen to kill.
    pub killed: Vec<usize>,
}

/// Why a mutant is in a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It is weaker than another member by the static order, so that it was not run.
    Static(Because),
    /// The test of the class was seen to kill it.
    Observed,
}

/// A mutant of a class other than its representative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The mutant.
    pub mutant: usize,
    /// Why it is in the class.
    pub because: Reason,
}

/// Mutants that one test kills (Kapoor 2011, section 2, mutant class).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The mutant for which the test was looked for.
    pub representative: usize,
    /// The test that kills all of them.
    pub test: usize,
    /// The other mutants, in the order in which they were added.
    pub members: Vec<Member>,
}

impl Class {
    /// All its mutants, the representative first.
    pub fn mutants(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(self.representative).chain(self.members.iter().map(|member| member.mutant))
    }
}

/// The result of [`classify`]: each mutant is in one class, or alive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classes {
    /// The classes, in the order in which their representatives were killed.
    pub classes: Vec<Class>,
    /// The mutants for which no test was found, in the order given. They may be equivalent.
    pub alive: Vec<usize>,
    /// A class, and a mutant whose condition held in the run of the class's test, which did not kill it. A condition is
    /// necessary for a kill but not sufficient. The mutant stayed open.
    pub misled: Vec<(usize, usize)>,
    /// A class, and a mutant that its test was seen not to kill although by the static order it should. Either a fact of the
    /// order is wrong, or the observation is. The mutant stayed open.
    pub contradicted: Vec<(usize, usize)>,
}

impl Classes {
    /// The share of the killed mutants for which no test had to be found: `1 - classes / killed`, the savings of Kapoor 2011,
    /// section 5.2. `None` if no mutant was killed.
    pub fn savings(&self) -> Option<f64> {
        let killed: usize = self.classes.iter().map(|class| class.mutants().count()).sum();
        (killed > 0).then(|| (killed - self.classes.len()) as f64 / killed as f64)
    }
}

/// Puts mutants into classes, each with a test that kills all of its members: the ten steps of Kapoor 2011, section 5.1, table 4.
///
/// Mutants are taken in the order given, which in the paper is that of their lines (steps 1 to 3), except that a stronger
/// mutant is taken before a weaker one. A mutant that has a class is skipped (step 4). A test is looked for that kills the
/// mutant (step 8). Its class then gets the mutants that are weaker by the static order, without a run (steps 5 and 6), the
/// mutants that were seen to be killed in the same run (steps 7 and 8), and those weaker than these.
///
/// The paper takes a mutant as killed if its condition holds. Here the kill has to be observed too, because a condition is
/// necessary and not sufficient: a mutant whose condition held and that survived stays open ([`Classes::misled`]). A mutant for
/// which no test was found stays open as well, because the test of a later mutant may kill it. Mutants that are known to be
/// equally strong are not tried again.
///
/// A mutant that is listed twice counts once. What `runs` reports of mutants that are not open is ignored. The same mutants, order and
/// runs give the same classes.
///
/// # Errors
/// What `runs` returns.
///
/// # Panics
/// When a mutant is listed that the static order does not have.
///
/// ```
/// use dodona_mutation::orders::{Because, Kill, Runs, Strength, classify};
///
/// /// Test 0 kills mutant 0, and mutant 1 too; nothing kills mutant 3.
/// struct Suite;
///
/// impl Runs for Suite {
///     type Error = std::convert::Infallible;
///
///     fn kill(&mut self, mutant: usize, _open: &[usize]) -> Result<Option<Kill>, Self::Error> {
///         Ok((mutant == 0).then(|| Kill { test: 0, held: vec![1, 3], killed: vec![1] }))
///     }
/// }
///
/// let mut strength = Strength::new(4);
/// strength.stronger(0, 2, Because::StrongerOnce);
/// let Ok(classes) = classify(&[0, 1, 2, 3], &strength, &mut Suite);
/// assert_eq!(classes.classes[0].mutants().collect::<Vec<_>>(), [0, 2, 1]);
/// assert_eq!(classes.alive, [3]);
/// assert_eq!(classes.misled, [(0, 3)]);
/// assert_eq!(classes.savings(), Some(2.0 / 3.0));
/// ```
pub fn classify<R: Runs>(mutants: &[usize], strength: &Strength, runs: &mut R) -> Result<Classes, R::Error> {
    let order = strength.order();
    let mut open = Open::new(mutants, strength);
    let mut tried = FixedBitSet::with_capacity(order.classes().len());
    for mutant in stronger_first(mutants, &order) {
        if !open.contains(mutant) || tried.put(order.class_of(mutant)) {
            continue;
        }
        // These need neither a run nor an observation.
        let weaker = open.take_weaker(mutant);
        open.remove(mutant);
        match runs.kill(mutant, &open.listed())? {
            Some(kill) => open.found(mutant, weaker, kill),
            None => open.give_back(mutant, &weaker),
        }
    }
    let alive = open.listed();
    Ok(Classes { alive, ..open.found })
}

/// The mutants, each once, those of stronger classes before those of weaker ones, otherwise in the order given.
fn stronger_first(mutants: &[usize], order: &StaticOrder) -> Vec<usize> {
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(order.classes().len(), order.edges().len());
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); order.classes().len()];
    for _ in order.classes() {
        graph.add_node(());
    }
    for &(stronger, weaker) in order.edges() {
        graph.add_edge(NodeIndex::new(stronger), NodeIndex::new(weaker), ());
    }
    mutants.iter().for_each(|&mutant| members[order.class_of(mutant)].push(mutant));
    let mut search = DfsPostOrder::empty(&graph);
    let mut sorted = Vec::with_capacity(mutants.len());
    for &mutant in mutants {
        // In post-order against the edges, a class comes after all stronger ones.
        search.move_to(NodeIndex::new(order.class_of(mutant)));
        while let Some(class) = search.next(Reversed(&graph)) {
            sorted.append(&mut members[class.index()]);
        }
    }
    sorted
}

/// The mutants without a class, and the classes so far.
struct Open<'a> {
    strength: &'a Strength,
    /// All mutants, each once, in the order given.
    mutants: Vec<usize>,
    is_open: FixedBitSet,
    found: Classes,
}

impl<'a> Open<'a> {
    fn new(mutants: &[usize], strength: &'a Strength) -> Self {
        let mut is_open = FixedBitSet::with_capacity(strength.mutants());
        let mutants = mutants.iter().copied().filter(|&mutant| !is_open.put(mutant)).collect();
        Open { strength, mutants, is_open, found: Classes::default() }
    }

    fn contains(&self, mutant: usize) -> bool {
        self.is_open.contains(mutant)
    }

    fn listed(&self) -> Vec<usize> {
        self.mutants.iter().copied().filter(|&mutant| self.contains(mutant)).collect()
    }

    fn remove(&mut self, mutant: usize) {
        self.is_open.remove(mutant);
    }

    /// Removes the mutants that are known to be weaker than this one from the open mutants.
    fn take_weaker(&mut self, mutant: usize) -> Vec<Member> {
        let mut taken = Vec::new();
        for (weaker, because) in self.strength.weaker(mutant) {
            if self.contains(weaker) {
                self.remove(weaker);
                taken.push(Member { mutant: weaker, because: Reason::Static(because) });
            }
        }
        taken
    }

    fn give_back(&mut self, mutant: usize, weaker: &[Member]) {
        self.is_open.insert(mutant);
        weaker.iter().for_each(|member| self.is_open.insert(member.mutant));
    }

    /// Makes the class of a mutant that was killed.
    fn found(&mut self, representative: usize, mut members: Vec<Member>, kill: Kill) {
        let mut observed = Vec::new();
        for mutant in kill.killed {
            if self.contains(mutant) {
                self.remove(mutant);
                observed.push(mutant);
            }
        }
        members.extend(observed.iter().map(|&mutant| Member { mutant, because: Reason::Observed }));
        let mut survived: Vec<usize> = Vec::new();
        for mutant in kill.held {
            // These are not taken from the static order, because an observation counts more.
            if self.contains(mutant) {
                self.remove(mutant);
                survived.push(mutant);
            }
        }
        members.extend(observed.iter().flat_map(|&mutant| self.take_weaker(mutant)));
        let class = self.found.classes.len();
        for mutant in survived {
            self.is_open.insert(mutant);
            let is_said = observed.iter().any(|&killed| self.strength.is_stronger(killed, mutant));
            let list = if is_said { &mut self.found.contradicted } else { &mut self.found.misled };
            list.push((class, mutant));
        }
        self.found.classes.push(Class { representative, test: kill.test, members });
    }
}
