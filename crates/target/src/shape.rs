//! How the value that a function returns is made of plain values, and the outputs that a call of it has.

use crate::{Given, Output, OutputName, Scalar, Type};

/// How a value is made of plain values.
///
/// A value inside an `Option` or a `Result` goes by the name of the whole, and one output more says whether it is there.
///
/// ```
/// use dodona_target::{Scalar, Shape, Type};
///
/// let number = Shape::Value(Type::Scalar(Scalar::U32));
/// let text = Shape::Value(Type::Text);
/// let outputs = Shape::Result(Box::new(number), Box::new(text)).outputs();
/// let names: Vec<_> = outputs.iter().map(|output| output.name.selector()).collect();
/// assert_eq!(names, [None, Some("is_ok"), Some("err")]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One value.
    Value(Type),
    /// A value that may be missing.
    Option(Box<Shape>),
    /// A value, or an error.
    Result(Box<Shape>, Box<Shape>),
    /// Several values; none of them is nothing, as a function returns that returns no value.
    Tuple(Vec<Shape>),
    /// Several values that have names, such as the fields of a record.
    Named(Vec<(String, Shape)>),
}

impl Shape {
    /// The outputs of a call that returns such a value. The value itself comes first, by which a call is known.
    pub fn outputs(&self) -> Vec<Output> {
        let mut outputs = Vec::new();
        self.add("", None, &mut outputs);
        let place = self.place();
        self.value_first(&mut outputs);
        for given in outputs.iter_mut().filter_map(|output| output.given.as_mut()) {
            given.output = if given.output < place { given.output + 1 } else { given.output };
        }
        outputs
    }

    /// Puts what belongs to the outputs into their order. It stands in the order in which a value is read: whether something is there, and
    /// then what is there.
    ///
    /// # Panics
    /// When there are fewer items than outputs.
    pub fn value_first<T>(&self, items: &mut [T]) {
        if self.place() > 0 {
            items[..=self.place()].rotate_right(1);
        }
    }

    /// Puts what belongs to the outputs back into the order in which a value is read: undoes [`Shape::value_first`].
    ///
    /// # Panics
    /// When there are fewer items than outputs.
    pub fn value_last<T>(&self, items: &mut [T]) {
        if self.place() > 0 {
            items[..=self.place()].rotate_left(1);
        }
    }

    /// How many outputs are read before the value that goes by the name of the whole; 0 if there is none.
    fn place(&self) -> usize {
        let mut shape = self;
        let mut place = 0;
        loop {
            match shape {
                Shape::Value(_) => return place,
                Shape::Option(value) | Shape::Result(value, _) => (shape, place) = (value, place + 1),
                Shape::Tuple(_) | Shape::Named(_) => return 0,
            }
        }
    }

    fn add(&self, path: &str, given: Option<Given>, outputs: &mut Vec<Output>) {
        let mut push = |path: String, ty| {
            let name = if path.is_empty() { OutputName::Return } else { OutputName::Part(path) };
            outputs.push(Output { name, ty, given });
            outputs.len() - 1
        };
        let at = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
        let flag = Type::Scalar(Scalar::Bool);
        match self {
            Shape::Value(ty) => drop(push(path.to_owned(), *ty)),
            Shape::Option(value) => {
                let tag = push(at("is_some"), flag);
                value.add(path, Some(Given { output: tag, is: true }), outputs);
            }
            Shape::Result(value, error) => {
                let tag = push(at("is_ok"), flag);
                value.add(path, Some(Given { output: tag, is: true }), outputs);
                error.add(&at("err"), Some(Given { output: tag, is: false }), outputs);
            }
            Shape::Tuple(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    part.add(&at(&index.to_string()), given, outputs);
                }
            }
            Shape::Named(parts) => parts.iter().for_each(|(name, part)| part.add(&at(name), given, outputs)),
        }
    }
}
