//! The C functions that draw input values.

use std::fmt::Write as _;

use dodona_target::{Distribution, Parameter};

use super::super::generator::{Generator, Numbers, Order, Shape};
use super::super::write::Dialect;
use super::{C, characters, conditions, integer};

/// The C function that draws the values of a parameter.
///
/// # Errors
/// Why no value can be drawn.
pub(super) fn function(parameter: &Parameter, name: &str) -> Result<String, String> {
    let generator = Generator::of(parameter)
        .ok_or_else(|| format!("the domain of its parameter `{}` is empty", parameter.name))?;
    let mut code = String::new();
    let draw = match &generator.shape {
        Shape::Scalar(numbers) => numbers_of(numbers),
        Shape::Sequence { elements, length: (least, most), order } => {
            let _ = writeln!(
                code,
                "static mr_value {name}_element(void) {{\n    return {};\n}}\n",
                numbers_of(elements)
            );
            ordered(format!("mr_draw_list({name}_element, {least}u, {most}u)"), *order)
        }
        Shape::Text { alphabet, length: (least, most), order } => {
            let alphabet: String = alphabet.iter().flatten().collect();
            ordered(format!("mr_draw_text({}, {least}u, {most}u)", characters(alphabet.as_bytes())), *order)
        }
        Shape::Texts(texts) => {
            let texts: Vec<String> = texts.iter().map(|t| characters(t.as_bytes())).collect();
            format!("((const mr_value[]){{{}}})[mr_below({})]", texts.join(", "), texts.len())
        }
    };
    let _ = writeln!(code, "static mr_value {name}(void) {{");
    if !generator.favoured.is_empty() && generator.share > 0 {
        let favoured: Result<Vec<String>, String> =
            generator.favoured.iter().map(|v| C::constant(Some(v))).collect();
        let favoured = favoured?;
        let _ = writeln!(
            code,
            "    if (mr_chance({})) {{\n        const mr_value favoured[] = {{{}}};\n        return favoured[mr_below({})];\n    }}",
            generator.share,
            favoured.join(", "),
            favoured.len()
        );
    }
    if generator.doubtful {
        let inside = conditions(parameter, "value");
        let _ = writeln!(
            code,
            "    for (int i = 0; i < 1000; i++) {{\n        mr_value value = {draw};\n        if ({inside}) {{\n            \
             return value;\n        }}\n    }}\n    return mr_undefined();\n}}\n"
        );
    } else {
        let _ = writeln!(code, "    return {draw};\n}}\n");
    }
    Ok(code)
}

fn ordered(draw: String, order: Order) -> String {
    let draw = if order.distinct { format!("mr_distinct({draw})") } else { draw };
    if order.sorted { format!("mr_sorted({draw})") } else { draw }
}

fn numbers_of(numbers: &Numbers) -> String {
    let word = |spread: &Distribution| match spread {
        Distribution::Mixed => "MR_MIXED",
        Distribution::Uniform => "MR_UNIFORM",
        Distribution::Logarithmic => "MR_LOGARITHMIC",
    };
    let pairs = |pieces: Vec<String>| pieces.join(", ");
    match numbers {
        Numbers::Bools(values) => {
            let values: Vec<String> = values.iter().map(bool::to_string).collect();
            format!("mr_draw_truth({}, (const bool[]){{{}}})", values.len(), values.join(", "))
        }
        Numbers::Ints(pieces, spread) => {
            let each = |(low, high): &(i128, i128)| format!("{{{}, {}}}", integer(*low), integer(*high));
            let written = pairs(pieces.iter().map(each).collect());
            format!("mr_draw_whole({}, (mr_int[][2]){{{written}}}, {})", pieces.len(), word(spread))
        }
        Numbers::Floats { pieces, spread, single } => {
            let each = |(low, high): &(f64, f64)| format!("{{{}, {}}}", C::float(*low), C::float(*high));
            let written = pairs(pieces.iter().map(each).collect());
            let drawn =
                format!("mr_draw_real({}, (double[][2]){{{written}}}, {})", pieces.len(), word(spread));
            if *single { format!("mr_to_single({drawn})") } else { drawn }
        }
    }
}
