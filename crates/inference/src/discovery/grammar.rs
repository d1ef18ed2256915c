//! Which operators and leaves a tree may have at each position, by type: Table I of GenMorph and the rest of the relation language.

use dodona_relations::plan::{Element, Ty};
use dodona_target::Value;
use smallvec::SmallVec;

use super::{EmptyKind, Leaf, Operator, Pairs};

/// The kind of value that a position in a tree takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GrammarSlot {
    Bool,
    /// Only integers, as for an index or an operand of `div`.
    Int,
    /// Any number.
    Number,
    Text,
    Sequence(Element),
}

impl GrammarSlot {
    /// The narrowest slot for a type.
    pub(super) fn of(ty: Ty) -> GrammarSlot {
        match ty {
            Ty::Bool => GrammarSlot::Bool,
            Ty::Int => GrammarSlot::Int,
            Ty::Float | Ty::Number => GrammarSlot::Number,
            Ty::Text => GrammarSlot::Text,
            Ty::Sequence(element) => GrammarSlot::Sequence(element),
        }
    }

    /// Whether a term of this type fits.
    pub(super) fn may_hold(self, ty: Ty) -> bool {
        match self {
            GrammarSlot::Number => super::is_number(ty),
            _ => self == GrammarSlot::of(ty),
        }
    }

    fn ty(self) -> Ty {
        match self {
            GrammarSlot::Bool => Ty::Bool,
            GrammarSlot::Int => Ty::Int,
            GrammarSlot::Number => Ty::Float,
            GrammarSlot::Text => Ty::Text,
            GrammarSlot::Sequence(element) => Ty::Sequence(element),
        }
    }

    fn empty(self) -> Option<Leaf> {
        EmptyKind::of(self.ty()).map(Leaf::Empty)
    }
}

/// An operator with the slots of its operands.
#[derive(Clone, Debug)]
pub(super) struct Production {
    pub(super) operator: Operator,
    pub(super) operands: SmallVec<[GrammarSlot; 2]>,
    /// How often it is drawn, relative to the other productions of its slot.
    pub(super) weight: u64,
}

/// The trees that a slot may have.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    slot: GrammarSlot,
    pub(super) productions: Vec<Production>,
    /// Variables, with the frequency at which they are drawn.
    pub(super) variables: Vec<(Leaf, u64)>,
    /// Constants of the function's code, with the number of their occurrences there.
    pub(super) constants: Vec<(Leaf, u64)>,
    /// `true` and `false`, or the empty text or sequence.
    pub(super) others: Vec<Leaf>,
    /// The size of the smallest tree worth growing here. For a Boolean slot without Boolean variables that is a comparison of 3 nodes.
    pub(super) least: usize,
}

/// The rules of one search.
#[derive(Clone, Debug)]
pub(super) struct TermGrammar {
    rules: Vec<Rule>,
    /// Whether any variable is a float: then constants may be fractions, and equality is approximate.
    pub(super) floats: bool,
}

