//! The Java methods that draw inputs.

use dodona_target::{Distribution, Parameter};

use super::super::generator::{Generator, Numbers, Order, Shape};
use super::super::write::{Dialect, apply};
use super::java_dialect::{Java, integer, text};
use super::{conditions, range};

/// The Java method that draws the values of a parameter.
///
/// # Errors
/// Why no value can be drawn.
pub(super) fn method(parameter: &Parameter, name: &str) -> Result<String, String> {
    let generator = Generator::of(parameter)
        .ok_or_else(|| format!("the domain of its parameter `{}` is empty", parameter.name))?;
    let mut draw = drawn(&generator.shape);
    if generator.doubtful {
        let inside = format!("value -> {}", conditions(parameter, "value"));
        draw = apply::<Java>("draw_inside", &[format!("() -> {draw}"), inside]);
    }
    let mut favoured = String::new();
    if !generator.favoured.is_empty() && generator.share > 0 {
        let values: Result<Vec<String>, String> =
            generator.favoured.iter().map(|v| Java::constant(Some(v))).collect();
        let one = from_random("one_of", &values?);
        let chance = from_random("chance", &[generator.share.to_string()]);
        favoured = format!("    if ({chance}) {{\n        return {one};\n    }}\n");
    }
    Ok(format!("private static Object {name}(Random random) {{\n{favoured}    return {draw};\n}}\n"))
}

fn drawn(shape: &Shape) -> String {
    match shape {
        Shape::Scalar(numbers) => numbers_of(numbers),
        Shape::Sequence { elements, length: (least, most), order } => {
            let element = format!("() -> {}", numbers_of(elements));
            ordered(from_random("draw_list", &[length(*least), length(*most), element]), *order)
        }
        Shape::Text { alphabet, length: (least, most), order } => {
            let alphabet: String = alphabet.iter().flatten().collect();
            let operands = [length(*least), length(*most), text(alphabet.as_bytes())];
            ordered(from_random("draw_text", &operands), *order)
        }
        Shape::Texts(texts) => {
            from_random("one_of", &texts.iter().map(|t| text(t.as_bytes())).collect::<Vec<_>>())
        }
    }
}

/// A word of the prelude that draws.
fn from_random(word: &str, operands: &[String]) -> String {
    apply::<Java>(word, &[&["random".to_owned()], operands].concat())
}

/// A length as an `int` with room for a next one: nothing in Java is longer.
fn length(n: u64) -> String {
    n.min(i32::MAX as u64 - 1).to_string()
}

fn ordered(draw: String, order: Order) -> String {
    let draw = if order.distinct { apply::<Java>("distinct", &[draw]) } else { draw };
    if order.sorted { apply::<Java>("sorted", &[draw]) } else { draw }
}

fn numbers_of(numbers: &Numbers) -> String {
    let word = |spread: &Distribution| match spread {
        Distribution::Mixed => "MrSpread.MIXED".to_owned(),
        Distribution::Uniform => "MrSpread.UNIFORM".to_owned(),
        Distribution::Logarithmic => "MrSpread.LOGARITHMIC".to_owned(),
    };
    match numbers {
        Numbers::Bools(values) => {
            from_random("one_of", &values.iter().map(bool::to_string).collect::<Vec<_>>())
        }
        Numbers::Ints(pieces, spread) => {
            let ranges = pieces.iter().map(|(low, high)| range(&integer(*low), &integer(*high)));
            from_random("draw_whole", &[word(spread)].into_iter().chain(ranges).collect::<Vec<_>>())
        }
        Numbers::Floats { pieces, spread, single } => {
            let ranges = pieces.iter().map(|(low, high)| range(&Java::float(*low), &Java::float(*high)));
            let drawn =
                from_random("draw_real", &[word(spread)].into_iter().chain(ranges).collect::<Vec<_>>());
            if *single { apply::<Java>("to_single", &[drawn]) } else { drawn }
        }
    }
}
