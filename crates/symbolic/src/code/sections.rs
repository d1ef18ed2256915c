//! The initial memory, tables and globals.

use std::rc::Rc;

use dodona_subject::Module;
use dodona_subject::wasmparser::{
    ConstExpr, DataKind, ElementItems, ElementKind, Operator, Parser, Payload, TableInit,
};

use dodona_smt::term::{Sort, Term};

/// Bytes of a page of memory.
pub(crate) const PAGE: u64 = 64 << 10;

/// A data segment.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Where it is placed at the start; `None` for a passive one.
    pub at: Option<u32>,
    pub bytes: Rc<[u8]>,
}

/// What a module's sections say.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    /// The initial value of each global, imported ones (which have none) as zero.
    pub globals: Vec<Term>,
    pub data: Vec<Segment>,
    /// For each table its entries.
    pub tables: Vec<Vec<Option<u32>>>,
    pub start: Option<u32>,
    /// Pages at the start and at most.
    pub memory: Option<(u64, Option<u64>)>,
    /// The parts that are not supported, by name.
    pub unsupported: Vec<String>,
}

impl Sections {
    /// Reads the sections of a valid module.
    pub(crate) fn read(module: &Module) -> Sections {
        let mut sections = Sections::default();
        for global in module.globals() {
            let sort =
                dodona_subject::WasmType::of(global.ty.content_type).map_or(Sort::Bits(32), super::sort);
            sections.globals.push(Term::Constant(sort, 0));
        }
        let imported =
            module.imports().iter().filter(|i| i.kind == dodona_subject::ImportKind::Other("global"));
        let mut next_global = imported.count();
        sections.memory = module.memories().first().map(|m| (m.initial, m.maximum));
        if module.memories().len() > 1 {
            sections.unsupported.push("a second memory".to_owned());
        }
        for payload in Parser::new(0).parse_all(module.bytes()).map_while(Result::ok) {
            sections.payload(payload, &mut next_global);
        }
        sections
    }

    fn payload(&mut self, payload: Payload<'_>, next_global: &mut usize) {
        match payload {
            Payload::GlobalSection(reader) => {
                for global in reader.into_iter().map_while(Result::ok) {
                    if let Some(value) = self.constant(&global.init_expr) {
                        self.globals[*next_global] = value;
                    }
                    *next_global += 1;
                }
            }
            Payload::TableSection(reader) => {
                for table in reader.into_iter().map_while(Result::ok) {
                    if !matches!(table.init, TableInit::RefNull) {
                        self.unsupported.push("a table with an initial expression".to_owned());
                    }
                    self.tables.push(vec![None; table.ty.initial as usize]);
                }
            }
            Payload::ElementSection(reader) => {
                for element in reader.into_iter().map_while(Result::ok) {
                    self.element(element.kind, element.items);
                }
            }
            Payload::DataSection(reader) => {
                for data in reader.into_iter().map_while(Result::ok) {
                    let at = match &data.kind {
                        DataKind::Active { offset_expr, .. } => self.offset(offset_expr),
                        DataKind::Passive => None,
                    };
                    self.data.push(Segment { at, bytes: data.data.into() });
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            _ => {}
        }
    }

    fn element(&mut self, kind: ElementKind<'_>, items: ElementItems<'_>) {
        let ElementKind::Active { table_index, offset_expr } = kind else { return };
        let Some(offset) = self.offset(&offset_expr) else { return };
        let functions: Vec<Option<u32>> = match items {
            ElementItems::Functions(reader) => reader.into_iter().map_while(Result::ok).map(Some).collect(),
            ElementItems::Expressions(_, reader) => {
                reader.into_iter().map_while(Result::ok).map(|e| reference(&e)).collect()
            }
        };
        let Some(table) = self.tables.get_mut(table_index.unwrap_or(0) as usize) else { return };
        for (entry, function) in table.iter_mut().skip(offset as usize).zip(functions) {
            *entry = function;
        }
    }

    fn offset(&mut self, expression: &ConstExpr<'_>) -> Option<u32> {
        self.constant(expression)?.constant().map(|value| value as u32)
    }

    /// The value of a constant expression, given the globals that are known so far.
    fn constant(&mut self, expression: &ConstExpr<'_>) -> Option<Term> {
        let mut stack: Vec<Term> = Vec::new();
        let mut terms = dodona_smt::term::Terms::new();
        for operator in expression.get_operators_reader().into_iter().map_while(Result::ok) {
            let value = match operator {
                Operator::I32Const { value } => Term::bits(32, value as u32 as u128),
                Operator::I64Const { value } => Term::bits(64, value as u64 as u128),
                Operator::F32Const { value } => Term::Constant(Sort::F32, value.bits().into()),
                Operator::F64Const { value } => Term::Constant(Sort::F64, value.bits().into()),
                Operator::GlobalGet { global_index } => *self.globals.get(global_index as usize)?,
                Operator::End => return stack.pop(),
                other => {
                    let Some(super::Numeric::Binary(op)) = super::Numeric::of(&other) else {
                        self.unsupported.push(format!("{other:?} in an initial expression"));
                        return None;
                    };
                    let (b, a) = (stack.pop()?, stack.pop()?);
                    terms.binary(op, a, b)
                }
            };
            stack.push(value);
        }
        None
    }
}

/// The function that an element expression refers to.
fn reference(expression: &ConstExpr<'_>) -> Option<u32> {
    expression.get_operators_reader().into_iter().map_while(Result::ok).find_map(|operator| match operator {
        Operator::RefFunc { function_index } => Some(function_index),
        _ => None,
    })
}
