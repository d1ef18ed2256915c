//! What single instructions do to origins, and which of them leave a trace.

use dodona_subject::fixed_arity;
use wasmparser::Operator;

use super::Effect;
use super::flow::Flow;
use super::origin::Origins;
use crate::execute::instrument::Store;

impl<'m> Flow<'_, 'm> {
    /// An operator that neither branches nor calls.
    pub(super) fn plain(&mut self, operator: &Operator<'m>) {
        use Operator as O;
        match operator {
            O::LocalGet { local_index } => {
                let origins = self.local(*local_index);
                self.push(origins);
            }
            O::LocalSet { local_index } => {
                let origins = self.pop();
                self.set_local(*local_index, origins);
            }
            O::LocalTee { local_index } => {
                let origins = self.pop();
                self.set_local(*local_index, origins);
                self.push(origins);
            }
            O::GlobalGet { global_index } if Some(*global_index) == self.graph.stack => {
                self.push(Origins::FRAME);
            }
            O::GlobalSet { global_index } => {
                self.pop();
                if Some(*global_index) != self.graph.stack {
                    self.effect(Effect::SetsGlobal(*global_index));
                }
            }
            O::Select | O::TypedSelect { .. } => {
                self.pop();
                self.join_two();
            }
            O::I32Add | O::I32And | O::I32Or | O::I64Add | O::I64And | O::I64Or => self.join_two(),
            // The difference of a pointer and a number is a pointer, that of two pointers is read as one too.
            O::I32Sub | O::I64Sub | O::I64Shl | O::I64ShrU | O::I64ShrS => {
                self.pop();
            }
            O::I32WrapI64 | O::I64ExtendI32U | O::I64ExtendI32S => {}
            O::I32Load { memarg } | O::I64Load { memarg } if memarg.memory == 0 => {
                let address = self.pop();
                let loaded = if address.is_none() { Origins::NONE } else { self.graph.contents() };
                self.push(loaded);
            }
            _ => self.writes(operator),
        }
    }

    fn writes(&mut self, operator: &Operator<'m>) {
        use Operator as O;
        let at = self.point();
        if let Some(store) = Store::of_operator(operator) {
            let (value, address) = (self.pop(), self.pop());
            let address = if store.memory == 0 { address } else { Origins::NONE };
            return self.graph.store(address, value, at);
        }
        match operator {
            O::MemoryFill { mem } | O::MemoryCopy { dst_mem: mem, .. } | O::MemoryInit { mem, .. } => {
                let destination = self.pop_many(3)[0];
                let destination = if *mem == 0 { destination } else { Origins::NONE };
                return self.graph.store(destination, Origins::NONE, at);
            }
            O::MemoryGrow { .. } => self.effect(Effect::GrowsMemory),
            O::TableSet { .. }
            | O::TableGrow { .. }
            | O::TableFill { .. }
            | O::TableCopy { .. }
            | O::TableInit { .. } => self.effect(Effect::WritesTable),
            O::DataDrop { .. } | O::ElemDrop { .. } => self.effect(Effect::DropsSegment),
            _ => {}
        }
        self.other(operator);
    }

    /// An operator that only computes: plain numbers in, plain numbers out.
    fn other(&mut self, operator: &Operator<'m>) {
        match fixed_arity(operator) {
            Some((pops, pushes)) => {
                self.pop_many(pops as usize);
                self.push_many(pushes as usize, Origins::NONE);
            }
            None => {
                self.effect(Effect::NotFollowed);
                self.state = None;
            }
        }
    }
}
