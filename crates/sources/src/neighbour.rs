//! Computes values near a given value, for local searches over source inputs.

use dodona_target::{Domain, Number, Scalar, Sequence, Type, Value};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::seed::{index, up_to};

/// A value of the domain near another one: a number is moved by a step of any magnitude, negated, or replaced by an
/// end of its domain; a sequence or text has an element inserted, removed or changed, or two elements exchanged.
/// `None` if the new value lies outside the domain: try again.
///
/// ```
/// use dodona_sources::{Seed, neighbour};
/// use dodona_target::{Domain, Scalar, Type, Value};
///
/// let (ty, domain) = (Type::Scalar(Scalar::U8), Domain::default());
/// let mut rng = Seed(1).stream("near", 0);
/// let near: Vec<Value> = (0..20).filter_map(|_| neighbour(ty, &domain, &Value::Int(255), &mut rng)).collect();
/// assert!(!near.is_empty() && near.iter().all(|value| domain.contains(ty, value)));
/// ```
pub fn neighbour(ty: Type, domain: &Domain, value: &Value, rng: &mut Xoshiro256PlusPlus) -> Option<Value> {
    let near = match (ty, value) {
        (_, Value::Bool(b)) => Value::Bool(!b),
        (Type::Scalar(scalar), Value::Int(i)) => Value::Int(integer(scalar, domain, *i, rng)),
        (Type::Scalar(scalar), Value::Float(x)) => Value::Float(float(scalar, domain, *x, rng)),
        (Type::Text, Value::Text(bytes)) => Value::Text(text(domain, bytes, rng).into()),
        (Type::Sequence(scalar), Value::Sequence(items)) => {
            Value::Sequence(sequence(scalar, domain, items, rng))
        }
        _ => return None,
    };
    domain.contains(ty, &near).then_some(near)
}

fn integer(scalar: Scalar, domain: &Domain, value: i128, rng: &mut Xoshiro256PlusPlus) -> i128 {
    // Each magnitude is equally likely, so small steps are as likely as large ones.
    let step = 1_i128 << index(rng, 31);
    match index(rng, 8) {
        0 | 1 => value + 1,
        2 | 3 => value - 1,
        4 => value.saturating_add(step),
        5 => value.saturating_sub(step),
        6 => -value,
        _ => end(scalar, domain, rng).unwrap_or(value / 2),
    }
}

/// A random end of one of the domain's ranges; of the type, if the domain has no ranges.
fn end(scalar: Scalar, domain: &Domain, rng: &mut Xoshiro256PlusPlus) -> Option<i128> {
    let ranges = &domain.numbers.ranges;
    if ranges.is_empty() {
        let (low, high) = scalar.integer_range()?;
        return Some(if up_to(rng, 1) == 0 { low } else { high });
    }
    let range = ranges[index(rng, ranges.len())];
    match if up_to(rng, 1) == 0 { range.low } else { range.high } {
        Number::Int(i) => Some(i),
        Number::Float(_) => None,
    }
}

fn float(scalar: Scalar, domain: &Domain, value: f64, rng: &mut Xoshiro256PlusPlus) -> f64 {
    let ranges = &domain.numbers.ranges;
    let share = 2_f64.powi(-(index(rng, 53) as i32));
    let near = match index(rng, 8) {
        0 | 1 => value + value.abs().max(1.0) * share,
        2 | 3 => value - value.abs().max(1.0) * share,
        4 => -value,
        5 => value.round(),
        6 => value / 2.0,
        _ if ranges.is_empty() => [0.0, 1.0, f64::MAX, f64::MIN_POSITIVE][index(rng, 4)],
        _ => ranges[index(rng, ranges.len())].low.as_f64(),
    };
    if scalar == Scalar::F32 { f64::from(near as f32) } else { near }
}

fn sequence(scalar: Scalar, domain: &Domain, items: &Sequence, rng: &mut Xoshiro256PlusPlus) -> Sequence {
    match items {
        Sequence::Bool(items) => Sequence::Bool(edited(items, rng, |old, _| !old.unwrap_or(false))),
        Sequence::Int(items) => {
            Sequence::Int(edited(items, rng, |old, rng| integer(scalar, domain, old.unwrap_or(0), rng)))
        }
        Sequence::Float(items) => {
            Sequence::Float(edited(items, rng, |old, rng| float(scalar, domain, old.unwrap_or(0.0), rng)))
        }
    }
}

