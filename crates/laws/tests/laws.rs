//! Laws of functions that everybody knows.

use dodona_laws::{
    Atom, Call, Calls, Explained, Floats, Form, Law, LawFunction, Limits, Listing, Numbers, Prime, Recorded,
    Ring, Table, Vocabulary, Wrapping, Written,
};

type Float = fn(&[f64]) -> f64;
type Integer = fn(&[i128]) -> Option<i128>;
/// The output of a call, given the values of atoms.
type Evaluate<'e, I> = dyn Fn(&Call, &dyn Fn(Atom) -> Option<I>) -> Option<I> + 'e;

fn functions(names: &[(&str, &[&str])]) -> Vec<LawFunction> {
    let function = |(name, parameters): &(&str, &[&str])| LawFunction {
        name: (*name).to_owned(),
        parameters: parameters.iter().map(|p| (*p).to_owned()).collect(),
    };
    names.iter().map(function).collect()
}

/// Numbers that depend on the row and the variable alone, from 0 to 1.
fn random(row: usize, variable: usize) -> f64 {
    let mut state = (row * 8 + variable) as u64 + 1;
    state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((state ^ (state >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// The calls of functions on rows.
fn record<I: Copy>(
    calls: &Calls,
    variables: Vec<Vec<I>>,
    evaluate: &Evaluate<'_, I>,
    absolute: fn(I) -> I,
    constants: &dyn Fn(u8) -> Option<I>,
) -> Recorded<I> {
    let rows = variables[0].len();
    let mut outputs: Vec<Vec<Option<I>>> = Vec::new();
    for (_, call) in calls.iter() {
        let value = |row: usize| {
            let atom = |atom: Atom| match atom {
                Atom::Constant(c) => constants(c),
                Atom::Variable(v) => Some(variables[usize::from(v)][row]),
                Atom::Absolute(v) => Some(absolute(variables[usize::from(v)][row])),
                Atom::Parity(_) => None,
                Atom::Call(id) => outputs[id.index()][row],
            };
            evaluate(call, &atom)
        };
        let column = (0..rows).map(value).collect();
        outputs.push(column);
    }
    Recorded { variables, calls: outputs }
}

fn of_floats(vocabulary: &Vocabulary, run: &[Float], range: (f64, f64)) -> (Calls, Recorded<f64>) {
    let calls = vocabulary.calls();
    let column = |v: usize| (0..800).map(|row| range.0 + random(row, v) * (range.1 - range.0)).collect();
    let variables = (0..vocabulary.variables.len()).map(column).collect();
    let evaluate = |call: &Call, atom: &dyn Fn(Atom) -> Option<f64>| {
        let arguments: Option<Vec<f64>> = call.arguments.iter().map(|a| a.float(atom)).collect();
        Some(run[call.function](&arguments?)).filter(|y| y.is_finite())
    };
    let constants = vocabulary.constants.clone();
    let constant = |c: u8| constants.get(usize::from(c)).map(|c| c.value);
    let recorded = record(&calls, variables, &evaluate, f64::abs, &constant);
    (calls, recorded)
}

fn of_integers(vocabulary: &Vocabulary, run: &[Integer], range: (i128, i128)) -> (Calls, Recorded<i128>) {
    let calls = vocabulary.calls();
    let width = (range.1 - range.0 + 1) as f64;
    let column = |v: usize| (0..800).map(|row| range.0 + (random(row, v) * width) as i128).collect();
    let variables = (0..vocabulary.variables.len()).map(column).collect();
    let evaluate = |call: &Call, atom: &dyn Fn(Atom) -> Option<i128>| {
        let arguments: Option<Vec<i128>> = call.arguments.iter().map(|a| a.integer(atom)).collect();
        run[call.function](&arguments?)
    };
    let recorded = record(&calls, variables, &evaluate, i128::abs, &|_| None);
    (calls, recorded)
}

/// What is listed where every candidate is true.
struct Outcome {
    /// The laws, as relations.
    laws: Vec<String>,
    /// All candidates that the listed laws imply, as forms that are zero.
    implied: Vec<String>,
    explained: Explained,
}

impl Outcome {
    /// Fails for the first of these laws that is not listed.
    fn has(&self, wanted: &[&str]) {
        for law in wanted {
            assert!(
                self.laws.iter().any(|listed| listed.ends_with(law)),
                "`{law}` is not among {:#?}",
                self.laws
            );
        }
    }

    /// Fails for the first of these forms that the listed laws do not imply to be zero.
    fn implies(&self, wanted: &[&str]) {
        for form in wanted {
            assert!(self.implied.iter().any(|implied| implied == form), "`{form}` by {:#?}", self.laws);
        }
    }
}

fn listed<R: Ring>(
    ring: R,
    vocabulary: &Vocabulary,
    (calls, recorded): (Calls, Recorded<R::Input>),
) -> Outcome {
    let table = Table::new(ring, vocabulary, calls, &recorded, Limits::default());
    let form = |form: &Form| Written::form(form, vocabulary, table.constants(), table.calls());
    let empty = Listing::new(&table, vocabulary.variables.len());
    let mut listing = empty.clone();
    let mut chosen = Vec::new();
    for law in table.candidates() {
        if !listing.follows_and_is_noted(law) {
            chosen.push(law);
            listing.add(law);
        }
    }
    let kept = empty.without_special_cases(&chosen);
    let mut listing = empty;
    kept.iter().for_each(|law| listing.add(law));
    let wrong: Vec<String> = listing.contradictions(&table).iter().map(form).collect();
    assert!(wrong.is_empty(), "the rules are false: {wrong:#?}");
    let written = |law: &&Law| {
        let written = Written::new(law, vocabulary, table.constants(), table.calls());
        written.relation(&written.name, "", "==", "")
    };
    Outcome {
        laws: kept.iter().map(written).collect(),
        implied: table
            .candidates()
            .iter()
            .filter(|law| listing.follows(law))
            .map(|law| form(law.form()))
            .collect(),
        explained: listing.explained(&table),
    }
}

fn of_unary(names: &[&str], run: &[Float], range: (f64, f64)) -> Outcome {
    let names: Vec<(&str, &[&str])> = names.iter().map(|name| (*name, &["x"] as &[&str])).collect();
    let vocabulary = Vocabulary::new(functions(&names), Numbers::Floats { single: false });
    listed(Floats::DOUBLE, &vocabulary, of_floats(&vocabulary, run, range))
}

fn of_binary(name: &str, run: Float, range: (f64, f64)) -> Outcome {
    let vocabulary = Vocabulary::new(functions(&[(name, &["x", "y"])]), Numbers::Floats { single: false });
    listed(Floats::DOUBLE, &vocabulary, of_floats(&vocabulary, &[run], range))
}

#[test]
fn a_law_of_integers_that_is_a_product_is_one_of_two_equations() {
    let vocabulary = Vocabulary::new(functions(&[("up", &["n"])]), Numbers::Integers);
    // The next multiple of three.
    let up: Integer = |n| Some((n[0] + 2).div_euclid(3) * 3);
    let found = listed(Prime, &vocabulary, of_integers(&vocabulary, &[up], (-60, 60)));
    let either = |law: &String| law.contains(" or ") && law.contains("up(n) == n");
    assert!(found.laws.iter().any(either), "{:#?}", found.laws);
}

const TEXTBOOK: [&str; 9] = [
    "sin(x) + sin(-x)",
    "cos(-x) - cos(x)",
    "sin(x + 2*pi) - sin(x)",
    "sin(x) + sin(x + pi)",
    "sin(x)^2 + cos(x)^2 - 1",
    "sin(x + y) - sin(x)*cos(y) - cos(x)*sin(y)",
    "sin(2*x) - 2*sin(x)*cos(x)",
    "2*sin(x)^2 + cos(2*x) - 1",
    "sin(x + y) + sin(x - y) - 2*sin(x)*cos(y)",
];

#[test]
fn sine_and_cosine_have_the_laws_of_a_textbook() {
    let found = of_unary(&["sin", "cos"], &[|x| x[0].sin(), |x| x[0].cos()], (-4.0, 4.0));
    found.has(&[
        "relation sin_odd: sin(-x) == -sin(x)",
        "relation cos_even: cos(-x) == cos(x)",
        "relation sin_sum(y: sin.x): sin(x + y) == sin(x)*cos(y) + cos(x)*sin(y)",
        "relation cos_sum(y: sin.x): cos(x + y) == cos(x)*cos(y) - sin(x)*sin(y)",
        "sin(x)^2 + cos(x)^2 == 1",
    ]);
    found.implies(&TEXTBOOK);
    assert!(found.laws.len() <= 10, "{:#?}", found.laws);
    assert_eq!(found.explained.explained, found.explained.independent);
}

#[test]
fn the_tangent_adds_its_quotient() {
    let run: [Float; 3] = [|x| x[0].sin(), |x| x[0].cos(), |x| x[0].tan()];
    let found = of_unary(&["sin", "cos", "tan"], &run, (-4.0, 4.0));
    found.has(&["cos(x)*tan(x) == sin(x)"]);
    found.implies(&TEXTBOOK);
    assert!(found.laws.len() <= 14, "{:#?}", found.laws);
}

#[test]
fn exponential_and_logarithm() {
    let found = of_unary(&["exp", "ln"], &[|x| x[0].exp(), |x| x[0].ln()], (0.1, 4.0));
    found.has(&[
        "exp(x + y) == exp(x)*exp(y)",
        "ln(x*y) == ln(x) + ln(y)",
        "relation ln_undoes: ln(exp(x)) == x",
        "relation exp_undoes: exp(ln(x)) == x",
    ]);
    found.implies(&["exp(2*x) - exp(x)^2", "ln(x^2) - 2*ln(x)", "exp(x)*exp(-x) - 1"]);
    assert!(found.laws.len() <= 5, "{:#?}", found.laws);
}

#[test]
fn hyperbolic_functions() {
    let found = of_unary(&["sinh", "cosh"], &[|x| x[0].sinh(), |x| x[0].cosh()], (-3.0, 3.0));
    found.has(&[
        "cosh(x)^2 == sinh(x)^2 + 1",
        "sinh(x + y) == sinh(x)*cosh(y) + cosh(x)*sinh(y)",
        "cosh(x + y) == sinh(x)*sinh(y) + cosh(x)*cosh(y)",
    ]);
    assert!(found.laws.len() <= 6, "{:#?}", found.laws);
    assert_eq!(found.explained.explained, found.explained.independent);
}

#[test]
fn the_hypotenuse() {
    let found = of_binary("hypot", |x| x[0].hypot(x[1]), (-4.0, 4.0));
    found.has(&[
        "hypot(0, x) == abs(x)",
        "hypot(y, x) == hypot(x, y)",
        "hypot(-x, y) == hypot(x, y)",
        "hypot(x, y)^2 == x^2 + y^2",
    ]);
    found.implies(&["hypot(2*x, 2*y) - 2*hypot(x, y)"]);
    assert!(found.laws.len() <= 8, "{:#?}", found.laws);
}

#[test]
fn powers() {
    let found = of_binary("pow", |x| x[0].powf(x[1]), (0.2, 3.0));
    found.has(&[
        "pow(x, 0) == 1",
        "pow(x, 1) == x",
        "pow(x*y, z) == pow(x, z)*pow(y, z)",
        "pow(x, y + z) == pow(x, y)*pow(x, z)",
    ]);
    assert!(found.laws.len() <= 9, "{:#?}", found.laws);
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[test]
fn the_greatest_common_divisor() {
    let vocabulary = Vocabulary::new(functions(&[("gcd", &["p", "q"])]), Numbers::Integers);
    let run: [Integer; 1] = [|x| Some(gcd(x[0], x[1]))];
    let found = listed(Prime, &vocabulary, of_integers(&vocabulary, &run, (-60, 60)));
    found.has(&[
        "gcd(q, p) == gcd(p, q)",
        "gcd(p, p + q) == gcd(p, q)",
        "gcd(p, gcd(p, q)) == gcd(p, q)",
        "gcd(gcd(p, q), r) == gcd(p, gcd(q, r))",
        "gcd(p*q, p*r) == abs(p)*gcd(q, r)",
        "gcd(p^2, q^2) == gcd(p, q)^2",
    ]);
    found.implies(&[
        "gcd(p, p) - abs(p)",
        "gcd(p, 0) - abs(p)",
        "gcd(p, 1) - 1",
        "gcd(p, p*q) - abs(p)",
        "gcd(2*p, 2*q) - 2*gcd(p, q)",
    ]);
    assert!(found.laws.len() <= 13, "{:#?}", found.laws);
}

fn fibonacci(n: i128) -> Option<u64> {
    let step = |(a, b): (u64, u64), _| (b, a.wrapping_add(b));
    (0..300).contains(&n).then(|| (0..n).fold((0, 1), step).0)
}

#[test]
fn the_numbers_of_fibonacci_have_an_addition_theorem_in_both_rings() {
    let vocabulary = Vocabulary::new(functions(&[("fib", &["n"])]), Numbers::Integers);
    let run: [Integer; 1] = [|x| fibonacci(x[0]).map(i128::from)];
    let exact = listed(Prime, &vocabulary, of_integers(&vocabulary, &run, (0, 40)));
    let wrapping = listed(Wrapping { bits: 64 }, &vocabulary, of_integers(&vocabulary, &run, (0, 140)));
    for found in [exact, wrapping] {
        found.has(&["fib(n + m) == fib(n)*fib(m + 1) + fib(m)*fib(n - 1)"]);
        // Cassini's identity.
        found.has(&["(-1)^n + fib(n)*fib(n + 2) == fib(n + 1)^2"]);
        found.implies(&["fib(n + 2) - fib(n) - fib(n + 1)"]);
    }
}

#[test]
fn functions_without_laws_have_none() {
    let found = of_unary(&["f"], &[|x| (x[0] * 1.3).exp().sin() + x[0].powi(3)], (-2.0, 2.0));
    assert!(found.laws.is_empty() && found.explained.independent == 0, "{:#?}", found.laws);
}
