//! Relations that functions may have, by their shapes and names. Each is a guess: whoever proposes one tries it first.
//!
//! A tool that proposes by names alone says nothing of most functions. Here any function of `T → T` may be idempotent and any of `(T, T) → T`
//! commutative, because a guess costs a thousand calls.

use dodona_target::{Output, OutputName, Scalar, Signature, Type};

/// A relation to be tried.
///
/// It is written as its [`Display`](std::fmt::Display) says: `relation NAME: TEXT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name in the file.
    pub name: String,
    /// The parameter that the variable takes its values of, where functions have several of its name: `(data: encode.data)`.
    pub header: String,
    /// The relation as the language has it.
    pub text: String,
    /// Whether the names of the functions say so, and not their types alone.
    pub by_name: bool,
}

impl std::fmt::Display for Candidate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "relation {}{}: {}", self.name, self.header, self.text)
    }
}

/// So many pairs of functions are tried for round trips whose names do not belong together.
const PAIRS: usize = 40;

/// The relations to try, those that names suggest first.
///
/// ```
/// use dodona_interface::candidates;
/// use dodona_target::{Parameter, Scalar, Signature, Type};
///
/// let number = Type::Scalar(Scalar::U64);
/// let parameters = ["a", "b"].map(|name| Parameter::new(name, number)).to_vec();
/// let gcd = Signature::new("gcd", parameters, Some(number));
/// let found = candidates(&[gcd]);
/// assert_eq!(found[0].text, "gcd(a, b) == gcd(b, a)");
/// ```
pub fn candidates(functions: &[Signature]) -> Vec<Candidate> {
    let mut writer = Writer::default();
    for function in functions {
        writer.alone(function);
    }
    let mut pairs = 0;
    for there in functions {
        for back in functions {
            let by_name = belong(&there.name, &back.name);
            if there.name == back.name || (!by_name && pairs >= PAIRS) {
                continue;
            }
            pairs += usize::from(!by_name && writer.round_trip(there, back, by_name));
            if by_name {
                writer.round_trip(there, back, true);
            }
        }
        for question in functions {
            writer.answers(there, question);
        }
    }
    writer.found.sort_by_key(|candidate| !candidate.by_name);
    writer.found
}

/// The ends of the names of relations: a function gives its argument; twice gives what once does; twice gives the argument; of twice the same argument.
const SAME: &str = "_is_its_argument";
const AGAIN: &str = "_again";
const AND_BACK: &str = "_and_back";
const OF_THE_SAME: &str = "_of_the_same";

/// The end of the names of functions that say whether a value is read back from its own text: they are made of what a type has, and always expected
/// to say yes.
pub(crate) const READS_BACK: &str = "_reads_back";

/// Leaves out what follows from others that hold: of a function that gives its argument, what else is true of giving an argument.
pub fn without_what_follows(held: &mut Vec<Candidate>) {
    let same: Vec<String> =
        held.iter().filter_map(|candidate| candidate.name.strip_suffix(SAME)).map(str::to_owned).collect();
    held.retain(|candidate| {
        let of = [AGAIN, AND_BACK].into_iter().find_map(|end| candidate.name.strip_suffix(end));
        of.is_none_or(|f| !same.iter().any(|same| same == f))
    });
}

#[derive(Default)]
struct Writer {
    found: Vec<Candidate>,
}

/// The one value that a call returns, with the condition under which it is there.
fn returned(function: &Signature) -> Option<(&Output, Option<String>)> {
    let output = function.outputs.first().filter(|output| output.name == OutputName::Return)?;
    let arguments: Vec<&str> = function.parameters.iter().map(|p| p.name.as_str()).collect();
    let call = format!("{}({})", function.name, arguments.join(", "));
    let condition = output.given.map(|given| {
        let word = match function.outputs[given.output].name.selector() {
            Some(name) if name.ends_with("is_ok") => "ok",
            _ => "some",
        };
        format!("{call} is {word}")
    });
    Some((output, condition))
}

/// Whether values of a type are computed by rounding.
fn is_float(ty: Type) -> bool {
    matches!(ty.scalar(), Some(Scalar::F32 | Scalar::F64))
}

impl Writer {
    fn add(&mut self, name: String, condition: Option<&String>, text: String, by_name: bool) {
        let text = condition.map_or(text.clone(), |condition| format!("when {condition}: {text}"));
        self.found.push(Candidate { name, header: String::new(), text, by_name });
    }

