//: one_of_ranges
/// Draws from one of these strategies, chosen at random.
fn one_of_ranges<T: fmt::Debug + 'static>(strategies: Vec<BoxedStrategy<T>>) -> BoxedStrategy<T> {
    proptest::strategy::Union::new(strategies).boxed()
}

//: Spread
/// How drawn numbers spread over a range.
#[derive(Clone, Copy, PartialEq)]
pub enum Spread {
    Mixed,
    Uniform,
    Logarithmic,
}

//: draw_ints
/// Draws integers from closed ranges. Unless `spread` is uniform, small magnitudes are drawn about as often as large
/// ones.
pub fn draw_ints(ranges: &[(i128, i128)], spread: Spread) -> BoxedStrategy<i128> {
    let of_range = |&(low, high): &(i128, i128)| {
        let middle = 0.clamp(low, high);
        let around = (2u32..64).step_by(6).map(|bits| 1i128 << bits).filter(|r| *r < high - low);
        let near = around.map(|r| (low.max(middle - r)..=high.min(middle + r)).boxed());
        let near: Vec<_> = if spread == Spread::Uniform { Vec::new() } else { near.collect() };
        let whole = (low..=high).boxed();
        if near.is_empty() {
            return whole;
        }
        let even = if spread == Spread::Mixed { whole.clone() } else { one_of_ranges(near.clone()) };
        one_of_ranges(vec![even, one_of_ranges(near.into_iter().chain([whole]).collect())])
    };
    one_of_ranges(ranges.iter().map(of_range).collect())
}

//: draw_floats
/// Draws finite floats from closed ranges; a range may be NaN alone. Unless `spread` is uniform, small magnitudes are
/// drawn about as often as large ones.
pub fn draw_floats(ranges: &[(f64, f64)], spread: Spread) -> BoxedStrategy<f64> {
    let of_range = |&(low, high): &(f64, f64)| {
        if low == high || low.is_nan() {
            return Just(low).boxed();
        }
        let middle = 0f64.clamp(low, high);
        // Draws half of the number, so that the width of the range is finite.
        let whole = (low / 2.0..=high / 2.0).prop_map(move |x| (2.0 * x).clamp(low, high)).boxed();
        let around =
            (-9..=24).step_by(3).map(|places| 10f64.powi(places)).filter(|r| *r < high / 2.0 - low / 2.0);
        let near = around.map(|r| (low.max(middle - r)..=high.min(middle + r)).boxed());
        let near: Vec<_> = if spread == Spread::Uniform { Vec::new() } else { near.collect() };
        if near.is_empty() {
            return whole;
        }
        let even = if spread == Spread::Mixed { whole.clone() } else { one_of_ranges(near.clone()) };
        one_of_ranges(vec![even, one_of_ranges(near.into_iter().chain([whole]).collect())])
    };
    one_of_ranges(ranges.iter().map(of_range).collect())
}

//: draw_singles
/// [`draw_floats`] in single precision.
pub fn draw_singles(ranges: &[(f64, f64)], spread: Spread) -> BoxedStrategy<f64> {
    draw_floats(ranges, spread).prop_map(|x| f64::from(x as f32)).boxed()
}

//: draw_bools
pub fn draw_bools(values: &[bool]) -> BoxedStrategy<bool> {
    proptest::sample::select(values.to_vec()).boxed()
}

//: draw_value
/// Draws a number or a Boolean as a value.
pub fn draw_value<T: Into<Value> + fmt::Debug + 'static>(numbers: BoxedStrategy<T>) -> BoxedStrategy<Value> {
    numbers.prop_map(Into::into).boxed()
}

//: draw_sequence
/// Draws a sequence with a length between `least` and `most`.
pub fn draw_sequence<T>(elements: BoxedStrategy<T>, least: usize, most: usize) -> BoxedStrategy<Value>
where
    T: fmt::Debug + 'static,
    Value: From<Vec<T>>,
{
    proptest::collection::vec(elements, least..=most).prop_map(Value::from).boxed()
}

//: draw_text
/// Draws a text with a length between `least` and `most` over an alphabet; without one, printable ASCII and some
/// other Unicode.
pub fn draw_text(alphabet: Option<&str>, least: usize, most: usize) -> BoxedStrategy<Value> {
    let characters = match alphabet {
        Some(alphabet) => proptest::sample::select(alphabet.chars().collect::<Vec<char>>()).boxed(),
        None => prop_oneof![7 => proptest::char::range(' ', '~'), 1 => any::<char>()].boxed(),
    };
    let text = |characters: Vec<char>| Text(characters.into_iter().collect());
    proptest::collection::vec(characters, least..=most).prop_map(text).boxed()
}

//: draw_one_of
pub fn draw_one_of(texts: &[&str]) -> BoxedStrategy<Value> {
    let texts: Vec<Value> = texts.iter().map(|t| Value::from(*t)).collect();
    proptest::sample::select(texts).boxed()
}

//: draw_distinct
pub fn draw_distinct(sequences: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    sequences.prop_map(distinct).boxed()
}

//: draw_sorted
pub fn draw_sorted(sequences: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    sequences.prop_map(sorted).boxed()
}

//: favouring
/// Draws a favoured value `share` times in a thousand, otherwise from `others`.
pub fn favouring(share: u32, favoured: &[Value], others: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    prop_oneof![share => proptest::sample::select(favoured.to_vec()), 1000 - share => others].boxed()
}
