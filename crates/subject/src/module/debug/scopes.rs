//! The inside of functions: their parameters, the calls that were inlined into them, and which
//! variables their WebAssembly locals hold where.

use std::collections::BTreeMap;
use std::ops::Range;

use gimli::{AttributeValue, Operation};

use super::entries::{name, type_of};
use super::files::Files;
use super::lines::is_dropped;
use super::{DebugInfo, DebugParameter, Dwarf, Entry, Location, Slice, Subprogram, Unit};

/// A call that the compiler replaced by a copy of the function's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlinedCall {
    /// The name of the function that was inlined, as linked where the compiler gave that.
    pub function: String,
    /// Where it was called from.
    pub call: Option<Location>,
    /// The calls around it: its distance from the function's own code, from 0.
    pub(super) depth: usize,
    /// The code of the copy, calls inlined into it included.
    pub(super) ranges: Vec<Range<usize>>,
}

/// A variable in a WebAssembly local.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) local: u32,
    /// Where the local holds it.
    pub(super) ranges: Vec<Range<usize>>,
}

/// What stands inside a function's code.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) subprogram: Subprogram,
    /// Outer calls before inner ones.
    pub(super) inlined: Vec<InlinedCall>,
    /// Outer scopes before inner ones.
    pub(super) variables: Vec<Variable>,
}

/// A local and the code where it holds a variable.
type Place = (u32, Vec<Range<usize>>);

/// The function whose entries are being read.
struct Open {
    start: usize,
    depth: isize,
    body: Body,
    /// Depth in the tree of the scopes around, outermost first, each with its code.
    scopes: Vec<(isize, Vec<Range<usize>>, Kind)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Inlined,
    Block,
}

/// What reading entries needs at every step.
struct Reader<'a, 'd> {
    dwarf: &'d Dwarf<'a>,
    unit: &'d Unit<'a>,
    code: usize,
}

impl DebugInfo {
    pub(super) fn add_bodies(
        &mut self,
        dwarf: &Dwarf<'_>,
        unit: &Unit<'_>,
        files: &mut Files,
        code: usize,
    ) -> Result<(), gimli::Error> {
        let reader = Reader { dwarf, unit, code };
        let mut entries = unit.entries();
        let mut open: Option<Open> = None;
        while let Some(entry) = entries.next_dfs()? {
            if let Some(done) = open.take_if(|o| entry.depth() <= o.depth) {
                self.bodies.insert(done.start, done.body);
            }
            match &mut open {
                Some(open) => reader.add(entry, open, files)?,
                None => open = reader.open(entry)?,
            }
        }
        if let Some(done) = open {
            self.bodies.insert(done.start, done.body);
        }
        Ok(())
    }
}

