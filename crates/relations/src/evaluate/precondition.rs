//! Preconditions over all parameters of a function.

use dodona_target::{Column, Scalar, Signature, Type, Value};

use crate::Diagnostic;
use crate::apply::dispatch::apply;
use crate::apply::logic::bools;
use crate::apply::register::Register;
use crate::ast::{Bound, Expression};
use crate::check::precondition;
use crate::graph::{Graph, NodeId};
use crate::op::Op;
use crate::parse::parse_expression;
use crate::plan::PreconditionView;

/// The precondition of a function (`requires`), compiled.
#[derive(Clone, Debug)]
pub struct Precondition {
    graph: Graph,
    node: NodeId,
    parameters: Vec<Type>,
}

impl Precondition {
    /// Compiles the precondition of a function; `None` where it has none.
    ///
    /// # Errors
    /// Everything that is wrong with the precondition; spans are positions in the text of [`Signature::requires`].
    pub fn compile(function: &Signature) -> Result<Option<Precondition>, Vec<Diagnostic>> {
        let Some(text) = &function.requires else { return Ok(None) };
        let parameters: Vec<(String, Type)> =
            function.parameters.iter().map(|p| (p.name.clone(), p.ty)).collect();
        Precondition::over(&parameters, &parse_expression(text)?).map(Some)
    }

    /// Compiles a condition over named values, such as the parameters or the outputs of a function. Its columns are those
    /// of the names, in their order.
    ///
    /// ```
    /// use dodona_relations::{Precondition, parse_expression};
    /// use dodona_target::{Scalar, Type, Value};
    ///
    /// let weight = ("weight".to_owned(), Type::Scalar(Scalar::I32));
    /// let heavy = Precondition::over(&[weight], &parse_expression("weight > 20").unwrap()).unwrap();
    /// assert!(heavy.holds(&[Value::Int(23)]));
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with the condition; spans are those of the expression.
    pub fn over(
        parameters: &[(String, Type)],
        condition: &Expression,
    ) -> Result<Precondition, Vec<Diagnostic>> {
        let mut graph = Graph::new(Bound::Relative(1e-9));
        let names = parameters.iter().enumerate().map(|(i, (name, ty))| {
            let single = ty.scalar() == Some(Scalar::F32);
            (name.clone(), graph.leaf(Op::Variable(i), (*ty).into(), single))
        });
        let names = names.collect();
        let node = precondition(&mut graph, condition, names)?;
        Ok(Precondition { graph, node, parameters: parameters.iter().map(|(_, ty)| *ty).collect() })
    }

    /// The nodes of the precondition, for evaluation on values other than columns; [`Op::Variable`] holds the index
    /// of a parameter.
    pub fn plan(&self) -> PreconditionView<'_> {
        PreconditionView { graph: &self.graph, node: self.node }
    }

    /// For each row whether the precondition holds; an undefined precondition does not hold.
    ///
    /// # Panics
    /// When `parameters` does not have one column for each parameter, of the parameter's type and all of the same
    /// length.
    pub fn evaluate(&self, parameters: &[Column]) -> Vec<bool> {
        assert_eq!(parameters.len(), self.parameters.len(), "a column for each parameter");
        let rows = parameters.first().map_or(1, Column::len);
        let mut registers: Vec<Register<'_>> = Vec::new();
        for node in &self.graph.nodes {
            registers.push(match node.op {
                Op::Variable(index) => Register::borrowed(&parameters[index]),
                Op::Constant(index) => self.graph.constants[index].clone(),
                op => {
                    let operands: Vec<_> = node.operands.iter().map(|id| &registers[*id]).collect();
                    apply(op, &operands, self.graph.bound)
                }
            });
        }
        let Register { data, valid } = &registers[self.node];
        (0..rows).map(|row| valid.at(row) && bools(data).at(row)).collect()
    }

    /// Whether the precondition holds for these values, one for each parameter.
    ///
    /// # Panics
    /// When a value is missing or not of its parameter's type.
    pub fn holds(&self, parameters: &[Value]) -> bool {
        let column = |(value, ty): (&Value, &Type)| Column::one(*ty, value);
        let columns: Vec<Column> = parameters.iter().zip(&self.parameters).map(column).collect();
        self.evaluate(&columns)[0]
    }
}
