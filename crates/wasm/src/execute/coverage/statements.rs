//! Statements: the source lines of blocks, or the blocks themselves.

use std::collections::{BTreeMap, BTreeSet};

use dodona_subject::{CodePoint, DebugInfo, Location, Module};
use wasmparser::Operator;

use super::{Block, CoverageMap, RowCoverage};

/// What statement coverage counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statement {
    /// A line of a source file that debug information gives to an instruction.
    Line {
        /// The file's path as recorded.
        file: String,
        /// The line, from 1.
        line: u32,
    },
    /// A basic block, by its first instruction.
    Block(CodePoint),
}

/// Which code has statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatementScope {
    /// The lines whose source is at hand, which those of libraries are not. Where there is none, all blocks.
    #[default]
    AtHand,
    /// All lines, and the blocks of code that has none.
    All,
}

/// The statements of a [`CoverageMap`]: files and lines in order, then blocks in code order.
///
/// A line is run as often as the block of it that is run most; where it is in several functions or inlined several times, these
/// add up. A line that traps was run; what follows in its block was not.
#[derive(Clone, Debug)]
pub struct Statements {
    statements: Vec<Statement>,
    /// Sorted by statement, then copy.
    parts: Vec<Part>,
}

/// Instructions of a statement in one block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    statement: u32,
    /// The function with the inlined call in it that the code belongs to.
    copy: (u32, u32),
    block: u32,
    /// The first of the instructions.
    first: u32,
}

/// A line before it has a number.
type Line<'a> = (&'a str, u32);

impl Statements {
    /// Finds the statements of a map. `at_hand` tells whether the source of a location is.
    pub fn of(
        module: &Module,
        debug: Option<&DebugInfo>,
        map: &CoverageMap,
        scope: StatementScope,
        at_hand: &mut dyn FnMut(&Location) -> bool,
    ) -> Statements {
        let mut lines = debug.map_or_else(Lines::default, |debug| Lines::of(module, debug, map));
        if scope == StatementScope::AtHand {
            lines.keep(at_hand);
        }
        let with_lines: BTreeSet<u32> = lines.0.values().flatten().map(|piece| piece.block).collect();
        let mut made = lines.into_statements();
        if with_lines.is_empty() || scope == StatementScope::All {
            let blocks = (0..).zip(&map.blocks).filter(|(number, _)| !with_lines.contains(number));
            blocks
                .filter(|(_, block)| !is_end(module, block))
                .for_each(|(number, block)| made.add_block(number, block));
        }
        made.parts.sort_unstable();
        made
    }

    fn add_block(&mut self, number: u32, block: &Block) {
        let statement = self.statements.len() as u32;
        let CodePoint { function, instruction } = block.point();
        self.statements.push(Statement::Block(block.point()));
        self.parts.push(Part { statement, copy: (function, 0), block: number, first: instruction });
    }

    /// The statements, in the order of their numbers.
    pub fn as_slice(&self) -> &[Statement] {
        &self.statements
    }

    /// How often a row ran each statement.
    pub fn counts(&self, row: &RowCoverage, map: &CoverageMap) -> Vec<u64> {
        let stopped = row.stopped.and_then(|at| Some((map.block_of(at)?, at.instruction)));
        let runs = |part: &Part| {
            let cut = stopped.is_some_and(|(block, at)| block == part.block as usize && at < part.first);
            row.blocks[part.block as usize].saturating_sub(u32::from(cut))
        };
        let mut counts = vec![0; self.statements.len()];
        for copy in self.parts.chunk_by(|a, b| (a.statement, a.copy) == (b.statement, b.copy)) {
            counts[copy[0].statement as usize] += u64::from(copy.iter().map(runs).max().unwrap_or(0));
        }
        counts
    }
}

impl Statements {
    /// The statements that a row ran, one after the other, by their numbers: the path of definition 1 of Sun et al. (2021). `None` where the
    /// order of blocks was not noted.
    ///
    /// The statements of a block stand in the order of their first instructions. A statement that goes on in a later block of the code is run
    /// once; where control comes back to it, it is run again.
    pub fn sequence(&self, row: &RowCoverage, map: &CoverageMap) -> Option<Vec<u32>> {
        let stopped = row.stopped.and_then(|at| Some((map.block_of(at)? as u32, at.instruction)));
        let (order, of_blocks) = (row.order.as_ref()?, self.by_block(map.blocks.len()));
        let mut sequence = Vec::new();
        let mut last: Option<(u32, u32)> = None;
        for (step, &block) in order.blocks.iter().enumerate() {
            // Only the last block may have been left in its middle.
            let is_last = step + 1 == order.blocks.len() && !order.is_cut;
            let cut = stopped.filter(|(at, _)| is_last && *at == block).map(|(_, at)| at);
            for &(first, statement) in &of_blocks[block as usize] {
                if cut.is_some_and(|at| at < first) {
                    break;
                }
                let goes_on = last.is_some_and(|(of, before)| of == statement && before < block);
                if !goes_on {
                    sequence.push(statement);
                }
                last = Some((statement, block));
            }
        }
        Some(sequence)
    }

