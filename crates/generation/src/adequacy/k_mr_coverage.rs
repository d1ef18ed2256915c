//! k-MR coverage (Fu, Sun, Zhang, Liu, "Test Adequacy for Metamorphic Testing: Criteria, Measurement, and Implication", 2024, section III).

use crate::adequacy::association::{Associations, Requirements};

/// How adequately requirements are tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adequacy {
    /// The number of different relations that a requirement is to be tested with.
    pub k: usize,
    /// Each requirement, in the order of the criterion.
    pub requirements: Vec<RequirementAdequacy>,
    /// The greatest k for which the groups that were executed satisfy the criterion: the least number of relations that any requirement is
    /// tested with. It is 0 if no source input satisfies some requirement.
    pub reachable: usize,
    /// The greatest number of different relations that any requirement is tested with.
    pub greatest: usize,
}

/// How adequately one requirement is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequirementAdequacy {
    /// Of the source inputs that satisfy it, the first one with the most different relations; `None` if no source input satisfies it.
    pub best: Option<usize>,
    /// The number of different relations that this source input is associated with.
    pub relations: usize,
}

impl RequirementAdequacy {
    /// How many more relations of other forms the best source input needs to reach k.
    pub fn missing(&self, k: usize) -> usize {
        k.saturating_sub(self.relations)
    }
}

impl Adequacy {
    /// The number of different relations of each requirement, at most k, summed over the requirements. With k = 2, requirements with 3, 1
    /// and 0 relations reach 2 + 1 + 0.
    pub fn reached(&self) -> u64 {
        self.requirements.iter().map(|requirement| requirement.relations.min(self.k) as u64).sum()
    }

    /// The sum if every requirement reached k: k times the number of requirements.
    pub fn whole(&self) -> u64 {
        (self.k * self.requirements.len()) as u64
    }

    /// The degree of adequacy (definition 5): [`Adequacy::reached`] divided by [`Adequacy::whole`], and 1 if there are no requirements.
    pub fn degree(&self) -> f64 {
        if self.whole() == 0 { 1.0 } else { self.reached() as f64 / self.whole() as f64 }
    }

    /// Whether the criterion is satisfied (definition 4).
    pub fn is_adequate(&self) -> bool {
        self.reached() == self.whole()
    }
}

/// Measures how adequately requirements are tested. Of the source inputs that satisfy a requirement, only the best one counts: the one that
/// is associated with most relations of different forms. Of these relations at most k count.
///
/// ```
/// use dodona_generation::adequacy::{Associations, Requirements, adequacy};
/// use fixedbitset::FixedBitSet;
///
/// let covers = |statements: &[usize]| statements.iter().copied().collect::<FixedBitSet>();
/// let requirements = Requirements {
///     names: vec!["line 1".into(), "line 2".into()],
///     satisfied: vec![covers(&[0, 1]), covers(&[0])],
/// };
/// // Three relations, of which two have the same form.
/// let mut associations = Associations::new(2, &[0, 1, 1]);
/// associations.add(0, 0);
/// associations.add(1, 0);
/// associations.add(1, 1);
/// let measured = adequacy(&requirements, &associations, 2);
/// assert_eq!(measured.degree(), 0.75);
/// assert_eq!(measured.requirements[1].missing(2), 1);
/// ```
///
/// # Panics
/// When k is 0, or there is not a set of satisfied requirements for each source input.
pub fn adequacy(requirements: &Requirements, associations: &Associations, k: usize) -> Adequacy {
    assert!(k > 0, "a requirement is tested with at least one relation");
    assert_eq!(requirements.satisfied.len(), associations.sources(), "a set for each source input");
    let mut each = vec![RequirementAdequacy { best: None, relations: 0 }; requirements.names.len()];
    for (source, satisfied) in requirements.satisfied.iter().enumerate() {
        if satisfied.is_clear() {
            continue;
        }
        let relations = associations.different(source);
        for requirement in satisfied.ones() {
            let known = &mut each[requirement];
            if known.best.is_none() || relations > known.relations {
                *known = RequirementAdequacy { best: Some(source), relations };
            }
        }
    }
    let reachable = each.iter().map(|requirement| requirement.relations).min().unwrap_or(0);
    let greatest = each.iter().map(|requirement| requirement.relations).max().unwrap_or(0);
    Adequacy { k, requirements: each, reachable, greatest }
}