    /// Relations of one function with itself.
    fn alone(&mut self, function: &Signature) {
        let Some((output, condition)) = returned(function) else { return };
        let (f, ty) = (&function.name, output.ty);
        let same = if is_float(ty) { "~=" } else { "==" };
        if f.ends_with(READS_BACK) && ty == Type::Scalar(Scalar::Bool) {
            let arguments: Vec<&str> = function.parameters.iter().map(|p| p.name.as_str()).collect();
            return self.add(format!("{f}_always"), None, format!("{f}({})", arguments.join(", ")), true);
        }
        let mut add = |what: &str, condition, text| self.add(format!("{f}{what}"), condition, text, false);
        match function.parameters.as_slice() {
            [x] if x.ty == ty => {
                let x = &x.name;
                add(SAME, condition.as_ref(), format!("{f}({x}) {same} {x}"));
                add(AGAIN, condition.as_ref(), format!("{f}({f}({x})) {same} {f}({x})"));
                add(AND_BACK, condition.as_ref(), format!("{f}({f}({x})) {same} {x}"));
            }
            [xs] if matches!((xs.ty, ty), (Type::Sequence(_), Type::Scalar(_))) => {
                let xs = &xs.name;
                add("_of_any_order", None, format!("{f}(reverse({xs})) {same} {f}({xs})"));
            }
            [a, b] if a.ty == b.ty => {
                let (x, y) = (&a.name, &b.name);
                add("_of_exchanged", None, format!("{f}({x}, {y}) {same} {f}({y}, {x})"));
                let twice = format!("{f}({x}, {x})");
                match ty {
                    Type::Scalar(Scalar::Bool) => add(OF_THE_SAME, None, twice),
                    ty if ty == a.ty => add(OF_THE_SAME, condition.as_ref(), format!("{twice} {same} {x}")),
                    Type::Scalar(_) => add(OF_THE_SAME, None, format!("{twice} == 0")),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// A function after another that gives back its argument.
    fn round_trip(&mut self, there: &Signature, back: &Signature, by_name: bool) -> bool {
        let (Some((middle, condition)), Some((end, _))) = (returned(there), returned(back)) else {
            return false;
        };
        let ([x], Some(y)) = (there.parameters.as_slice(), back.parameters.first()) else { return false };
        if back.parameters.len() != 1 || y.ty != middle.ty || end.ty != x.ty {
            return false;
        }
        // `f: T -> T` and `g: T -> T` are met too often by chance, and hardly ever belong together.
        if x.ty == middle.ty && !by_name {
            return false;
        }
        let (f, g) = (&there.name, &back.name);
        let same = if is_float(end.ty) { "~=" } else { "==" };
        self.add(
            format!("{g}_of_{f}"),
            condition.as_ref(),
            format!("{g}({f}({})) {same} {}", x.name, x.name),
            by_name,
        );
        self.bind(&there.name, &x.name, &y.name);
        true
    }

    /// Binds the variable of the last relation to the inner function, if the outer one has a parameter of the same name.
    fn bind(&mut self, inner: &str, variable: &str, outer: &str) {
        if let Some(last) = self.found.last_mut().filter(|_| variable == outer) {
            last.header = format!("({variable}: {inner}.{variable})");
        }
    }

    /// A question that what a function gives answers: `is_snake_case(to_snake_case(s))`.
    fn answers(&mut self, function: &Signature, question: &Signature) {
        let Some(asked) = question.name.strip_prefix("is_") else { return };
        let made = ["to_", "as_", "into_", "make_"]
            .into_iter()
            .find_map(|prefix| function.name.strip_prefix(prefix));
        let (Some((middle, condition)), Some((answer, None))) = (returned(function), returned(question))
        else {
            return;
        };
        let ([x], [y]) = (function.parameters.as_slice(), question.parameters.as_slice()) else { return };
        if made == Some(asked) && y.ty == middle.ty && answer.ty == Type::Scalar(Scalar::Bool) {
            let (f, g) = (&function.name, &question.name);
            self.add(format!("{g}_of_{f}"), condition.as_ref(), format!("{g}({f}({}))", x.name), true);
            self.bind(f, &x.name, &y.name);
        }
    }
}

/// Beginnings and words that undo each other.
const OPPOSITES: [(&str, &str); 16] = [
    ("encode", "decode"),
    ("compress", "decompress"),
    ("deflate", "inflate"),
    ("serialize", "deserialize"),
    ("escape", "unescape"),
    ("quote", "unquote"),
    ("pack", "unpack"),
    ("encrypt", "decrypt"),
    ("to", "from"),
    ("format", "parse"),
    ("print", "parse"),
    ("write", "read"),
    ("to_string", "parse"),
    ("join", "split"),
    ("wrap", "unwrap"),
    ("fill", "unfill"),
];

/// Whether the name of a function says that it undoes another one.
pub(crate) fn undoes(name: &str) -> bool {
    name.split('_').any(|word| OPPOSITES.into_iter().any(|(_, second)| second == word))
}

/// Whether the name of the second function says that it undoes the first one.
fn belong(there: &str, back: &str) -> bool {
    let words = |name: &str| -> Vec<String> { name.split('_').map(str::to_owned).collect() };
    let (a, b) = (words(there), words(back));
    OPPOSITES.into_iter().any(|(first, second)| {
        if there == first && back == second {
            return true;
        }
        let at = a.iter().position(|word| word == first);
        // The other words are the same: `encode_config` and `decode_config`, `to_hex` and `from_hex`.
        let replaced = at.map(|at| {
            let mut replaced = a.clone();
            replaced[at] = second.to_owned();
            replaced
        });
        // Words that are hardly used otherwise: `compress_prepend_size` and `decompress_size_prepended`.
        let is_telling = at.is_some() && first.len() > 4 && b.iter().any(|word| word == second);
        is_telling || replaced.is_some_and(|replaced| replaced == b)
    })
}

#[cfg(test)]
mod tests {
    use dodona_target::{Given, Parameter};

    use super::*;

    fn function(name: &str, parameters: &[(&str, &str)], result: &str) -> Signature {
        let ty = |name: &str| name.parse().expect("a type");
        let parameters = parameters.iter().map(|(name, of)| Parameter::new(*name, ty(of))).collect();
        Signature::new(name, parameters, Some(ty(result)))
    }

    fn texts(functions: &[Signature]) -> Vec<String> {
        candidates(functions).into_iter().map(|candidate| candidate.text).collect()
    }

    #[test]
    fn shapes_have_relations() {
        let found = texts(&[function("snake", &[("s", "text")], "text")]);
        assert_eq!(found, ["snake(s) == s", "snake(snake(s)) == snake(s)", "snake(snake(s)) == s"]);
        let mut held = candidates(&[
            function("same", &[("s", "text")], "text"),
            function("snake", &[("s", "text")], "text"),
        ]);
        held.retain(|candidate| candidate.name != "snake_is_its_argument");
        without_what_follows(&mut held);
        let left: Vec<&str> = held.iter().map(|candidate| candidate.text.as_str()).collect();
        assert_eq!(left, ["same(s) == s", "snake(snake(s)) == snake(s)", "snake(snake(s)) == s"]);
        let found = texts(&[function("distance", &[("a", "text"), ("b", "text")], "u32")]);
        assert_eq!(found, ["distance(a, b) == distance(b, a)", "distance(a, a) == 0"]);
        let found = texts(&[function("mean", &[("xs", "[f64]")], "f64")]);
        assert_eq!(found, ["mean(reverse(xs)) ~= mean(xs)"]);
        assert_eq!(texts(&[function("f", &[("a", "i32"), ("b", "text")], "bool")]), Vec::<String>::new());
    }

    #[test]
    fn names_that_belong_together_come_first() {
        let found = texts(&[
            function("width", &[("s", "text")], "text"),
            function("hex_encode", &[("bytes", "[u8]")], "text"),
            function("hex_decode", &[("s", "text")], "[u8]"),
        ]);
        assert_eq!(
            found[..2],
            ["hex_decode(hex_encode(bytes)) == bytes".to_owned(), "width(s) == s".to_owned()]
        );
        assert!(
            belong("to_hex", "from_hex")
                && belong("encode", "decode")
                && !belong("decode", "encode")
                && !belong("a", "b")
        );
        let found = texts(&[
            function("to_snake_case", &[("s", "text")], "text"),
            function("is_snake_case", &[("s", "text")], "bool"),
        ]);
        assert_eq!(found[0], "is_snake_case(to_snake_case(s))");
        let functions = [
            function("encode", &[("data", "[u8]")], "text"),
            function("decode", &[("data", "text")], "[u8]"),
        ];
        let bound = candidates(&functions)[0].to_string();
        assert_eq!(bound, "relation decode_of_encode(data: encode.data): decode(encode(data)) == data");
    }

    #[test]
    fn what_may_be_missing_is_asked_for_first() {
        let mut to = function("to", &[("n", "i32")], "text");
        to.outputs[0].given = Some(Given { output: 1, is: true });
        to.outputs.push(Output::new(OutputName::Part("is_some".to_owned()), Type::Scalar(Scalar::Bool)));
        let from = function("from", &[("text", "text")], "i32");
        assert_eq!(texts(&[to, from])[0], "when to(n) is some: from(to(n)) == n");
    }
}