impl<'a> Reader<'a, '_> {
    /// Starts a function that has code.
    fn open(&self, entry: &Entry<'a>) -> Result<Option<Open>, gimli::Error> {
        if entry.tag() != gimli::DW_TAG_subprogram {
            return Ok(None);
        }
        let Some(start) = self.low_pc(entry)? else { return Ok(None) };
        let subprogram = Subprogram {
            name: name(self.dwarf, self.unit, entry, 0)?.unwrap_or_default(),
            parameters: Vec::new(),
            result: type_of(self.dwarf, self.unit, entry, 0)?,
            locals: BTreeMap::new(),
        };
        let body = Body { subprogram, inlined: Vec::new(), variables: Vec::new() };
        let scopes = vec![(entry.depth(), self.ranges(entry)?, Kind::Block)];
        Ok(Some(Open { start, depth: entry.depth(), body, scopes }))
    }

    fn add(&self, entry: &Entry<'a>, open: &mut Open, files: &mut Files) -> Result<(), gimli::Error> {
        open.scopes.retain(|(depth, ..)| *depth < entry.depth());
        match entry.tag() {
            gimli::DW_TAG_inlined_subroutine => {
                let ranges = self.ranges(entry)?;
                let depth = open.scopes.iter().filter(|(_, _, kind)| *kind == Kind::Inlined).count();
                open.body.inlined.push(InlinedCall {
                    function: name(self.dwarf, self.unit, entry, 0)?.unwrap_or_default(),
                    call: self.call_place(entry, files)?,
                    depth,
                    ranges: ranges.clone(),
                });
                open.scopes.push((entry.depth(), ranges, Kind::Inlined));
            }
            gimli::DW_TAG_lexical_block => {
                open.scopes.push((entry.depth(), self.ranges(entry)?, Kind::Block));
            }
            gimli::DW_TAG_formal_parameter | gimli::DW_TAG_variable => self.add_variable(entry, open)?,
            _ => {}
        }
        Ok(())
    }

    fn add_variable(&self, entry: &Entry<'a>, open: &mut Open) -> Result<(), gimli::Error> {
        let Some(name) = name(self.dwarf, self.unit, entry, 0)? else { return Ok(()) };
        let scope = open.scopes.last().map(|(_, ranges, _)| ranges.as_slice()).unwrap_or_default();
        for (local, range) in self.places(entry, scope)? {
            open.body.subprogram.locals.entry(local).or_insert_with(|| name.clone());
            match open.body.variables.last_mut() {
                Some(last) if last.name == name && last.local == local => last.ranges.extend(range),
                _ => {
                    let ranges = range.into_iter().collect();
                    open.body.variables.push(Variable { name: name.clone(), local, ranges });
                }
            }
        }
        if entry.tag() == gimli::DW_TAG_formal_parameter && entry.depth() == open.depth + 1 {
            let ty = type_of(self.dwarf, self.unit, entry, 0)?;
            open.body.subprogram.parameters.push(DebugParameter { name, ty });
        }
        Ok(())
    }

    /// The locals that hold a variable, and where; all over its scope where it has one location.
    fn places(&self, entry: &Entry<'a>, scope: &[Range<usize>]) -> Result<Vec<Place>, gimli::Error> {
        let Some(value) = entry.attr_value(gimli::DW_AT_location) else { return Ok(Vec::new()) };
        if let AttributeValue::Exprloc(expression) = value {
            let local = wasm_local(expression, self.unit)?;
            return Ok(local.map(|l| (l, scope.to_vec())).into_iter().collect());
        }
        let mut places = Vec::new();
        let Some(mut locations) = self.dwarf.attr_locations(self.unit, value)? else { return Ok(places) };
        while let Some(location) = locations.next()? {
            if let Some(local) = wasm_local(location.data, self.unit)? {
                places.push((local, self.range(location.range).into_iter().collect()));
            }
        }
        Ok(places)
    }

    fn call_place(&self, entry: &Entry<'a>, files: &mut Files) -> Result<Option<Location>, gimli::Error> {
        let number = |name| entry.attr_value(name).and_then(|v| v.udata_value());
        let file = match entry.attr_value(gimli::DW_AT_call_file) {
            Some(AttributeValue::FileIndex(index)) => Some(index),
            Some(value) => value.udata_value(),
            None => None,
        };
        let (Some(file), Some(line)) = (file, number(gimli::DW_AT_call_line)) else { return Ok(None) };
        if self.unit.line_program.is_none() {
            return Ok(None);
        }
        let file = files.name(self.dwarf, self.unit, file)?;
        let column = number(gimli::DW_AT_call_column).unwrap_or(0);
        Ok(Some(Location { file, line: line as u32, column: column as u32 }))
    }

    fn low_pc(&self, entry: &Entry<'a>) -> Result<Option<usize>, gimli::Error> {
        let low = match entry.attr_value(gimli::DW_AT_low_pc) {
            Some(value) => self.dwarf.attr_address(self.unit, value)?,
            None => None,
        };
        Ok(low.filter(|low| !is_dropped(*low)).map(|low| self.code + low as usize))
    }

    /// The code of an entry, from its range list or its ends.
    fn ranges(&self, entry: &Entry<'a>) -> Result<Vec<Range<usize>>, gimli::Error> {
        let mut ranges = Vec::new();
        let mut found = self.dwarf.die_ranges(self.unit, entry)?;
        while let Some(range) = found.next()? {
            ranges.extend(self.range(range));
        }
        Ok(ranges)
    }

    fn range(&self, range: gimli::Range) -> Option<Range<usize>> {
        let is_code = !is_dropped(range.begin) && range.begin < range.end && !is_dropped(range.end);
        is_code.then(|| self.code + range.begin as usize..self.code + range.end as usize)
    }
}

/// The local that holds a variable as a whole: not a part of it, nor its address.
fn wasm_local<'a>(
    expression: gimli::Expression<Slice<'a>>,
    unit: &Unit<'a>,
) -> Result<Option<u32>, gimli::Error> {
    let mut operations = expression.operations(unit.encoding());
    let Some(Operation::WasmLocal { index }) = operations.next()? else { return Ok(None) };
    Ok(match (operations.next()?, operations.next()?) {
        (None | Some(Operation::StackValue), None) => Some(index),
        _ => None,
    })
}
