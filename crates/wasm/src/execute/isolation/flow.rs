//! Abstract interpretation of one function: the origins of every local and operand, joined where control meets.

use dodona_subject::{CodePoint, Module};
use wasmparser::{BlockType, Operator};

use super::Effect;
use super::graph::Graph;
use super::origin::Origins;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    locals: Vec<Origins>,
    stack: Vec<Origins>,
}

impl State {
    fn join(&mut self, other: &State) -> bool {
        let mut changed = false;
        let mine = self.locals.iter_mut().chain(&mut self.stack);
        for (a, b) in mine.zip(other.locals.iter().chain(&other.stack)) {
            changed |= (*a | *b) != *a;
            *a = *a | *b;
        }
        changed
    }

    /// The state as a label sees it: only the label's values stay above the block's height.
    fn at_label(&self, height: usize, values: usize) -> State {
        let mut stack = self.stack[..height.min(self.stack.len())].to_vec();
        stack.extend_from_slice(&self.stack[self.stack.len().saturating_sub(values)..]);
        State { locals: self.locals.clone(), stack }
    }
}

struct Block {
    height: usize,
    results: usize,
    /// For a loop: its parameters, its state at the header and the first instruction inside.
    repeat: Option<Loop>,
    /// For an `if` whose `else` was not seen yet: the state on entry.
    otherwise: Option<State>,
    /// What flows out of the end so far.
    exit: Option<State>,
}

struct Loop {
    parameters: usize,
    header: State,
    start: usize,
    again: bool,
}

/// The interpretation of one function.
pub(super) struct Flow<'g, 'm> {
    pub(super) graph: &'g mut Graph<'m>,
    function: u32,
    at: usize,
    blocks: Vec<Block>,
    /// `None` in code that is not reached.
    pub(super) state: Option<State>,
}

impl<'g, 'm> Flow<'g, 'm> {
    /// Interprets a function with its parameters as known, and tells the graph what it finds.
    pub(super) fn run(graph: &'g mut Graph<'m>, function: u32) {
        if graph.is_too_long() {
            return;
        }
        let module = graph.module;
        let operators: Vec<Operator<'m>> = module.operators(function).into_iter().map(|(o, _)| o).collect();
        let results = module.function_type(function).map_or(0, |t| t.results().len());
        let state = State { locals: locals(graph, function), stack: Vec::new() };
        let whole = Block { height: 0, results, repeat: None, otherwise: None, exit: None };
        let mut flow = Flow { graph, function, at: 0, blocks: vec![whole], state: Some(state) };
        while flow.at < operators.len() && !flow.graph.is_too_long() {
            flow.graph.spend(1);
            flow.step(&operators);
        }
    }

