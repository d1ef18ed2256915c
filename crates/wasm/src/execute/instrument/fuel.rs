//! Fuel: a counter in a global, charged at function entry and at each loop header with the number of
//! instructions of that region. The engine's own fuel belongs to a store and could not be reset for
//! each row inside a loop over rows; this one is also the same in every version of the engine.

use wasm_encoder::{BlockType, Function, InstructionSink};
use wasmparser::Operator;

use super::Added;

/// What growing memory by a page or less costs, beside the instruction.
const GROW: u64 = 1000;

/// The charges of one function body.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Charges {
    /// At entry: the instructions outside loops.
    pub entry: u64,
    /// At each loop header in code order: the instructions of that loop without those of loops inside it.
    pub loops: Vec<u64>,
}

impl Charges {
    pub(super) fn of(operators: &[(Operator<'_>, usize)]) -> Charges {
        let mut charges = Charges { entry: 1, loops: Vec::new() };
        // The loop that each open block belongs to; `None` is the function itself.
        let mut open: Vec<Option<usize>> = vec![None];
        for (operator, _) in operators {
            let region = open.last().copied().flatten();
            match operator {
                Operator::Loop { .. } => {
                    open.push(Some(charges.loops.len()));
                    charges.loops.push(1);
                    continue;
                }
                Operator::Block { .. } | Operator::If { .. } | Operator::TryTable { .. } => open.push(region),
                Operator::End => {
                    open.pop();
                    continue;
                }
                _ => {}
            }
            let units = if matches!(operator, Operator::MemoryGrow { .. }) { GROW } else { 1 };
            match region {
                Some(of) => charges.loops[of] += units,
                None => charges.entry += units,
            }
        }
        charges
    }
}

/// Takes a constant from the fuel and stops the call where it runs out.
pub(super) fn charge(code: &mut InstructionSink<'_>, added: &Added, units: u64) {
    code.global_get(added.fuel).i64_const(units as i64).i64_sub().global_set(added.fuel);
    stop_when_empty(code, added);
}

fn stop_when_empty(code: &mut InstructionSink<'_>, added: &Added) {
    code.global_get(added.fuel).i64_const(0).i64_lt_s().if_(BlockType::Empty).unreachable().end();
}

/// Takes fuel for a bulk operation: an eighth of the length in `length`, as its loop would cost.
pub(super) fn charge_length(code: &mut InstructionSink<'_>, added: &Added, length: u32) {
    code.local_get(length)
        .i64_extend_i32_u()
        .i64_const(3)
        .i64_shr_u()
        .i64_const(1)
        .i64_add()
        .call(added.charge);
}

/// The function `charge(units: i64)`.
pub(super) fn charge_function(added: &Added) -> Function {
    let mut function = Function::new([]);
    let mut code = function.instructions();
    code.global_get(added.fuel).local_get(0).i64_sub().global_set(added.fuel);
    stop_when_empty(&mut code, added);
    code.end();
    function
}

#[cfg(test)]
mod tests {
    use dodona_subject::Module;

    use super::*;

    fn charges(code: &str) -> Charges {
        let wat = format!("(module (memory 1) (func (local i32) {code}))");
        let module = Module::parse(wat::parse_str(wat).expect("the code is valid")).expect("it parses");
        Charges::of(&module.operators(0))
    }

    #[test]
    fn straight_code_is_charged_at_entry_by_its_instructions() {
        // One for the call itself.
        assert_eq!(charges(""), Charges { entry: 1, loops: vec![] });
        assert_eq!(charges("(local.set 0 (i32.const 1))"), Charges { entry: 3, loops: vec![] });
    }

    #[test]
    fn a_loop_is_charged_at_its_header_without_the_loops_inside() {
        let code = "nop (loop nop nop (loop nop (br 0)) nop) nop";
        assert_eq!(charges(code), Charges { entry: 3, loops: vec![4, 3] });
        // Blocks belong to the loop around them.
        assert_eq!(charges("(loop (block nop (br 1)))"), Charges { entry: 1, loops: vec![4] });
    }

    #[test]
    fn growing_memory_costs_more_than_an_instruction() {
        let growing = charges("(drop (memory.grow (i32.const 1)))");
        assert_eq!(growing.entry, 1 + 1 + GROW + 1);
    }
}
