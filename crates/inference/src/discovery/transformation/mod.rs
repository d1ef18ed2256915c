//! Input transformations: how a follow-up input is made from a source input (section 5 of GenMorph, and further templates).

mod beyond;
mod constant;
mod context;
mod genmorph;
mod ranked;
mod transformation_pair;

use std::collections::HashSet;

use dodona_relations::ast::{Expression, Node, call};
use dodona_relations::plan::Ty;
use dodona_target::{Signature, Value};

use context::SignatureContext;
use ranked::RankedTransformations;

/// How a follow-up input is made from a source input.
///
/// ```
/// use dodona_inference::discovery::transformations;
/// use dodona_target::Value;
/// use dodona_subject::Manifest;
///
/// let manifest = "module = \"pow.wasm\"\n[[function]]\nsignature = \"pow(k: i32, e: i32) -> i32\"\n";
/// let manifest = Manifest::parse(std::path::Path::new("dodona.toml"), manifest).expect("it is valid");
/// let all = transformations(&manifest.signatures(), 0, &[(Value::Int(2), 1)], 64, 1);
/// let less = all.iter().find(|t| t.name == "NumericAddition(e, -1)").expect("GenMorph's own example");
/// assert_eq!(less.given(), "k' = k, e' = e - 1");
/// assert_eq!(less.follow_up().to_string(), "pow(k, e - 1)");
/// assert_eq!(less.changed(), [1]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Transformation {
    /// The template and what it was applied to: `NumericAddition(e, -1)`.
    pub name: String,
    /// The template.
    pub template: Template,
    /// The follow-up input: one expression for each parameter, over the names of the parameters.
    pub arguments: Vec<Expression>,
    /// How often its constant occurs in the function's code.
    pub weight: u64,
    /// The function's name.
    function: String,
    /// The names of its parameters.
    parameters: Vec<String>,
}

/// The pattern from which a transformation is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Template {
    /// Two parameters of one type are exchanged.
    PermuteParameters,
    /// A Boolean parameter is negated.
    BooleanFlip,
    /// A constant is added to a number.
    NumericAddition,
    /// A number is multiplied by a constant.
    NumericMultiplication,
    /// An element of a sequence is removed.
    SequenceRemove,
    /// The order of the elements is reversed.
    SequenceFlip,
    /// The signs of all number parameters change, or those of all numbers in a sequence.
    Negate,
    /// A number becomes `a * x + b`, where `b` may be another parameter.
    Affine,
    /// An element is added after the last.
    Append,
    /// An element is added before or after the first.
    Insert,
    /// A sequence is concatenated with itself.
    Duplicate,
    /// Two sequences are concatenated.
    Concatenate,
    /// A constant is added to each element.
    ElementAddition,
    /// Each element is multiplied by a constant.
    ElementScaling,
    /// The elements are sorted.
    Sort,
    /// All letters become upper case, or lower case.
    SwapCase,
    /// Only the first elements are kept.
    Truncate,
    /// An output of the source call replaces a parameter of its type: `f(f(x))`.
    FeedBack,
    /// Two transformations, one after the other.
    Sequence,
}

impl Transformation {
    fn new(
        context: &SignatureContext<'_>,
        template: Template,
        name: String,
        arguments: Vec<Expression>,
    ) -> Self {
        let function = context.function;
        Transformation {
            name,
            template,
            arguments,
            weight: 0,
            function: function.name.clone(),
            parameters: function.parameters.iter().map(|p| p.name.clone()).collect(),
        }
    }

    /// The indices of the parameters that it changes, in ascending order: those whose argument is not just their name.
    pub fn changed(&self) -> Vec<usize> {
        let plain = |i: &usize| self.arguments[*i].is_name(&self.parameters[*i]);
        (0..self.parameters.len()).filter(|i| !plain(i)).collect()
    }

    /// The canonical input relation: for each parameter its value in the follow-up input, for example `k' = k, e' = e - 1`.
    pub fn given(&self) -> String {
        let pairs = self.parameters.iter().zip(&self.arguments);
        pairs.map(|(name, value)| format!("{name}' = {value}")).collect::<Vec<_>>().join(", ")
    }