    /// Of each block its statements with their first instructions, in that order.
    fn by_block(&self, blocks: usize) -> Vec<Vec<(u32, u32)>> {
        let mut of_blocks = vec![Vec::new(); blocks];
        for part in &self.parts {
            of_blocks[part.block as usize].push((part.first, part.statement));
        }
        for statements in &mut of_blocks {
            statements.sort_unstable();
            statements.dedup_by_key(|(_, statement)| *statement);
        }
        of_blocks
    }
}

/// The lines of a map with their instructions.
#[derive(Default)]
struct Lines<'a>(BTreeMap<Line<'a>, Vec<Part>>);

impl<'a> Lines<'a> {
    fn of(module: &Module, debug: &'a DebugInfo, map: &CoverageMap) -> Lines<'a> {
        let placed = placed(module, debug, map);
        // Where a file has columns, code without one was made or moved by the compiler, and stands only near its line.
        let precise: BTreeSet<&str> = placed
            .iter()
            .filter(|(_, _, place)| place.column > 0)
            .map(|(_, _, place)| &*place.file)
            .collect();
        let mut lines = Lines::default();
        for (part, offset, place) in &placed {
            if place.column > 0 || !precise.contains(&*place.file) {
                let copy = (part.copy.0, debug.inline_instance(*offset).id);
                lines.add(place, Part { copy, ..part.clone() });
            }
        }
        for part in &map.functions {
            // The line that a function begins on is run with its first block.
            let (number, opening) =
                (part.blocks.start, module.body_range(part.function).map(|body| body.start));
            let place = opening.and_then(|at| debug.location_at(at));
            if let (Some(place), Some(block)) = (place, map.blocks[part.blocks.clone()].first()) {
                lines.add(place, piece(number, block, block.instructions.start));
            }
        }
        lines
    }

    fn add(&mut self, place: &'a Location, part: Part) {
        let pieces = self.0.entry((&place.file, place.line)).or_default();
        match pieces.iter_mut().find(|p| (p.block, p.copy) == (part.block, part.copy)) {
            Some(known) => known.first = known.first.min(part.first),
            None => pieces.push(part),
        }
    }

    fn keep(&mut self, at_hand: &mut dyn FnMut(&Location) -> bool) {
        let mut known: BTreeMap<&str, bool> = BTreeMap::new();
        self.0.retain(|&(file, line), _| {
            *known
                .entry(file)
                .or_insert_with(|| at_hand(&Location { file: file.to_owned(), line, column: 0 }))
        });
    }

    fn into_statements(self) -> Statements {
        let mut made = Statements { statements: Vec::new(), parts: Vec::new() };
        for (statement, ((file, line), pieces)) in (0..).zip(self.0) {
            made.statements.push(Statement::Line { file: file.to_owned(), line });
            made.parts.extend(pieces.into_iter().map(|piece| Part { statement, ..piece }));
        }
        made
    }
}

/// An instruction of a block in the function's own code, of a statement that has no number yet.
fn piece(number: usize, block: &Block, first: u32) -> Part {
    Part { statement: 0, copy: (block.function, 0), block: number as u32, first }
}

/// The instructions of all blocks that have a place in the source, with their offsets.
fn placed<'a>(module: &Module, debug: &'a DebugInfo, map: &CoverageMap) -> Vec<(Part, usize, &'a Location)> {
    let mut placed = Vec::new();
    for part in &map.functions {
        let operators = module.operators(part.function);
        for number in part.blocks.clone() {
            let block = &map.blocks[number];
            for at in block.instructions.clone() {
                let (operator, offset) = &operators[at as usize];
                let is_last = at as usize + 1 == operators.len();
                if let Some(place) = debug.location_at(*offset)
                    && (is_last || !is_structure(operator))
                {
                    placed.push((piece(number, block, at), *offset, place));
                }
            }
        }
    }
    placed
}

/// Whether a block is the end of its function and nothing else.
fn is_end(module: &Module, block: &Block) -> bool {
    // The last byte of a body is its final `end`.
    let last = module.body_range(block.function).map(|range| range.end - 1);
    block.instructions.len() == 1 && module.offset_of(block.point()) == last
}

/// Whether an operator only gives the code its form: a debugger's line for it says nothing of what runs.
fn is_structure(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(operator, O::Block { .. } | O::Loop { .. } | O::Else | O::End | O::TryTable { .. })
}
