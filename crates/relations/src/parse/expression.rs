//! Parses tokens to expressions by precedence climbing.

use super::cursor::{Cursor, INFIX, RESERVED};
use super::{DEEPEST, Parsed, named};
use crate::Diagnostic;
use crate::ast::{BinaryOperator, Expression, Name, Node, Presence, Span, UnaryOperator};
use crate::precedence::{self, Side};
use crate::token::Token;

/// Up to this many operands of `and` or `or` in a row are grouped to the left: `(a and b) and c`. A longer row
/// becomes a balanced tree, whose height grows only with the logarithm of the length, so that even a very long row
/// stays below [`DEEPEST`]. Both trees have the same meaning, because the operators are associative. A balanced tree
/// is printed with parentheses, which a short row should not have. Half of [`DEEPEST`] leaves the other half to the
/// operands.
const LONGEST_LEFT_ROW: usize = DEEPEST / 2;

/// An expression with the height of its syntax tree.
struct Tree {
    expression: Expression,
    height: usize,
}

impl Tree {
    fn leaf(node: Node, span: Span) -> Tree {
        Tree { expression: Expression { node, span }, height: 1 }
    }

    fn boxed(self) -> Box<Expression> {
        Box::new(self.expression)
    }
}

impl Cursor<'_> {
    /// Parses a whole expression.
    pub(crate) fn expression(&mut self) -> Parsed<Expression> {
        self.climb(precedence::LOOSEST).map(|tree| tree.expression)
    }

    /// Parses an expression whose operators bind at least as tightly as `least`.
    fn climb(&mut self, least: u8) -> Parsed<Tree> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(too_deep(self.span()));
        }
        let mut left = self.prefix(least)?;
        loop {
            left = if self.is_word("traps") && least <= precedence::COMPARISON {
                self.traps(left)?
            } else if self.is_word("is") && least <= precedence::COMPARISON {
                self.is_present(left)?
            } else {
                match self.infix().filter(|op| precedence::of(*op) >= least) {
                    Some(operator) => self.binary(left, operator)?,
                    None => break,
                }
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The operator at the next token, if there is one.
    fn infix(&self) -> Option<BinaryOperator> {
        let word = match self.peek()? {
            Token::Name(word) => word,
            Token::Sign(sign) => *sign,
            _ => return None,
        };
        BinaryOperator::ALL.into_iter().find(|op| op.word() == word)
    }

    fn binary(&mut self, left: Tree, operator: BinaryOperator) -> Parsed<Tree> {
        if matches!(operator, BinaryOperator::And | BinaryOperator::Or) {
            return self.row(left, operator);
        }
        self.next_token();
        let right = self.climb(precedence::operand(operator, Side::Right))?;
        if precedence::of(operator) == precedence::COMPARISON {
            self.no_chain()?;
        }
        self.joined(operator, left, right)
    }

    fn joined(&self, operator: BinaryOperator, left: Tree, right: Tree) -> Parsed<Tree> {
        let span = left.expression.span.to(right.expression.span);
        let height = left.height.max(right.height);
        self.grow(height, span, Node::Binary(operator, left.boxed(), right.boxed()))
    }

    /// Parses all operands of a row of `and` or of `or`.
    fn row(&mut self, first: Tree, operator: BinaryOperator) -> Parsed<Tree> {
        let mut operands = vec![first];
        while self.infix() == Some(operator) {
            self.next_token();
            operands.push(self.climb(precedence::operand(operator, Side::Right))?);
        }
        if operands.len() > LONGEST_LEFT_ROW {
            return self.balanced(operator, operands);
        }
        let mut operands = operands.into_iter();
        let first = operands.next().unwrap_or_else(|| unreachable!("a row begins with an operand"));
        operands.try_fold(first, |left, right| self.joined(operator, left, right))
    }

    /// Joins neighbouring trees in pairs, then neighbouring pairs, and so on until one tree is left.
    fn balanced(&self, operator: BinaryOperator, mut trees: Vec<Tree>) -> Parsed<Tree> {
        while trees.len() > 1 {
            let mut pairs = Vec::with_capacity(trees.len().div_ceil(2));
            let mut rest = trees.into_iter();
            while let Some(left) = rest.next() {
                pairs.push(match rest.next() {
                    Some(right) => self.joined(operator, left, right)?,
                    None => left,
                });
            }
            trees = pairs;
        }
        Ok(trees.pop().unwrap_or_else(|| unreachable!("a row begins with an operand")))
    }

    fn traps(&mut self, call: Tree) -> Parsed<Tree> {
        self.next_token();
        self.no_chain()?;
        let span = call.expression.span.to(self.last());
        self.grow(call.height, span, Node::Traps(call.boxed()))
    }

    /// Parses `is some` behind a value.
    fn is_present(&mut self, value: Tree) -> Parsed<Tree> {
        self.next_token();
        let found = Presence::ALL.into_iter().find(|presence| self.take_word(presence.word()));
        let Some(presence) = found else {
            return Err(self.expected("`some`, `none`, `ok` or `err`"));
        };
        self.no_chain()?;
        let span = value.expression.span.to(self.last());
        self.grow(value.height, span, Node::Is(value.boxed(), presence))
    }

    /// Parses `if a then b else c`.
    fn choice(&mut self, start: Span) -> Parsed<Tree> {
        self.next_token();
        let condition = self.climb(precedence::LOOSEST)?;
        self.word("then").map_err(|problem| {
            problem.hint("a choice is written `if a then b else c`; the condition of a relation is written `when x > 0: …`")
        })?;
        let then = self.climb(precedence::LOOSEST)?;
        self.word("else")
            .map_err(|problem| problem.hint("a choice has a value in both cases: `if a then b else c`"))?;
        let otherwise = self.climb(precedence::LOOSEST)?;
        let height = condition.height.max(then.height).max(otherwise.height);
        let span = start.to(otherwise.expression.span);
        self.grow(height, span, Node::If(condition.boxed(), then.boxed(), otherwise.boxed()))
    }

    /// Refuses chained comparisons: `0 <= x <= y` would compare a Boolean with y, which nobody means.
    fn no_chain(&self) -> Parsed<()> {
        let chained = self.is_word("traps")
            || self.is_word("is")
            || self.infix().is_some_and(|op| precedence::of(op) == precedence::COMPARISON);
        if !chained {
            return Ok(());
        }
        Err(Diagnostic::new(self.span(), "comparisons do not chain")
            .label("second comparison")
            .hint("write `0 <= x and x <= y`; put a comparison in parentheses to compare its truth"))
    }

    fn grow(&self, height: usize, span: Span, node: Node) -> Parsed<Tree> {
        if height >= DEEPEST {
            return Err(too_deep(span));
        }
        Ok(Tree { expression: Expression { node, span }, height: height + 1 })
    }

    fn prefix(&mut self, least: u8) -> Parsed<Tree> {
        let start = self.span();
        if self.take_sign("-") {
            return self.negated(start);
        }
        if self.is_word("if") {
            if least > precedence::LOOSEST {
                return Err(self
                    .expected("an operand")
                    .hint("put `(if … then … else …)` in parentheses here"));
            }
            return self.choice(start);
        }
        if !self.is_word("not") {
            return self.postfix();
        }
        if least > precedence::NOT {
            return Err(self.expected("an operand").hint("put `(not …)` in parentheses here"));
        }
        self.next_token();
        let operand = self.climb(precedence::NOT)?;
        let span = start.to(operand.expression.span);
        self.grow(operand.height, span, Node::Unary(UnaryOperator::Not, operand.boxed()))
    }

    /// Parses the operand of a minus. A literal takes the sign into itself, so that `-3` is one constant.
    fn negated(&mut self, start: Span) -> Parsed<Tree> {
        let literal = matches!(self.peek(), Some(Token::Int(_) | Token::Float(_)));
        let least_integer = self.peek() == Some(&Token::Int(i128::MIN.unsigned_abs()));
        if least_integer && !matches!(self.peek_second(), Some(Token::Sign("^" | "[" | "."))) {
            self.next_token();
            return Ok(Tree::leaf(Node::Int(i128::MIN), start.to(self.last())));
        }
        let operand = self.climb(precedence::NEGATE)?;
        let span = start.to(operand.expression.span);
        match operand.expression.node {
            Node::Int(n) if literal => Ok(Tree::leaf(Node::Int(-n), span)),
            Node::Float(x) if literal => Ok(Tree::leaf(Node::Float(-x), span)),
            _ => self.grow(operand.height, span, Node::Unary(UnaryOperator::Negate, operand.boxed())),
        }
    }

    fn postfix(&mut self) -> Parsed<Tree> {
        let mut tree = self.primary()?;
        loop {
            if self.take_sign("[") {
                tree = self.brackets(tree)?;
            } else if self.take_sign(".") {
                let output = self.part()?;
                let span = tree.expression.span.to(output.span);
                tree = self.grow(tree.height, span, Node::Select(tree.boxed(), output))?;
            } else {
                return Ok(tree);
            }
        }
    }

    /// Parses what stands behind `.`: the name of an output or of a part of one, or the number of a part of a tuple.
    fn part(&mut self) -> Parsed<Name> {
        match self.peek() {
            Some(Token::Int(n)) => {
                let number = n.to_string();
                self.next_token();
                Ok(named(&number, self.last()))
            }
            _ => self.name("the name of an output"),
        }
    }

    /// Parses `[i]` or `[i..j]` after a sequence.
    fn brackets(&mut self, sequence: Tree) -> Parsed<Tree> {
        let from = if self.is_sign("..") { None } else { Some(self.climb(precedence::LOOSEST)?) };
        if !self.take_sign("..") {
            self.sign("]")?;
            let Some(index) = from else { return Err(self.expected("an index")) };
            let (span, height) =
                (sequence.expression.span.to(self.last()), sequence.height.max(index.height));
            return self.grow(height, span, Node::Index(sequence.boxed(), index.boxed()));
        }
        let to = if self.is_sign("]") { None } else { Some(self.climb(precedence::LOOSEST)?) };
        self.sign("]")?;
        let span = sequence.expression.span.to(self.last());
        let heights = [Some(&sequence), from.as_ref(), to.as_ref()];
        let height = heights.into_iter().flatten().map(|t| t.height).max().unwrap_or(1);
        let node = Node::Slice(sequence.boxed(), from.map(Tree::boxed), to.map(Tree::boxed));
        self.grow(height, span, node)
    }

    fn primary(&mut self) -> Parsed<Tree> {
        let start = self.span();
        match self.peek() {
            Some(Token::Int(n)) => {
                let n = i128::try_from(*n).map_err(|_| {
                    Diagnostic::new(start, format!("`{n}` is too large")).hint("integers are 128 bits wide")
                })?;
                self.leaf(Node::Int(n))
            }
            Some(Token::Float(x)) => self.leaf(Node::Float(*x)),
            Some(Token::Text(text)) => self.leaf(Node::Text(text.clone())),
            Some(Token::Primed(name)) => self.leaf(Node::Primed(name.clone())),
            Some(Token::Name(word)) => self.word_or_name(word),
            Some(Token::Sign("(")) => {
                self.next_token();
                let mut inner = self.climb(precedence::LOOSEST)?;
                self.sign(")")?;
                inner.expression.span = start.to(self.last());
                Ok(inner)
            }
            Some(Token::Sign("[")) => {
                self.next_token();
                let (items, height) = self.items("]", "`,` or `]`")?;
                self.grow(height, start.to(self.last()), Node::Sequence(items))
            }
            _ => Err(self.expected("an expression")),
        }
    }

    fn leaf(&mut self, node: Node) -> Parsed<Tree> {
        self.next_token();
        Ok(Tree::leaf(node, self.last()))
    }

    fn word_or_name(&mut self, word: &str) -> Parsed<Tree> {
        let call = matches!(self.peek_second(), Some(Token::Sign("(")));
        match word {
            "true" | "false" => return self.leaf(Node::Bool(word == "true")),
            _ if RESERVED.contains(&word) || (INFIX.contains(&word) && !call) => {
                return Err(self.expected("an expression"));
            }
            _ if !call => return self.leaf(Node::Name(word.to_owned())),
            _ => {}
        }
        self.next_token();
        let function = named(word, self.last());
        self.next_token();
        let (arguments, height) = self.items(")", "`,` or `)`")?;
        let span = function.span.to(self.last());
        self.grow(height, span, Node::Call { function, arguments })
    }

    fn items(&mut self, close: &'static str, wanted: &str) -> Parsed<(Vec<Expression>, usize)> {
        let trees = self.list(close, wanted, |c| c.climb(precedence::LOOSEST))?;
        let height = trees.iter().map(|t| t.height).max().unwrap_or(0);
        Ok((trees.into_iter().map(|t| t.expression).collect(), height))
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("expression nested more than {DEEPEST} deep"))
        .hint("split the relation, or drop parentheses; each sign of a row such as `a + b + c` is one deeper")
}
