//! Forms of functions of points, such as `distance(lat1, lon1, lat2, lon2)` and `orientation(ax, ay, bx, by, cx, cy)`. Which parameters belong to one point is told by
//! their names.

use dodona_relations::parse;
use dodona_target::{Kind, Signature, Type};

use super::form::Form;
use super::guess::{Guesses, KnownForm, Place};

/// The points among the parameters of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Points {
    /// What each is called: `a`, `1`.
    names: Vec<String>,
    /// The parameters of each, one for each coordinate, in the same order.
    coordinates: Vec<Vec<usize>>,
}

/// How the name of a point and that of a coordinate make that of a parameter: the point's name in it and the coordinate's.
type Split = fn(&str) -> Option<(&str, &str)>;

/// `lat1`, `ax`, `a_x`, `x_a`
const SPLITS: [Split; 4] = [
    |name| {
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        (letters.len() < name.len() && !letters.is_empty()).then(|| name.split_at(letters.len())).map(swapped)
    },
    |name| (name.len() == 2 && name.is_ascii()).then(|| name.split_at(1)),
    |name| name.split_once('_'),
    |name| name.rsplit_once('_').map(swapped),
];

fn swapped<'a>((a, b): (&'a str, &'a str)) -> (&'a str, &'a str) {
    (b, a.trim_end_matches('_'))
}

/// A form with what it says of points. The coordinates of two of them are in the first places, those of others behind.
struct PointForm {
    form: &'static Form,
    /// What its relations are called, with `{g}` and `{h}` for the two points, or `{c}` for a coordinate.
    name: &'static str,
    words: &'static str,
}

macro_rules! point_form {
    ($constant:ident, $name:literal, $called:literal, $words:literal) => {
        const $constant: PointForm =
            PointForm { form: &Form::law($name, "", ""), name: $called, words: $words };
    };
}

point_form!(
    SAME,
    "points_exchanged",
    "{g}_{h}_exchanged_same",
    "exchanging the points {g} and {h} changes nothing"
);
point_form!(
    NEGATED,
    "points_exchanged_negate",
    "{g}_{h}_exchanged_negates",
    "exchanging the points {g} and {h} gives the negative"
);
point_form!(ZERO, "zero_of_equal_points", "zero_if_{g}_is_{h}", "with the same points {g} and {h} it is 0");
point_form!(MOVED, "points_moved", "moved_by_{c}", "moving all points by the same {c} changes nothing");
point_form!(
    MIRRORED,
    "points_mirrored",
    "mirrored_in_{c}_same",
    "the opposite sign of every {c} changes nothing"
);
point_form!(
    MIRRORED_NEGATES,
    "points_mirrored_negate",
    "mirrored_in_{c}_negates",
    "the opposite sign of every {c} gives the negative"
);
point_form!(
    SCALED,
    "points_scaled",
    "of_scaled_points",
    "points k times as far away give k times the result"
);
point_form!(
    SCALED_BY_SQUARE,
    "points_scaled_square",
    "of_scaled_points_by_square",
    "points k times as far away give k times k times the result"
);
point_form!(
    SCALED_SAME,
    "points_scaled_same",
    "same_for_scaled_points",
    "points k times as far away give the same"
);

/// All forms that can be said of the points of a function.
///
/// ```
/// use dodona_inference::known_forms::of_points;
/// use dodona_target::{Parameter, Scalar, Signature, Type};
///
/// let number = Type::Scalar(Scalar::F64);
/// let parameters = ["x1", "y1", "x2", "y2"].map(|name| Parameter::new(name, number)).to_vec();
/// let distance = Signature::new("distance", parameters, Some(number));
/// let found = of_points(&[distance], 0);
/// let first = "relation distance_1_2_exchanged_same: distance(x2, y2, x1, y1) ~= distance(x1, y1, x2, y2)";
/// assert_eq!(found[0].to_string(), first);
/// ```
pub fn of_points(functions: &[Signature], function: usize) -> Vec<KnownForm> {
    let mut guesses = Guesses::new(functions);
    let Some(points) = SPLITS.iter().find_map(|split| Points::of(&functions[function], *split)) else {
        return Vec::new();
    };
    for first in 0..points.names.len() - 1 {
        points.of_two(&mut guesses, function, first);
    }
    points.of_all(&mut guesses, function);
    guesses.found
}

