//! Shapes: how long the sequences and texts of an input are.

use dodona_target::{Parameter, Signature, Type, Value};

use super::text;

/// How long a parameter's value is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// A scalar.
    One,
    /// A sequence of so many elements.
    Elements(usize),
    /// A text whose characters have these numbers of bytes. Then no choice of a path decides which bytes form a character, and
    /// most bytes of a text do not depend on each other.
    Characters(Vec<u8>),
}

impl Size {
    /// Elements, or bytes of text; 0 for scalars.
    pub fn length(&self) -> usize {
        match self {
            Size::One => 0,
            Size::Elements(count) => *count,
            Size::Characters(widths) => widths.iter().map(|w| usize::from(*w)).sum(),
        }
    }

    /// Characters of more than one byte.
    fn wide(&self) -> usize {
        match self {
            Size::Characters(widths) => widths.iter().filter(|w| **w > 1).count(),
            _ => 0,
        }
    }
}

/// The sizes of a function's inputs. The starts of an exploration differ in these.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// One a parameter.
    pub sizes: Vec<Size>,
}

/// The most shapes of one function. If there are more, the longest are left out.
const MOST_SHAPES: usize = 4_096;

/// Texts of more bytes have at most one character of more than one byte.
const MIXED: usize = 4;

impl Shape {
    /// Every combination of lengths up to a bound (in elements, bytes for text) that the domains allow, the shortest first and
    /// ASCII before other characters. Second, whether these are all that the domains allow.
    pub fn all(function: &Signature, longest: usize) -> (Vec<Shape>, bool) {
        let mut complete = true;
        let mut shapes = vec![Shape { sizes: Vec::new() }];
        for parameter in &function.parameters {
            let (sizes, all) = sizes(parameter, longest);
            complete &= all;
            let with = |shape: &Shape, size: &Size| {
                let sizes = shape.sizes.iter().chain([size]).cloned().collect();
                Shape { sizes }
            };
            let longer = |shape: &Shape| sizes.iter().map(|s| with(shape, s)).collect::<Vec<_>>();
            shapes = shapes.iter().flat_map(longer).collect();
            shapes.sort_by_cached_key(Shape::order);
            complete &= shapes.len() <= MOST_SHAPES;
            shapes.truncate(MOST_SHAPES);
        }
        (shapes, complete)
    }

    /// The shape of values; `None` where a text is not UTF-8.
    pub fn of(values: &[Value]) -> Option<Shape> {
        let size = |value: &Value| match value {
            Value::Text(bytes) => {
                let text = std::str::from_utf8(bytes).ok()?;
                Some(Size::Characters(text.chars().map(|c| c.len_utf8() as u8).collect()))
            }
            Value::Sequence(sequence) => Some(Size::Elements(sequence.len())),
            _ => Some(Size::One),
        };
        Some(Shape { sizes: values.iter().map(size).collect::<Option<_>>()? })
    }

    fn order(&self) -> (usize, usize, Shape) {
        let wide: usize = self.sizes.iter().map(Size::wide).sum();
        (self.sizes.iter().map(Size::length).sum(), wide, self.clone())
    }
}

/// The sizes of a parameter up to a bound, and whether the domain allows no others.
fn sizes(parameter: &Parameter, longest: usize) -> (Vec<Size>, bool) {
    match parameter.ty {
        Type::Scalar(_) => (vec![Size::One], true),
        Type::Sequence(_) => {
            let (low, high) = bounds(parameter);
            // A domain whose least length is beyond the bound is tried at its least.
            let last = longest.max(low).min(high);
            ((low..=last).map(Size::Elements).collect(), last >= high)
        }
        Type::Text => texts(parameter, longest),
    }
}

fn bounds(parameter: &Parameter) -> (usize, usize) {
    let (low, high) = parameter.domain.length.unwrap_or((0, u64::MAX));
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    (number(low), number(high))
}

fn texts(parameter: &Parameter, longest: usize) -> (Vec<Size>, bool) {
    if let Some(texts) = &parameter.domain.texts {
        let width = |c: char| c.len_utf8() as u8;
        let mut sizes: Vec<Size> =
            texts.iter().map(|text| Size::Characters(text.chars().map(width).collect())).collect();
        sizes.sort();
        sizes.dedup();
        return (sizes, true);
    }
    let (low, high) = bounds(parameter);
    let widths = text::widths(&parameter.domain);
    let narrowest = usize::from(widths.iter().copied().min().unwrap_or(1));
    let last = longest.max(low.saturating_mul(narrowest));
    let mut sizes = Vec::new();
    for bytes in 0..=last {
        compose(bytes, &widths, &mut Vec::new(), bytes > MIXED, &mut sizes);
    }
    sizes.retain(|size| matches!(size, Size::Characters(c) if low <= c.len() && c.len() <= high));
    let widest = usize::from(widths.iter().copied().max().unwrap_or(1));
    let complete = high.saturating_mul(widest) <= last.min(MIXED) || (widest == 1 && high <= last);
    (sizes, complete)
}

/// Every way to make so many bytes of characters of some widths.
fn compose(bytes: usize, widths: &[u8], so_far: &mut Vec<u8>, sparing: bool, into: &mut Vec<Size>) {
    if bytes == 0 {
        into.push(Size::Characters(so_far.clone()));
        return;
    }
    for width in widths.iter().filter(|w| usize::from(**w) <= bytes) {
        let spent = sparing && *width > 1 && so_far.iter().any(|w| *w > 1) && widths.contains(&1);
        if !spent {
            so_far.push(*width);
            compose(bytes - usize::from(*width), widths, so_far, sparing, into);
            so_far.pop();
        }
    }
}
