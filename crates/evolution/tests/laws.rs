//! Laws of functions that everybody knows.

use dodona_evolution::laws::{
    Atom, Call, Calls, Explained, Floats, LawFunction, Limits, Listing, Numbers, Prime, Recorded, Ring,
    Table, Vocabulary, Wrapping, Written,
};

type Float = fn(&[f64]) -> f64;
type Integer = fn(&[i128]) -> Option<i128>;

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
    evaluate: &dyn Fn(&Call, &dyn Fn(Atom) -> Option<I>) -> Option<I>,
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

/// The laws that are listed where every candidate is true.
fn listed<R: Ring>(
    ring: R,
    vocabulary: &Vocabulary,
    (calls, recorded): (Calls, Recorded<R::Input>),
) -> (Vec<String>, Explained) {
    let started = std::time::Instant::now();
    let table = Table::new(ring, vocabulary, calls, &recorded, Limits::default());
    println!(
        "{} calls, {} products, {} rows, rank {}, {} candidates, {:?}",
        table.calls().len(),
        table.len(),
        table.rows(),
        table.rank(),
        table.candidates().len(),
        started.elapsed()
    );
    let empty = Listing::new(&table, vocabulary.variables.len());
    let mut listing = empty.clone();
    let mut chosen = Vec::new();
    for law in table.candidates() {
        if !listing.follows(law) {
            chosen.push(law);
            listing.add(law);
            if std::env::var("DBG").is_ok() {
                let wrong = listing.contradictions(&table).len();
                println!(
                    "{wrong} after {}",
                    Written::form(law.form(), vocabulary, table.constants(), table.calls())
                );
            }
        }
    }
    println!("{} rules, {:?}", listing.rules(), started.elapsed());
    let mut laws = Vec::new();
    for law in empty.without_special_cases(&chosen) {
        let written = Written::new(law, vocabulary, table.constants(), table.calls());
        let text = written.relation(&written.name, "", "==", "");
        println!("{text}   # {}", written.words);
        laws.push(text);
    }
    println!("{:?}", started.elapsed());
    let wrong: Vec<String> = listing
        .contradictions(&table)
        .iter()
        .map(|form| Written::form(form, vocabulary, table.constants(), table.calls()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let explained = listing.explained(&table);
    println!("{} rules, {explained:?}, {:?}", listing.rules(), started.elapsed());
    (laws, explained)
}

fn trigonometry(names: &[(&str, &[&str])], run: &[Float]) -> (Vec<String>, Explained) {
    let vocabulary = Vocabulary::new(functions(names), Numbers::Floats { single: false });
    listed(Floats::DOUBLE, &vocabulary, of_floats(&vocabulary, run, (-4.0, 4.0)))
}

#[test]
fn sine_and_cosine_have_the_laws_of_a_textbook() {
    let (laws, explained) =
        trigonometry(&[("sin", &["x"]), ("cos", &["x"])], &[|x| x[0].sin(), |x| x[0].cos()]);
    for law in [
        "relation sin_odd: sin(-x) == -sin(x)",
        "relation cos_even: cos(-x) == cos(x)",
        "relation sin_sum(y: sin.x): sin(x + y) == sin(x)*cos(y) + cos(x)*sin(y)",
    ] {
        assert!(laws.iter().any(|listed| listed == law), "{law} in {laws:#?}");
    }
    assert!(laws.len() <= 14, "{laws:#?}");
    assert_eq!(explained.explained, explained.independent);
}

#[test]
fn with_tangent_there_are_at_most_fourteen() {
    let run: [Float; 3] = [|x| x[0].sin(), |x| x[0].cos(), |x| x[0].tan()];
    let (laws, _) = trigonometry(&[("sin", &["x"]), ("cos", &["x"]), ("tan", &["x"])], &run);
    assert!(laws.len() <= 14, "{laws:#?}");
}

#[test]
fn exponential_and_logarithm() {
    let names: [(&str, &[&str]); 2] = [("exp", &["x"]), ("ln", &["x"])];
    let vocabulary = Vocabulary::new(functions(&names), Numbers::Floats { single: false });
    let run: [Float; 2] = [|x| x[0].exp(), |x| x[0].ln()];
    let (laws, _) = listed(Floats::DOUBLE, &vocabulary, of_floats(&vocabulary, &run, (0.1, 4.0)));
    for law in [
        "relation exp_sum(y: exp.x): exp(x + y) == exp(x)*exp(y)",
        "relation ln_product(y: ln.x): ln(x*y) == ln(x) + ln(y)",
    ] {
        assert!(laws.iter().any(|listed| listed == law), "{law} in {laws:#?}");
    }
}

#[test]
fn hyperbolic_functions() {
    let names: [(&str, &[&str]); 2] = [("sinh", &["x"]), ("cosh", &["x"])];
    let vocabulary = Vocabulary::new(functions(&names), Numbers::Floats { single: false });
    let run: [Float; 2] = [|x| x[0].sinh(), |x| x[0].cosh()];
    let (laws, _) = listed(Floats::DOUBLE, &vocabulary, of_floats(&vocabulary, &run, (-3.0, 3.0)));
    assert!(laws.len() <= 10, "{laws:#?}");
}

#[test]
fn the_hypotenuse() {
    let names: [(&str, &[&str]); 1] = [("hypot", &["x", "y"])];
    let vocabulary = Vocabulary::new(functions(&names), Numbers::Floats { single: false });
    let (laws, _) =
        listed(Floats::DOUBLE, &vocabulary, of_floats(&vocabulary, &[|x| x[0].hypot(x[1])], (-4.0, 4.0)));
    assert!(laws.len() <= 14, "{laws:#?}");
}

#[test]
fn powers() {
    let names: [(&str, &[&str]); 1] = [("pow", &["x", "y"])];
    let vocabulary = Vocabulary::new(functions(&names), Numbers::Floats { single: false });
    let (laws, _) =
        listed(Floats::DOUBLE, &vocabulary, of_floats(&vocabulary, &[|x| x[0].powf(x[1])], (0.2, 3.0)));
    assert!(laws.len() <= 14, "{laws:#?}");
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[test]
fn the_greatest_common_divisor() {
    let vocabulary = Vocabulary::new(functions(&[("gcd", &["p", "q"])]), Numbers::Integers);
    let run: [Integer; 1] = [|x| Some(gcd(x[0], x[1]))];
    let (laws, _) = listed(Prime, &vocabulary, of_integers(&vocabulary, &run, (-60, 60)));
    assert!(laws.len() <= 14, "{laws:#?}");
}

fn fibonacci(n: i128) -> Option<u64> {
    let step = |(a, b): (u64, u64), _| (b, a.wrapping_add(b));
    (0..300).contains(&n).then(|| (0..n).fold((0, 1), step).0)
}

#[test]
fn the_numbers_of_fibonacci() {
    let vocabulary = Vocabulary::new(functions(&[("fib", &["n"])]), Numbers::Integers);
    let run: [Integer; 1] = [|x| fibonacci(x[0]).map(i128::from)];
    listed(Prime, &vocabulary, of_integers(&vocabulary, &run, (0, 40)));
    listed(Wrapping { bits: 64 }, &vocabulary, of_integers(&vocabulary, &run, (0, 140)));
}
