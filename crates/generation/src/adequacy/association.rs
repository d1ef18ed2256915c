//! Which relation tested which source input, and which requirements each source input satisfies.

use fixedbitset::FixedBitSet;

/// The association relationship of source inputs and relations (Fu, Sun, Zhang, Liu, "Test Adequacy for Metamorphic Testing", 2024,
/// definition 1): a relation is associated with a source input when a metamorphic group of the two was executed and its outputs were
/// verified.
///
/// Each relation has a form, given by a number, which stands for the shape of its output relation. Several relations may have the same
/// form; the criterion counts relations of different forms.
#[derive(Clone, Debug, Default)]
pub struct Associations {
    /// The form of each relation.
    forms: Vec<u32>,
    /// The relations, sorted by form. The index of a relation in this list is its place.
    by_form: Vec<u32>,
    /// The place of each relation.
    place: Vec<u32>,
    /// The places of relations that are the only ones of their form. They are kept apart because they are counted fast, by the intersection
    /// of two bit sets.
    alone: FixedBitSet,
    /// For each form with several relations, the first of their places, and the place after the last.
    shared: Vec<(usize, usize)>,
    /// For each source input the places of the relations that it is associated with.
    rows: Vec<FixedBitSet>,
}

impl Associations {
    /// No associations yet, for so many source inputs and for relations of these forms. Forms are numbered from 0.
    pub fn new(sources: usize, forms: &[u32]) -> Associations {
        let mut by_form: Vec<u32> = (0..forms.len() as u32).collect();
        by_form.sort_by_key(|relation| forms[*relation as usize]);
        let mut place = vec![0; forms.len()];
        by_form.iter().zip(0..).for_each(|(relation, at)| place[*relation as usize] = at);
        let different = forms.iter().max().map_or(0, |most| *most as usize + 1);
        let mut starts = vec![0; different + 1];
        forms.iter().for_each(|form| starts[*form as usize + 1] += 1);
        (0..different).for_each(|form| starts[form + 1] += starts[form]);
        let mut alone = FixedBitSet::with_capacity(forms.len());
        let ranges = || starts.windows(2).map(|ends| (ends[0], ends[1]));
        alone.extend(ranges().filter(|(start, end)| start + 1 == *end).map(|(start, _)| start));
        let shared = ranges().filter(|(start, end)| start + 1 < *end).collect();
        let rows = vec![FixedBitSet::with_capacity(forms.len()); sources];
        Associations { forms: forms.to_vec(), by_form, place, alone, shared, rows }
    }

    /// Notes that a group of a source input and a relation was executed and verified.
    ///
    /// # Panics
    /// When there is no such source input or relation.
    pub fn add(&mut self, source: usize, relation: usize) {
        self.rows[source].insert(self.place[relation] as usize);
    }

    /// Forgets a group that was noted.
    ///
    /// # Panics
    /// When there is no such source input or relation.
    pub fn remove(&mut self, source: usize, relation: usize) {
        self.rows[source].set(self.place[relation] as usize, false);
    }

    /// The number of source inputs.
    pub fn sources(&self) -> usize {
        self.rows.len()
    }

    /// The number of relations.
    pub fn relations(&self) -> usize {
        self.forms.len()
    }

    /// The number of different forms that relations have.
    pub fn forms(&self) -> usize {
        self.alone.count_ones(..) + self.shared.len()
    }

    /// The number of associations.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones(..)).sum()
    }

    /// Whether no group was executed at all.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(FixedBitSet::is_clear)
    }

    /// Whether a source input is associated with a relation.
    ///
    /// # Panics
    /// When there is no such source input or relation.
    pub fn contains(&self, source: usize, relation: usize) -> bool {
        self.rows[source].contains(self.place[relation] as usize)
    }

    /// The relations that a source input is associated with, sorted by form.
    ///
    /// # Panics
    /// When there is no such source input.
    pub fn of_source(&self, source: usize) -> impl Iterator<Item = usize> + '_ {
        self.rows[source].ones().map(|place| self.by_form[place] as usize)
    }

    /// The form of a relation.
    ///
    /// # Panics
    /// When there is no such relation.
    pub fn form(&self, relation: usize) -> u32 {
        self.forms[relation]
    }

    /// How many relations of different forms a source input is associated with: the size of S_RO (definition 3).
    ///
    /// # Panics
    /// When there is no such source input.
    pub fn different(&self, source: usize) -> usize {
        let row = &self.rows[source];
        let is_there = |(start, end): &&(usize, usize)| row.contains_any_in_range(*start..*end);
        row.intersection_count(&self.alone) + self.shared.iter().filter(is_there).count()
    }
}

/// The requirements of a criterion for test cases, and which of them each source input satisfies. Fu, Sun, Zhang and Liu (2024) call these
/// E(p, s, C) and sat.
#[derive(Clone, Debug, Default)]
pub struct Requirements {
    /// What each requirement is, in words: `baggage.c:41`.
    pub names: Vec<String>,
    /// For each source input the requirements that it satisfies.
    pub satisfied: Vec<FixedBitSet>,
}