impl TermGrammar {
    pub(super) fn new(pairs: &Pairs) -> TermGrammar {
        let types: Vec<Ty> = pairs.variables.iter().map(|v| v.ty).collect();
        let floats = types.iter().any(|ty| matches!(ty, Ty::Float | Ty::Sequence(Element::Float)));
        let mut slots = vec![GrammarSlot::Bool, GrammarSlot::Int, GrammarSlot::Number, GrammarSlot::Text];
        for slot in types.iter().map(|&ty| GrammarSlot::of(ty)) {
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
        let has_text = types.contains(&Ty::Text);
        let weigh = |operator, operands: &[GrammarSlot]| weight(operator, operands, floats, has_text);
        let rules = slots.iter().map(|&slot| Rule::new(slot, &slots, pairs, &weigh)).collect();
        TermGrammar { rules, floats }
    }

    /// The rule of a slot.
    ///
    /// # Panics
    /// For a sequence slot whose type no variable has.
    pub(super) fn rule(&self, slot: GrammarSlot) -> &Rule {
        self.rules.iter().find(|r| r.slot == slot).expect("slots are made of the variables' types")
    }
}

impl Rule {
    fn new(
        slot: GrammarSlot,
        slots: &[GrammarSlot],
        pairs: &Pairs,
        weigh: &dyn Fn(Operator, &[GrammarSlot]) -> u64,
    ) -> Rule {
        let productions = productions(slot, slots, weigh);
        let variables = variables(slot, pairs);
        let constants = pairs.constants.iter().filter_map(|(v, n)| Some((constant(v, slot)?, *n))).collect();
        let others = match slot {
            GrammarSlot::Bool => vec![Leaf::Bool(true), Leaf::Bool(false)],
            _ => slot.empty().into_iter().collect(),
        };
        let least = match slot {
            GrammarSlot::Bool if variables.is_empty() => 3,
            GrammarSlot::Text if variables.is_empty() => 2,
            _ => 1,
        };
        Rule { slot, productions, variables, constants, others, least }
    }
}

/// The variables that fit; all outputs together are drawn about as often as all inputs.
fn variables(slot: GrammarSlot, pairs: &Pairs) -> Vec<(Leaf, u64)> {
    let fitting: Vec<_> = pairs.variables.iter().enumerate().filter(|(_, v)| slot.may_hold(v.ty)).collect();
    let outputs = fitting.iter().filter(|(_, v)| v.place.is_output()).count().max(1);
    let inputs = (fitting.len() - outputs.min(fitting.len())).max(1);
    let weight = |output: bool| if output { inputs.div_ceil(outputs) as u64 } else { 1 };
    fitting.iter().map(|(i, v)| (Leaf::Variable(*i as u16), weight(v.place.is_output()))).collect()
}

fn constant(value: &Value, slot: GrammarSlot) -> Option<Leaf> {
    match (value, slot) {
        (Value::Int(i), GrammarSlot::Int | GrammarSlot::Number) => i64::try_from(*i).ok().map(Leaf::Int),
        (Value::Float(x), GrammarSlot::Number) if x.is_finite() => Some(Leaf::Float(x.to_bits())),
        _ => None,
    }
}

/// Every operator whose result the slot takes. If an operand may be an integer or any number, only the production with any number
/// is listed.
fn productions(
    slot: GrammarSlot,
    slots: &[GrammarSlot],
    weigh: &dyn Fn(Operator, &[GrammarSlot]) -> u64,
) -> Vec<Production> {
    let mut all = Vec::new();
    for operator in Operator::ALL {
        for operands in tuples(slots, operator.arity()) {
            let weight = weigh(operator, &operands);
            if weight > 0 && gives(operator, &operands, slot) && !has_wider(operator, &operands, slot) {
                all.push(Production { operator, operands, weight });
            }
        }
    }
    all
}

fn tuples(slots: &[GrammarSlot], arity: usize) -> Vec<SmallVec<[GrammarSlot; 2]>> {
    match arity {
        1 => slots.iter().map(|&a| SmallVec::from_slice(&[a])).collect(),
        _ => slots.iter().flat_map(|&a| slots.iter().map(move |&b| SmallVec::from_slice(&[a, b]))).collect(),
    }
}

fn gives(operator: Operator, operands: &[GrammarSlot], slot: GrammarSlot) -> bool {
    let types: SmallVec<[Ty; 2]> = operands.iter().map(|o| o.ty()).collect();
    operator.result(&types).is_some_and(|ty| slot.may_hold(ty))
}

fn has_wider(operator: Operator, operands: &[GrammarSlot], slot: GrammarSlot) -> bool {
    (0..operands.len()).filter(|&i| operands[i] == GrammarSlot::Int).any(|i| {
        let mut wider: SmallVec<[GrammarSlot; 2]> = operands.into();
        wider[i] = GrammarSlot::Number;
        gives(operator, &wider, slot)
    })
}

/// How often an operator is drawn. GenMorph draws the operators of Table I equally often. Here other operators are drawn less
/// often, and equality more often, because most relations consist of it.
fn weight(operator: Operator, operands: &[GrammarSlot], floats: bool, has_text: bool) -> u64 {
    use Operator as O;
    let numbers = matches!(operands[0], GrammarSlot::Int | GrammarSlot::Number);
    match operator {
        // If no variable is a text, relations are rarely about the digits of a number.
        O::Text if !has_text => 1,
        O::Equal | O::Len if operands.contains(&GrammarSlot::Text) && !has_text => 1,
        O::NotEqual | O::Contains | O::PrefixOf | O::SuffixOf
            if operands.contains(&GrammarSlot::Text) && !has_text =>
        {
            0
        }
        O::Equal | O::NotEqual if operands[0] == GrammarSlot::Bool => 0,
        O::Approximate if !floats => 0,
        O::Equal if floats && numbers => 8,
        O::Equal | O::Approximate => 32,
        O::Add | O::Subtract | O::Multiply | O::Divide => 32,
        O::NotEqual | O::Less | O::LessEqual => 16,
        O::And | O::Or | O::Xor | O::Iff | O::Implies | O::Not => 16,
        O::Abs | O::Len | O::Sum | O::Reverse | O::Remove | O::Truncate | O::Text => 16,
        O::Negate | O::Quotient | O::Remainder | O::Min | O::Max => 8,
        O::Sorted | O::Upper | O::Lower | O::Drop | O::Index | O::Concat => 8,
        O::Contains | O::PrefixOf | O::SuffixOf => 8,
    }
}