impl Points {
    /// The points of a function, if its parameters are called so: at least two of at least two coordinates, which are numbers.
    fn of(function: &Signature, split: Split) -> Option<Points> {
        let mut found: Vec<(&str, Vec<(&str, usize)>)> = Vec::new();
        for (place, parameter) in function.parameters.iter().enumerate() {
            let Some((point, coordinate)) = split(&parameter.name).filter(|_| is_number(parameter.ty)) else {
                continue;
            };
            match found.iter_mut().find(|(name, _)| *name == point) {
                Some((_, coordinates)) => coordinates.push((coordinate, place)),
                None => found.push((point, vec![(coordinate, place)])),
            }
        }
        let first = found.first()?.1.clone();
        let of_point = |(name, coordinates): &(&str, Vec<(&str, usize)>)| {
            let place = |wanted: &(&str, usize)| {
                let (_, place) = coordinates.iter().find(|(coordinate, _)| *coordinate == wanted.0)?;
                let [own, other] = [wanted.1, *place].map(|place| &function.parameters[place]);
                (own.ty == other.ty && own.domain == other.domain).then_some(*place)
            };
            let places = first.iter().map(place).collect::<Option<Vec<usize>>>()?;
            (coordinates.len() == first.len()).then(|| ((*name).to_owned(), places))
        };
        let (names, coordinates) =
            found.iter().map(of_point).collect::<Option<(Vec<String>, Vec<Vec<usize>>)>>()?;
        (names.len() > 1 && first.len() > 1).then_some(Points { names, coordinates })
    }

    /// Forms of a point and the next one.
    fn of_two(&self, guesses: &mut Guesses<'_>, function: usize, first: usize) {
        let others = (0..self.names.len()).filter(|point| ![first, first + 1].contains(point));
        let order: Vec<usize> = [first, first + 1].into_iter().chain(others).collect();
        let count = self.coordinates[first].len();
        let variable = |place: usize| format!("p{place}");
        let all = order.len() * count;
        let plain = called((0..all).map(variable));
        let exchanged = called((count..2 * count).chain(0..count).chain(2 * count..all).map(variable));
        let equal = called((0..count).chain(0..count).chain(2 * count..all).map(variable));
        let what =
            |text: &str| text.replace("{g}", &self.names[first]).replace("{h}", &self.names[first + 1]);
        for (form, says) in [
            (SAME, format!("{exchanged} == {plain}")),
            (NEGATED, format!("{exchanged} == -{plain}")),
            (ZERO, format!("{equal} == 0")),
        ] {
            self.say(guesses, (function, &order), &form, &says, &what);
        }
    }

    /// Forms of all points together.
    fn of_all(&self, guesses: &mut Guesses<'_>, function: usize) {
        let order: Vec<usize> = (0..self.names.len()).collect();
        let count = self.coordinates[0].len();
        let all = order.len() * count;
        let variable = |place: usize| format!("p{place}");
        let plain = called((0..all).map(variable));
        for coordinate in 0..count {
            let name = &guesses.functions[function].parameters[self.coordinates[0][coordinate]].name;
            let coordinate_name =
                SPLITS.iter().find_map(|split| split(name)).map_or(name.clone(), |(_, c)| c.to_owned());
            let what = |text: &str| text.replace("{c}", &coordinate_name);
            let changed = |change: &dyn Fn(String) -> String| {
                let of = |place: usize| {
                    if place % count == coordinate { change(variable(place)) } else { variable(place) }
                };
                called((0..all).map(of))
            };
            let (moved, mirrored) = (changed(&|p| format!("{p} + k")), changed(&|p| format!("-{p}")));
            for (form, says) in [
                (MOVED, format!("for k in {{1, 10}}: {moved} == {plain}")),
                (MIRRORED, format!("{mirrored} == {plain}")),
                (MIRRORED_NEGATES, format!("{mirrored} == -{plain}")),
            ] {
                self.say(guesses, (function, &order), &form, &says, &what);
            }
        }
        let scaled = called((0..all).map(|place| format!("k * p{place}")));
        for (form, says) in [
            (SCALED, format!("for k in {{2, 10}}: {scaled} == k * {plain}")),
            (SCALED_BY_SQUARE, format!("for k in {{2, 10}}: {scaled} == k ^ 2 * {plain}")),
            (SCALED_SAME, format!("for k in {{2, 10}}: {scaled} == {plain}")),
        ] {
            self.say(guesses, (function, &order), &form, &says, &str::to_owned);
        }
    }

    fn say(
        &self,
        guesses: &mut Guesses<'_>,
        (function, order): (usize, &[usize]),
        form: &PointForm,
        says: &str,
        what: &dyn Fn(&str) -> String,
    ) {
        let parsed = parse(&format!("relation form: {says}")).ok();
        let Some(relation) = parsed.and_then(|mut file| file.relations.pop()) else { return };
        let parameters = order.iter().flat_map(|&point| self.coordinates[point].clone()).collect();
        let before = guesses.found.len();
        guesses.say(form.form, &relation, &[Place { function, output: 0, parameters }], false);
        if let Some(found) = guesses.found.get_mut(before) {
            found.relation.name.text = format!("{}_{}", guesses.functions[function].name, what(form.name));
            found.words = what(form.words);
        }
    }
}

fn called(arguments: impl Iterator<Item = String>) -> String {
    format!("F({})", arguments.collect::<Vec<_>>().join(", "))
}

fn is_number(ty: Type) -> bool {
    matches!(ty, Type::Scalar(scalar) if matches!(scalar.kind(), Kind::Int | Kind::Float))
}
