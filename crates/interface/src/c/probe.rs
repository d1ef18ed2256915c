//! Probes: calls that show what a function does with what a pointer points to, where its prototype does not say. Behind such a pointer stands room whose bytes are a
//! pattern, another one in each call. What has changed was written; what is not the same after calls with two patterns was read before; the third call
//! tells whether more than the first element is read; and in the others the first element is a small number, which functions treat in ways of their own.

use std::collections::BTreeMap;

use dodona_target::{Calls, Column, SequenceColumn};

use super::arguments::Arguments;
use super::calls::functions;
use super::library::{Dialect, Library, Pointers};
use super::recipe::Recipe;
use super::types::CType;
use super::unit::{Function, Unit};
use crate::Interface;

/// The bytes that are behind a pointer before each call: those of the first element, and those of all behind it. As a number each is far from all that a
/// function is likely to write. Where the first is less than 64, the first element is half of that number: states, counters, flags, and the probabilities between
/// 0 and 1.
pub const PATTERNS: [[u8; 2]; 9] = [
    [0x5a, 0x5a],
    [0xa5, 0xa5],
    [0x5a, 0xa5],
    [0, 0x5a],
    [1, 0x5a],
    [2, 0x5a],
    [4, 0x5a],
    [18, 0x5a],
    [46, 0x5a],
];

/// The least first byte that is one of the pattern, and no small number.
pub(super) const SMALL: u8 = 0x40;

/// How many calls have one of the patterns alone.
const PLAIN: usize = 3;

/// What is behind one pointer differs from what is behind the next by this, so that what is copied from one to the other is seen.
pub(super) const APART: u8 = 0x11;

/// The numbers that parameters of a probe take: small ones, which make loops and arrays short, and a few that small ones do not stand for.
const NUMBERS: &str = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 33, 100]";

/// So many bytes have room behind a pointer: 256 numbers of the widest type, more than the arguments of a probe make most functions write.
pub(super) const ROOM: usize = 2048;

/// Fewer calls that return tell nothing.
const FEW: usize = 8;

/// The parameters of a probe that say which pattern is taken.
pub(super) const PATTERN: [&str; 2] = ["probe_first", "probe_rest"];

/// What a function was seen to do with what one of its pointers points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// So many calls wrote nothing there.
    Unwritten(usize),
    /// One element was written, and never more; whether it was read before.
    One { is_read: bool },
    /// At most so many elements were written, and what their number is of the arguments, if that is known.
    Several { most: usize, count: Option<Count> },
}

/// A number of elements: that of one parameter, less that of another one, and so many more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) of: Option<usize>,
    pub(super) less: Option<usize>,
    pub(super) more: i128,
}

/// What pointers were seen to be, by their function and their place among its parameters.
#[derive(Debug, Default)]
pub struct Seen(BTreeMap<(String, usize), Stands>);

impl Seen {
    pub(super) fn stands(&self, function: &Function, place: usize) -> Option<&Stands> {
        self.0.get(&(key(function), place))
    }
}

/// Overloads have the same name.
fn key(function: &Function) -> String {
    format!("{} {}", function.name, function.ty)
}

/// The probes of a library.
pub struct Probes {
    /// A function for each that is probed; the first two parameters are the pattern.
    pub interface: Interface,
    about: BTreeMap<String, Probe>,
}

/// What the values of a probe are.
struct Probe {
    function: String,
    /// The pointers in the order of the outputs.
    pointers: Vec<Pointer>,
    /// The parameters that may be a number of elements: their places, and those among the parameters of the probe.
    counts: Vec<(usize, usize)>,
}

/// A pointer that is probed, or a reference of C++.
struct Pointer {
    /// Its place among the parameters.
    place: usize,
    /// The bytes of an element.
    bytes: usize,
    /// The place of the parameter that says by its name how many elements there are.
    length: Option<usize>,
}

/// The probes of the functions that stand in some of the files.
pub fn probes(unit: &Unit, is_of: &dyn Fn(&str) -> bool, dialect: Dialect) -> Probes {
    let library = Library { unit, dialect, functions: functions(unit, is_of), pointers: Pointers::Probed };
    let mut probes = Probes { interface: Interface::default(), about: BTreeMap::new() };
    for function in &library.functions {
        if let Some((recipe, probe)) = probe(&library, function) {
            let name = format!("probe_{}", probes.about.len());
            probes.interface.functions.push(recipe.callable(name.clone(), function));
            probes.about.insert(name, probe);
        }
    }
    probes
}