    /// The source call, as the relation language writes it.
    pub fn source(&self) -> Expression {
        call(&self.function, self.parameters.iter().map(Expression::name).collect())
    }

    /// The follow-up call, as the relation language writes it.
    pub fn follow_up(&self) -> Expression {
        call(&self.function, self.arguments.clone())
    }

    /// Whether the follow-up input depends on the outputs of the source call.
    pub fn feeds_back(&self) -> bool {
        let is_source = |part: &Expression| {
            matches!(&part.node, Node::Call { function, arguments }
                if function.text == self.function && arguments.len() == self.parameters.len())
        };
        self.arguments.iter().any(|argument| argument.has(&is_source))
    }
}

/// The outputs of a call, in the order of [`Signature::outputs`]: the type, and how the relation language writes the output.
pub fn outputs(function: &Signature, call: &Expression) -> Vec<(Ty, Expression)> {
    function.outputs.iter().map(|o| (o.ty.into(), call.clone().output(&o.name))).collect()
}

/// Transformations of the inputs of a function under test, given by its index in `functions`. These are the functions that
/// relations can call, since a function may hide a built-in function of the language. At most `most` transformations are returned,
/// the most useful first: GenMorph's templates, with -1 and 1, then with constants of the code, the most frequent first; then
/// further templates; pairs of transformations last. No two have the same expressions for the follow-up input, and none leaves the
/// input unchanged.
///
/// `constants` are the constants of the code, with the number of their occurrences. The same arguments always give the same result;
/// `seed` chooses among the pairs.
///
/// # Panics
/// When there is no such function.
pub fn transformations(
    functions: &[Signature],
    function: usize,
    constants: &[(Value, u64)],
    most: usize,
    seed: u64,
) -> Vec<Transformation> {
    transformations_where(functions, function, constants, most, seed, &mut |_| true)
}

/// Like [`transformations`], but only those for which `keep` is true. `keep` is called in the order of usefulness, and not for more
/// transformations than are needed.
///
/// # Panics
/// When there is no such function.
pub fn transformations_where(
    functions: &[Signature],
    function: usize,
    constants: &[(Value, u64)],
    most: usize,
    seed: u64,
    keep: &mut dyn FnMut(&Transformation) -> bool,
) -> Vec<Transformation> {
    let context = SignatureContext::new(functions, function, constants);
    let mut known = HashSet::new();
    let mut kept = |proposed: Vec<Transformation>| -> Vec<Transformation> {
        let new = |t: &Transformation| !t.changed().is_empty() && known.insert(key(t)) && keep(t);
        proposed.into_iter().filter(new).take(most).collect()
    };
    let mut of_genmorph = RankedTransformations::default();
    genmorph::propose(&context, &mut of_genmorph);
    let of_genmorph = kept(of_genmorph.ranked());
    let mut further = RankedTransformations::default();
    beyond::propose(&context, &mut further);
    let further = kept(further.ranked());
    let both = kept(transformation_pair::propose(&context, &of_genmorph, &further, seed));
    shares(most, [of_genmorph, further, both])
}

/// Half of the places go to the first group, three tenths to the second and the rest to the third; the other groups get the places
/// that a group cannot fill.
fn shares(most: usize, groups: [Vec<Transformation>; 3]) -> Vec<Transformation> {
    let wanted = [most.div_ceil(2), most * 3 / 10, most];
    let mut taken = [0; 3];
    let mut left = most;
    let mut take = |group: usize, wanted: usize| {
        let more = wanted.min(left).min(groups[group].len() - taken[group]);
        taken[group] += more;
        left -= more;
    };
    (0..3).for_each(|group| take(group, wanted[group]));
    (0..3).for_each(|group| take(group, most));
    groups.into_iter().zip(taken).flat_map(|(group, taken)| group.into_iter().take(taken)).collect()
}

/// The text of the expressions of the follow-up input, by which equal transformations are recognized.
fn key(transformation: &Transformation) -> String {
    transformation.arguments.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
