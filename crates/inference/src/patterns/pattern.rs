//! A pattern says how an input is changed, under which condition, and what is expected of the output then. It is written as a relation.

use dodona_target::{Kind, Signature};

use super::{Atom, Change, Expected};

/// A relation of a known form.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// How the follow-up input is made.
    pub change: Change,
    /// The comparisons that have to be true of the source input, at most two.
    pub condition: Vec<Atom>,
    /// Further conditions, each of one or two comparisons: it suffices that the condition or one of these is true.
    pub or: Vec<Vec<Atom>>,
    /// What is expected of the output.
    pub expected: Expected,
}

/// What is needed to write a pattern down.
#[derive(Clone, Copy, Debug)]
pub struct Described<'a> {
    /// The function under test.
    pub function: &'a Signature,
    /// The output as relations write it: `out`, or `out.stdout` where there are several outputs.
    pub output: &'a str,
    /// The kind of the output.
    pub kind: Kind,
}

impl Pattern {
    /// The cost of reading it.
    pub fn weight(&self) -> usize {
        let atoms = self.conditions().flatten().map(Atom::weight).sum::<usize>();
        self.change.weight() + atoms + self.or.len() + self.expected.weight()
    }

    /// The conditions, of which one has to be true. A condition without comparisons is always true.
    pub fn conditions(&self) -> impl Iterator<Item = &Vec<Atom>> {
        std::iter::once(&self.condition).chain(&self.or)
    }

    /// As a relation of this name in the primed notation.
    ///
    /// ```
    /// use dodona_inference::patterns::{Atom, Change, Described, Direction, Expected, Order, Pattern};
    /// use dodona_target::{Kind, Value};
    /// use dodona_subject::Manifest;
    /// # let text = "name = \"fees\"\nmodule = \"fees.wasm\"\n[[function]]\nsignature = \"fee(minutes: i32, member: bool) -> i32\"\n";
    /// # let manifest = Manifest::parse(std::path::Path::new("dodona.toml"), text).unwrap();
    /// # let function = &manifest.functions[0];
    /// let pattern = Pattern {
    ///     change: Change::Anew { parameter: 0, direction: Direction::Up },
    ///     condition: vec![Atom::Constant { parameter: 1, order: Order::Equal, constant: Value::Bool(false) }],
    ///     or: Vec::new(),
    ///     expected: Expected::NotLower,
    /// };
    /// let fee = Described { function, output: "out", kind: Kind::Int };
    /// assert_eq!(
    ///     pattern.text("rises", &fee),
    ///     "relation rises(new_minutes: fee.minutes) of fee: when not member and new_minutes > minutes: \
    ///      given minutes' = new_minutes expect out' >= out"
    /// );
    /// assert_eq!(pattern.name(&fee), "fee_larger_minutes_never_lower_if_not_member");
    /// assert_eq!(pattern.sentence(&fee), "where not member, a larger minutes never lowers the result");
    ///
    /// let short = vec![Atom::Constant { parameter: 0, order: Order::Less, constant: Value::Int(60) }];
    /// let pattern = Pattern { change: Change::None, or: vec![short], expected: Expected::Is(Value::Int(0)), ..pattern };
    /// assert_eq!(
    ///     pattern.text("free", &fee),
    ///     "relation free of fee: when not member or minutes < 60: expect out == 0"
    /// );
    /// assert_eq!(pattern.name(&fee), "fee_is_0_if_not_member_or_minutes_below_60");
    /// assert_eq!(pattern.sentence(&fee), "where not member, or minutes is below 60, the result is 0");
    /// ```
    pub fn text(&self, name: &str, described: &Described<'_>) -> String {
        let change = self.change.text(described.function, self.expected != Expected::Same);
        self.written(name, described, "", change)
    }

    /// The relation, given the text of its change. `constants` is empty or a text such as `for k in {1, 2}: `, which makes one metamorphic
    /// group for each constant.
    pub(super) fn written(
        &self,
        name: &str,
        described: &Described<'_>,
        constants: &str,
        (header, of_change, given): (String, Option<String>, String),
    ) -> String {
        let Described { function, output, kind } = described;
        let texts = |condition: &Vec<Atom>| {
            condition.iter().map(|atom| atom.text(function, output)).collect::<Vec<_>>().join(" and ")
        };
        let own = match (self.or.is_empty(), &of_change) {
            (true, _) => texts(&self.condition),
            (false, None) => any_of(self.conditions().map(texts)),
            (false, Some(_)) => format!("({})", any_of(self.conditions().map(texts))),
        };
        let conditions: Vec<String> =
            [own].into_iter().filter(|own| !own.is_empty()).chain(of_change).collect();
        let when = match conditions.is_empty() {
            true => String::new(),
            false => format!("when {}: ", conditions.join(" and ")),
        };
        let primed = output.replacen("out", "out'", 1);
        let (given, follow_up) = match self.change {
            Change::None => (String::new(), *output),
            _ => (format!("given {given} "), primed.as_str()),
        };
        let expected = self.expected.text(function, output, follow_up, *kind);
        format!("relation {name}{header} of {}: {constants}{when}{given}expect {expected}", function.name)
    }
}

/// `a or (b and c)`: conditions of which one has to be true.
fn any_of(conditions: impl Iterator<Item = String>) -> String {
    let within = |text: String| if text.contains(" and ") { format!("({text})") } else { text };
    conditions.map(within).collect::<Vec<_>>().join(" or ")
}