fn probe(library: &Library<'_>, function: &Function) -> Option<(Recipe, Probe)> {
    if function.is_variadic || function.method_of.is_some() {
        return None;
    }
    let mut recipe = Recipe::default();
    for name in PATTERN {
        recipe.names.keep(name);
        recipe.parameters.push((name.to_owned(), "u8".to_owned()));
    }
    let parameters = Arguments { library, handles: None, function };
    let arguments = parameters.all(&mut recipe, "").ok()?;
    recipe.outputs = std::mem::take(&mut recipe.probes);
    if recipe.outputs.is_empty() {
        return None;
    }
    recipe.before.push(format!("(void){}({});", function.name, arguments.join(", ")));
    for (name, ty) in &recipe.parameters[PATTERN.len()..] {
        let has_domain = recipe.keys.iter().any(|key| key.starts_with(&format!("domain.{name} ")));
        match ty.as_str() {
            _ if has_domain => {}
            "text" | "bool" => {}
            "f32" | "f64" => recipe.keys.push(format!("domain.{name} = {{ range = [0.1, 4.0] }}")),
            ty if ty.starts_with("[f") => {
                recipe.keys.push(format!("domain.{name} = {{ range = [0.1, 4.0], length = [1, 6] }}"))
            }
            ty if ty.starts_with('[') => {
                recipe.keys.push(format!("domain.{name} = {{ range = [0, 9], length = [1, 6] }}"))
            }
            _ => recipe.keys.push(format!("domain.{name} = {{ values = {NUMBERS} }}")),
        }
    }
    let place_of = |name: &String| recipe.parameters.iter().position(|(parameter, _)| parameter == name);
    let types: Vec<CType> = function.parameters.iter().map(|(_, written)| library.unit.ty(written)).collect();
    let counts = arguments.iter().enumerate().filter(|(place, _)| types[*place].counts());
    let counts = counts.filter_map(|(place, code)| Some((place, place_of(code)?))).collect();
    let bytes = |ty: &CType| match ty {
        CType::Pointer { to, .. } | CType::Reference { to, .. } => to.scalar().map(|scalar| scalar.bytes()),
        _ => None,
    };
    let probed = |place: &usize| arguments[*place].contains(super::seen::PROBE);
    let lengths = parameters.lengths();
    let pointer =
        |place: usize| Some(Pointer { place, bytes: bytes(&types[place])?, length: lengths[place] });
    let pointers = (0..types.len()).filter(probed).filter_map(pointer).collect();
    Some((recipe, Probe { function: key(function), pointers, counts }))
}

impl Probes {
    /// Notes what the calls of a probe show, which were made with these arguments and the [patterns](PATTERNS) one after the other.
    pub fn note(&self, name: &str, arguments: &[Column], calls: &[Calls; PATTERNS.len()], seen: &mut Seen) {
        let Some(probe) = self.about.get(name) else { return };
        for (output, Pointer { place, bytes, length }) in probe.pointers.iter().enumerate() {
            let rows = calls[0].outcomes.len();
            let returned = |row: &usize| calls.iter().all(|calls| calls.outcomes[*row].has_outputs());
            let returned: Vec<usize> = (0..rows).filter(returned).collect();
            let left: Vec<Left> =
                returned.iter().filter_map(|row| Left::of(calls, output, *row, *bytes)).collect();
            let numbers = |row: usize| {
                let of = |(place, parameter): &(usize, usize)| match &arguments[*parameter] {
                    Column::Int(ints) => Some((*place, ints[row])),
                    _ => None,
                };
                probe.counts.iter().filter_map(of).collect::<BTreeMap<usize, i128>>()
            };
            let numbers: Vec<BTreeMap<usize, i128>> = returned.iter().map(|row| numbers(*row)).collect();
            // What stays within the length that the names tell is what they say.
            let is_within = length.is_some_and(|length| {
                let written = left.iter().map(|left| left.written as i128).zip(&numbers);
                written.into_iter().all(|(written, of)| of.get(&length).is_some_and(|most| written <= *most))
            });
            if let Some(stands) = stands(&left, &numbers).filter(|_| !is_within) {
                seen.0.insert((probe.function.clone(), *place), stands);
            }
        }
    }
}

/// What calls left behind a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left {
    /// So many elements, up to the last one that was written.
    written: usize,
    is_read: bool,
    /// Whether more than the first element is read.
    reads_several: bool,
}

impl Left {
    fn of(calls: &[Calls; PATTERNS.len()], output: usize, row: usize, bytes: usize) -> Option<Left> {
        let of_pattern = |calls: &Calls| match &calls.outputs[output] {
            Column::Sequence(SequenceColumn::Int(sequences)) => Some(sequences.row(row).to_vec()),
            _ => None,
        };
        let [first, second, mixed] = [of_pattern(&calls[0])?, of_pattern(&calls[1])?, of_pattern(&calls[2])?];
        // The output is also the number of the pointer.
        let apart = APART.wrapping_mul(output as u8);
        let fill =
            |pattern: usize, at: usize| i128::from(PATTERNS[pattern][usize::from(at >= bytes)] ^ apart);
        let is_changed = |at: &usize| (first[*at], second[*at]) != (fill(0, *at), fill(1, *at));
        let changed: Vec<usize> = (0..first.len()).filter(is_changed).collect();
        let written = changed.last().map_or(0, |last| last / bytes + 1);
        // The first element is the same in the first and the third call, unless what stands behind it is read.
        let reads_several = (0..bytes.min(first.len())).any(|at| first[at] != mixed[at]);
        let mut is_read = changed.iter().any(|at| first[*at] != second[*at]);
        // What a call writes whatever was there it writes where a small number was, too.
        let is_first_written = changed.first().is_some_and(|at| *at < bytes);
        for small in &calls[PLAIN..] {
            let left = of_pattern(small)?;
            is_read |= is_first_written && left[..bytes.min(left.len())] != first[..bytes.min(first.len())];
        }
        Some(Left { written, is_read, reads_several })
    }
}

