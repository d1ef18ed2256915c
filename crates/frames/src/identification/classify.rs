//! Determines the frame of each input, and finds inputs that belong to no frame or to several.

use dodona_target::Column;

use crate::identification::category::Category;
use crate::identification::specification::Frame;

/// The frames of some inputs, or of some outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classified {
    /// For each row its frame; `None` where a category has no choice for it, or several.
    pub frames: Vec<Option<Frame>>,
    /// The mistakes in the categories: the first row for each kind.
    pub misfits: Vec<Misfit>,
}

/// A category whose choices do not divide the inputs, because they leave a gap or overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The category, by number.
    pub category: usize,
    /// What is wrong.
    pub kind: MisfitKind,
    /// The first row that shows it.
    pub row: usize,
}

/// How choices fail to divide inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MisfitKind {
    /// No choice holds.
    Gap,
    /// Two choices hold, by number.
    Overlap(u16, u16),
}

/// The frames of rows, which have one column for each parameter (or output).
///
/// # Panics
/// When the columns are not those of the specification.
pub fn classify(categories: &[Category], columns: &[Column], rows: usize) -> Classified {
    let mut classified = Classified {
        frames: vec![Some(Frame(Vec::with_capacity(categories.len()))); rows],
        misfits: Vec::new(),
    };
    for (number, category) in categories.iter().enumerate() {
        let holds: Vec<Vec<bool>> =
            category.choices.iter().map(|choice| choice.predicate.evaluate(columns)).collect();
        for row in 0..rows {
            let mut of_row = (0..holds.len()).filter(|&choice| holds[choice][row]);
            let misfit = match (of_row.next(), of_row.next()) {
                (Some(choice), None) => {
                    if let Some(frame) = &mut classified.frames[row] {
                        frame.0.push(choice as u16);
                    }
                    continue;
                }
                (None, _) => MisfitKind::Gap,
                (Some(a), Some(b)) => MisfitKind::Overlap(a as u16, b as u16),
            };
            classified.frames[row] = None;
            classified.note(Misfit { category: number, kind: misfit, row });
        }
    }
    classified
}

impl Misfit {
    /// Whether it is the same mistake in the same category, whichever row shows it.
    pub(crate) fn is_alike(&self, other: &Misfit) -> bool {
        self.category == other.category && self.kind == other.kind
    }
}

impl Classified {
    /// Keeps the first row of each kind.
    fn note(&mut self, misfit: Misfit) {
        if !self.misfits.iter().any(|known| known.is_alike(&misfit)) {
            self.misfits.push(misfit);
        }
    }
}
