//! What a function returns that is made of several values: an `Option`, a `Result` or a tuple, taken apart into outputs.

use dodona_target::{Given, Output, Type};

/// The code that writes the value of the variable `value` into `outputs`, all of which are undefined before.
pub(super) fn taken_apart(outputs: &[Output]) -> String {
    Parts { outputs }.of("value", "", None)
}

struct Parts<'a> {
    outputs: &'a [Output],
}

impl Parts<'_> {
    /// The output of a path. A value inside goes by the path of the whole, so what tells them apart is when they are there.
    fn find(&self, path: &str, given: Option<Given>) -> Option<usize> {
        let is_it =
            |output: &Output| output.name.selector().unwrap_or_default() == path && output.given == given;
        self.outputs.iter().position(is_it)
    }

    fn of(&self, value: &str, path: &str, given: Option<Given>) -> String {
        let at = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
        let inside = |output, is| Some(Given { output, is });
        if let Some(tag) = self.find(&at("is_some"), given) {
            let some = self.of(value, path, inside(tag, true));
            return format!(
                "outputs[{tag}] = {value}.is_some().into();\nif let Some({value}) = {value} {{\n{some}}}\n"
            );
        }
        if let Some(tag) = self.find(&at("is_ok"), given) {
            let ok = self.of(value, path, inside(tag, true));
            let err = self.of(value, &at("err"), inside(tag, false));
            return format!(
                "outputs[{tag}] = {value}.is_ok().into();\nmatch {value} {{\nOk({value}) => {{\n{ok}}}\nErr({value}) => {{\n{err}}}\n}}\n"
            );
        }
        if let Some(place) = self.find(path, given) {
            // An error of any type is text, as it shows itself.
            let shown = path.rsplit('.').next() == Some("err") && self.outputs[place].ty == Type::Text;
            return format!(
                "outputs[{place}] = {value}{}.into();\n",
                if shown { ".to_string()" } else { "" }
            );
        }
        let parts = (0..).take_while(|part: &usize| self.has(&at(&part.to_string()))).count();
        let names: Vec<String> = (0..parts).map(|part| format!("{value}_{part}")).collect();
        let each = names.iter().enumerate().map(|(part, name)| self.of(name, &at(&part.to_string()), given));
        match parts {
            // Nothing, as `()` is.
            0 => String::new(),
            _ => format!("let ({},) = {value};\n{}", names.join(", "), each.collect::<String>()),
        }
    }

    /// Whether there is a part of this path, or one inside of it.
    fn has(&self, path: &str) -> bool {
        self.outputs
            .iter()
            .filter_map(|output| output.name.selector())
            .any(|name| name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    }
}

#[cfg(test)]
mod tests {
    use dodona_target::{Scalar, Shape};

    use super::*;

    #[test]
    fn each_part_goes_to_its_output() {
        let number = || Box::new(Shape::Value(Type::Scalar(Scalar::U8)));
        let text = Box::new(Shape::Value(Type::Text));
        let of = |shape: Shape| taken_apart(&shape.outputs());
        assert_eq!(
            of(Shape::Option(number())),
            "outputs[1] = value.is_some().into();\nif let Some(value) = value {\noutputs[0] = value.into();\n}\n"
        );
        assert_eq!(
            of(Shape::Tuple(vec![*number(), Shape::Option(number())])),
            "let (value_0, value_1,) = value;\noutputs[0] = value_0.into();\noutputs[1] = value_1.is_some().into();\n\
             if let Some(value_1) = value_1 {\noutputs[2] = value_1.into();\n}\n"
        );
        let nested = of(Shape::Result(Box::new(Shape::Option(number())), text));
        assert!(
            nested.contains("outputs[1] = value.is_ok()") && nested.contains("outputs[2] = value.is_some()"),
            "{nested}"
        );
        assert!(
            nested.contains("outputs[0] = value.into();")
                && nested.contains("outputs[3] = value.to_string().into();"),
            "{nested}"
        );
    }
}
