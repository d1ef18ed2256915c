//! The hypothesis strategies that draw inputs.

use dodona_target::Parameter;

use super::super::generator::{Generator, Numbers, Order, Shape};
use super::super::write::Dialect;
use super::{Python, conditions, list, text};

/// The hypothesis strategy that draws the values of a parameter.
///
/// # Errors
/// Why a constant cannot be written in Python.
pub(super) fn of(parameter: &Parameter, generator: &Generator) -> Result<String, String> {
    let mut strategy = match &generator.shape {
        Shape::Scalar(numbers) => draw(numbers),
        Shape::Sequence { elements, length: (least, most), order } => {
            ordered(format!("st.lists({}, min_size={least}, max_size={most})", draw(elements)), *order)
        }
        Shape::Text { alphabet, length: (least, most), order } => {
            let characters = match alphabet {
                Some(chars) => {
                    format!("st.sampled_from({})", text(chars.iter().collect::<String>().as_bytes()))
                }
                None => "st.characters(exclude_categories=[\"Cs\"])".to_owned(),
            };
            ordered(format!("st.text({characters}, min_size={least}, max_size={most})"), *order)
        }
        Shape::Texts(texts) => format!("st.sampled_from({})", list(texts.iter().map(|t| text(t.as_bytes())))),
    };
    if generator.doubtful {
        strategy = format!("{strategy}.filter(lambda value: {})", conditions(parameter, "value"));
    }
    if generator.favoured.is_empty() || generator.share == 0 {
        return Ok(strategy);
    }
    let favoured: Result<Vec<String>, String> =
        generator.favoured.iter().map(|v| Python::constant(Some(v))).collect();
    Ok(format!("st.one_of({strategy}, st.sampled_from({}))", list(favoured?.into_iter())))
}

fn ordered(strategy: String, order: Order) -> String {
    let strategy =
        if order.distinct { format!("{strategy}.map(lambda s: mr_distinct(s))") } else { strategy };
    if order.sorted { format!("{strategy}.map(lambda s: mr_sorted(s))") } else { strategy }
}

fn draw(numbers: &Numbers) -> String {
    let pieces: Vec<String> = match numbers {
        Numbers::Bools(values) => {
            return format!("st.sampled_from({})", list(values.iter().map(|b| super::truth(*b).to_owned())));
        }
        Numbers::Ints(pieces, _) => {
            pieces.iter().map(|(low, high)| format!("st.integers({low}, {high})")).collect()
        }
        Numbers::Floats { pieces, single, .. } => {
            let round = if *single { ".map(lambda x: mr_single(x))" } else { "" };
            let piece = |(low, high): &(f64, f64)| {
                if low.is_nan() {
                    return format!("st.just({})", Python::float(*low));
                }
                format!("st.floats({}, {}){round}", Python::float(*low), Python::float(*high))
            };
            pieces.iter().map(piece).collect()
        }
    };
    match &pieces[..] {
        [piece] => piece.clone(),
        pieces => format!("st.one_of({})", pieces.join(", ")),
    }
}