/// What many calls show; nothing where they are too few. `numbers` are those of the parameters in each call.
fn stands(left: &[Left], numbers: &[BTreeMap<usize, i128>]) -> Option<Stands> {
    if left.len() < FEW {
        return None;
    }
    let most = left.iter().map(|left| left.written).max().unwrap_or(0);
    let is_read = left.iter().any(|left| left.is_read);
    let reads_several = left.iter().any(|left| left.reads_several);
    Some(match most {
        _ if reads_several => Stands::Several { most, count: None },
        0 => Stands::Unwritten(left.len()),
        1 => Stands::One { is_read },
        // Elements that are read before have to be said too.
        _ if is_read => Stands::Several { most, count: None },
        _ => Stands::Several { most, count: count(left, numbers) },
    })
}

/// The number of elements that explains all calls that wrote some, the simplest of those that do. It needs calls of several numbers, or many of one.
fn count(left: &[Left], numbers: &[BTreeMap<usize, i128>]) -> Option<Count> {
    let rows: Vec<(i128, &BTreeMap<usize, i128>)> = left
        .iter()
        .zip(numbers)
        .filter(|(left, _)| left.written > 0)
        .map(|(left, of)| (left.written as i128, of))
        .collect();
    let first = rows.first()?.0;
    if rows.len() >= 2 * FEW && rows.iter().all(|(written, _)| *written == first) {
        return Some(Count { of: None, less: None, more: first });
    }
    let different = rows.iter().map(|(written, _)| *written).collect::<std::collections::BTreeSet<i128>>();
    if rows.len() < FEW || different.len() < 3 {
        return None;
    }
    let places: Vec<usize> = rows[0].1.keys().copied().collect();
    let singles = places.iter().map(|of| (Some(*of), None));
    let pairs = places
        .iter()
        .flat_map(|of| places.iter().map(move |less| (Some(*of), Some(*less))))
        .filter(|(of, less)| of != less);
    singles.chain(pairs).find_map(|(of, less)| {
        let value =
            |numbers: &BTreeMap<usize, i128>, place: Option<usize>| place.map_or(0, |place| numbers[&place]);
        let difference = |(written, numbers): &(i128, &BTreeMap<usize, i128>)| {
            written - value(numbers, of) + value(numbers, less)
        };
        let more = difference(&rows[0]);
        (more.abs() <= 2 && rows.iter().all(|row| difference(row) == more)).then_some(Count {
            of,
            less,
            more,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(written: &[usize], numbers: impl Fn(usize) -> Vec<i128>) -> Option<Stands> {
        let left: Vec<Left> = written
            .iter()
            .map(|written| Left { written: *written, is_read: false, reads_several: false })
            .collect();
        let numbers: Vec<BTreeMap<usize, i128>> =
            (0..written.len()).map(|row| numbers(row).into_iter().enumerate().collect()).collect();
        stands(&left, &numbers)
    }

    #[test]
    fn arrays_are_told_from_single_outputs_by_what_calls_write() {
        assert_eq!(seen(&[1; 20], |_| vec![]), Some(Stands::One { is_read: false }));
        assert_eq!(seen(&[0; 20], |_| vec![]), Some(Stands::Unwritten(20)));
        assert_eq!(seen(&[1; 7], |_| vec![]), None, "few calls tell nothing");
        let three = Count { of: None, less: None, more: 3 };
        assert_eq!(seen(&[3; 20], |_| vec![]), Some(Stands::Several { most: 3, count: Some(three) }));
        assert_eq!(seen(&[3; 10], |_| vec![]), Some(Stands::Several { most: 3, count: None }));
    }

    #[test]
    fn the_number_of_elements_is_that_of_the_arguments_where_one_form_fits_all_calls() {
        let to_seven: Vec<usize> = (1..=20).map(|row| row % 7 + 1).collect();
        let count = Count { of: Some(1), less: None, more: 1 };
        let seen_of_one = seen(&to_seven, |row| vec![4, (row as i128 + 1) % 7]);
        assert_eq!(seen_of_one, Some(Stands::Several { most: 7, count: Some(count) }));
        let between: Vec<usize> = (0..20).map(|row| row % 5 + 1).collect();
        let count = Count { of: Some(1), less: Some(0), more: 1 };
        let seen_of_two = seen(&between, |row| vec![row as i128 / 3, row as i128 / 3 + (row as i128) % 5]);
        assert_eq!(seen_of_two, Some(Stands::Several { most: 5, count: Some(count) }));
        assert_eq!(seen(&to_seven, |_| vec![4, 5]), Some(Stands::Several { most: 7, count: None }));
    }
}