    fn step(&mut self, operators: &[Operator<'m>]) {
        let operator = &operators[self.at];
        match operator {
            Operator::Else => self.otherwise(),
            Operator::End => return self.end(),
            _ if self.state.is_none() => return self.skip(operators),
            Operator::Block { blockty } => self.open(*blockty, None),
            Operator::Loop { blockty } => self.open_loop(*blockty),
            Operator::TryTable { try_table } => {
                self.effect(Effect::NotFollowed);
                self.open(try_table.ty, None);
            }
            Operator::If { blockty } => self.open_if(*blockty),
            Operator::Br { relative_depth } => {
                self.branch(*relative_depth);
                self.state = None;
            }
            Operator::BrIf { relative_depth } => {
                self.pop();
                self.branch(*relative_depth);
            }
            Operator::BrTable { targets } => {
                self.pop();
                let all: Vec<u32> = targets.targets().flatten().chain([targets.default()]).collect();
                all.into_iter().for_each(|target| self.branch(target));
                self.state = None;
            }
            Operator::Return => self.leave(),
            Operator::Unreachable => self.state = None,
            _ => self.calls(operator, operators),
        }
        self.at += 1;
    }

    /// Passes over code that is not reached, up to the end of the innermost block.
    fn skip(&mut self, operators: &[Operator<'m>]) {
        let mut depth = 0;
        while let Some(operator) = operators.get(self.at) {
            match operator {
                Operator::Block { .. }
                | Operator::Loop { .. }
                | Operator::If { .. }
                | Operator::TryTable { .. } => depth += 1,
                Operator::Else | Operator::End if depth == 0 => return,
                Operator::End => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn arity(&self, ty: BlockType) -> (usize, usize) {
        match ty {
            BlockType::Empty => (0, 0),
            BlockType::Type(_) => (0, 1),
            BlockType::FuncType(index) => {
                let ty = self.graph.module.type_at(index);
                ty.map_or((0, 0), |t| (t.params().len(), t.results().len()))
            }
        }
    }

    fn open(&mut self, ty: BlockType, otherwise: Option<State>) {
        let (parameters, results) = self.arity(ty);
        let height = self.state.as_ref().map_or(0, |s| s.stack.len().saturating_sub(parameters));
        self.blocks.push(Block { height, results, repeat: None, otherwise, exit: None });
    }

    /// How many origins a copy of the present state has.
    fn size(&self) -> usize {
        self.state.as_ref().map_or(0, |state| state.locals.len() + state.stack.len())
    }

    fn open_loop(&mut self, ty: BlockType) {
        self.graph.spend(self.size());
        let parameters = self.arity(ty).0;
        self.open(ty, None);
        let start = self.at + 1;
        if let (Some(block), Some(state)) = (self.blocks.last_mut(), &self.state) {
            block.repeat = Some(Loop { parameters, header: state.clone(), start, again: false });
        }
    }

    fn open_if(&mut self, ty: BlockType) {
        self.pop();
        self.graph.spend(self.size());
        let entry = self.state.clone();
        self.open(ty, entry);
    }

    fn otherwise(&mut self) {
        self.flow_out();
        if let Some(block) = self.blocks.last_mut() {
            self.state = block.otherwise.take();
        }
    }

    /// Joins the present state into the exit of the innermost block.
    fn flow_out(&mut self) {
        if let (Some(_), Some(depth)) = (&self.state, self.blocks.len().checked_sub(1)) {
            self.join_exit(depth);
        }
    }

    fn join_exit(&mut self, block: usize) {
        self.graph.spend(self.size());
        let (Some(state), Some(block)) = (&self.state, self.blocks.get_mut(block)) else { return };
        let state = state.at_label(block.height, block.results);
        match &mut block.exit {
            Some(exit) => {
                exit.join(&state);
            }
            none => *none = Some(state),
        }
    }

    fn end(&mut self) {
        self.flow_out();
        let Some(mut block) = self.blocks.pop() else {
            self.at += 1;
            return;
        };
        if let Some(repeat) = &mut block.repeat
            && std::mem::take(&mut repeat.again)
        {
            // What was seen with less known of the header is seen again.
            self.graph.forget(self.function, repeat.start as u32..self.at as u32);
            self.state = Some(repeat.header.clone());
            self.at = repeat.start;
            self.blocks.push(block);
            return;
        }
        // An `if` without `else` also flows out with its entry state.
        self.state = match (block.exit, block.otherwise) {
            (Some(mut exit), Some(entry)) => {
                exit.join(&entry);
                Some(exit)
            }
            (exit, entry) => exit.or(entry),
        };
        if self.blocks.is_empty() {
            self.returns();
        }
        self.at += 1;
    }

    fn branch(&mut self, depth: u32) {
        self.graph.spend(self.size());
        let Some(target) = self.blocks.len().checked_sub(1 + depth as usize) else { return };
        let block = &mut self.blocks[target];
        let Some(repeat) = &mut block.repeat else { return self.join_exit(target) };
        if let Some(state) = &self.state {
            repeat.again |= repeat.header.join(&state.at_label(block.height, repeat.parameters));
        }
    }

    fn leave(&mut self) {
        self.returns();
        self.state = None;
    }

    fn returns(&mut self) {
        let results = self.graph.module.function_type(self.function).map_or(0, |t| t.results().len());
        if let Some(state) = &self.state {
            let from = state.stack.len().saturating_sub(results);
            let joined = state.stack[from..].iter().fold(Origins::NONE, |a, b| a | *b);
            self.graph.returns(self.function, joined);
        }
    }

    fn calls(&mut self, operator: &Operator<'m>, operators: &[Operator<'m>]) {
        let doomed = ends_in_trap(&operators[self.at + 1..]);
        match operator {
            Operator::Call { .. } | Operator::CallIndirect { .. } if doomed => {
                self.graph.doom();
                self.state = None;
            }
            Operator::Call { function_index } => self.call(*function_index),
            Operator::CallIndirect { type_index, .. } => self.call_indirect(*type_index),
            Operator::ReturnCall { function_index } => {
                self.call(*function_index);
                self.leave();
            }
            Operator::ReturnCallIndirect { type_index, .. } => {
                self.call_indirect(*type_index);
                self.leave();
            }
            _ => self.plain(operator),
        }
    }

    fn call(&mut self, callee: u32) {
        let Some(ty) = self.graph.module.function_type(callee) else { return };
        let arguments = self.pop_many(ty.params().len());
        let at = self.point();
        let result = self.graph.enter(callee, &arguments, at);
        self.push_many(ty.results().len(), result);
    }

    fn call_indirect(&mut self, type_index: u32) {
        self.pop();
        let Some(ty) = self.graph.module.type_at(type_index) else { return };
        let arguments = self.pop_many(ty.params().len());
        let at = self.point();
        let result = self.graph.enter_any(type_index, &arguments, at);
        self.push_many(ty.results().len(), result);
    }

    pub(super) fn join_two(&mut self) {
        let joined = self.pop() | self.pop();
        self.push(joined);
    }

    pub(super) fn point(&self) -> CodePoint {
        CodePoint { function: self.function, instruction: self.at as u32 }
    }

    pub(super) fn effect(&mut self, effect: Effect) {
        let at = self.point();
        self.graph.effect(at, effect);
    }

    pub(super) fn local(&self, index: u32) -> Origins {
        let local = self.state.as_ref().and_then(|s| s.locals.get(index as usize));
        local.copied().unwrap_or_default()
    }

    pub(super) fn set_local(&mut self, index: u32, origins: Origins) {
        if let Some(local) = self.state.as_mut().and_then(|s| s.locals.get_mut(index as usize)) {
            *local = origins;
        }
    }

    pub(super) fn push(&mut self, origins: Origins) {
        if let Some(state) = &mut self.state {
            state.stack.push(origins);
        }
    }

    pub(super) fn pop(&mut self) -> Origins {
        self.state.as_mut().and_then(|s| s.stack.pop()).unwrap_or_default()
    }

    pub(super) fn pop_many(&mut self, count: usize) -> Vec<Origins> {
        let mut popped: Vec<Origins> = (0..count).map(|_| self.pop()).collect();
        popped.reverse();
        popped
    }

    pub(super) fn push_many(&mut self, count: usize, origins: Origins) {
        (0..count).for_each(|_| self.push(origins));
    }
}

/// Compilers write `unreachable` behind calls that never return.
fn ends_in_trap(following: &[Operator<'_>]) -> bool {
    let next = following.iter().find(|o| !matches!(o, Operator::Drop | Operator::Nop));
    matches!(next, Some(Operator::Unreachable))
}

fn locals(graph: &Graph<'_>, function: u32) -> Vec<Origins> {
    let declared = own_locals(graph.module, function);
    let mut locals = graph.parameters(function).to_vec();
    let parameters = graph.module.function_type(function).map_or(0, |t| t.params().len());
    locals.resize(parameters + declared, Origins::NONE);
    locals
}

fn own_locals(module: &Module, function: u32) -> usize {
    let Some(reader) = module.body(function).and_then(|b| b.get_locals_reader().ok()) else { return 0 };
    reader.into_iter().flatten().map(|(count, _)| count as usize).sum()
}