/// Characters that text functions may treat differently: letters of both cases, digits, spaces, signs, characters of
/// more than one byte, letters whose other case has another length or leads back to another letter, letters whose title case
/// is not their upper case, a combining mark, and a character beyond the first Unicode plane.
const CHARACTERS: [char; 22] = [
    'a', 'b', 'z', 'A', 'Z', '0', '9', ' ', '.', '-', 'é', 'ß', 'ǰ', 'ŉ', 'ı', 'İ', 'ſ', 'ǆ', 'ᾀ', 'ﬀ',
    '\u{345}', '😀',
];

/// A text with each of some characters that text functions may treat differently, put before its first character, before its
/// second, and after its last. Those that lie outside the domain are left out.
///
/// ```
/// use dodona_sources::with_special_characters;
/// use dodona_target::Domain;
///
/// let texts = with_special_characters(&Domain::default(), "ab");
/// assert!(["ßab", "aßb", "abß"].iter().all(|text| texts.iter().any(|t| t == text)));
/// ```
pub fn with_special_characters(domain: &Domain, text: &str) -> Vec<String> {
    let second = text.chars().next().map(char::len_utf8);
    let mut places: Vec<usize> = [Some(0), second, Some(text.len())].into_iter().flatten().collect();
    places.dedup();
    let at = |&place: &usize, c: char| [&text[..place], c.encode_utf8(&mut [0; 4]), &text[place..]].concat();
    let texts = CHARACTERS.iter().flat_map(|&c| places.iter().map(move |place| at(place, c)));
    texts.filter(|t| domain.contains(Type::Text, &Value::Text(t.as_bytes().into()))).collect()
}

fn text(domain: &Domain, bytes: &[u8], rng: &mut Xoshiro256PlusPlus) -> String {
    let characters: Vec<char> = String::from_utf8_lossy(bytes).chars().collect();
    let alphabet = domain.alphabet.as_deref().filter(|a| !a.is_empty()).unwrap_or(&CHARACTERS);
    edited(&characters, rng, |_, rng| alphabet[index(rng, alphabet.len())]).into_iter().collect()
}

/// Makes one random edit of a sequence of elements; `change` makes a new element, from an old one if one is given.
fn edited<T: Copy>(
    items: &[T],
    rng: &mut Xoshiro256PlusPlus,
    change: impl Fn(Option<T>, &mut Xoshiro256PlusPlus) -> T,
) -> Vec<T> {
    let mut edited = items.to_vec();
    if items.is_empty() {
        return vec![change(None, rng)];
    }
    let at = index(rng, items.len());
    match index(rng, 5) {
        0 => edited.insert(index(rng, items.len() + 1), change(Some(items[at]), rng)),
        1 => {
            edited.remove(at);
        }
        2 => edited.swap(at, index(rng, items.len())),
        // Equal elements are a special case in much code.
        3 => edited[at] = items[index(rng, items.len())],
        _ => edited[at] = change(Some(items[at]), rng),
    }
    edited
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seed;

    fn all_near(ty: Type, domain: &Domain, value: &Value) -> Vec<Value> {
        let mut rng = Seed(3).stream("near", 0);
        (0..300).filter_map(|_| neighbour(ty, domain, value, &mut rng)).collect()
    }

    #[test]
    fn neighbours_of_a_number_reach_the_next_one_and_the_ends() {
        let near = all_near(Type::Scalar(Scalar::I8), &Domain::default(), &Value::Int(5));
        for wanted in [4, 6, -5, -128, 127] {
            assert!(near.iter().any(|v| matches!(v, Value::Int(i) if *i == wanted)), "{wanted}: {near:?}");
        }
    }

    #[test]
    fn neighbours_of_a_sequence_are_one_edit_away() {
        let ty = Type::Sequence(Scalar::I32);
        let near = all_near(ty, &Domain::default(), &Value::Sequence(Sequence::Int(vec![1, 2, 3])));
        let lengths: Vec<usize> = near
            .iter()
            .map(|v| match v {
                Value::Sequence(Sequence::Int(items)) => items.len(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert!([2, 3, 4].iter().all(|n| lengths.contains(n)) && lengths.iter().all(|n| (2..=4).contains(n)));
    }

    #[test]
    fn neighbours_stay_in_the_domain() {
        let domain = Domain { length: Some((1, 2)), alphabet: Some(vec!['x', 'y']), ..Domain::default() };
        let near = all_near(Type::Text, &domain, &Value::Text("xy".into()));
        assert!(!near.is_empty() && near.iter().all(|value| domain.contains(Type::Text, value)));
    }
}
