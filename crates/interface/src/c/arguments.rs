//! The arguments of a call: what each parameter of a prototype is by convention.

use super::fields::Leaf;
use super::given::{Given, counted, fixed, is_stride, is_text, pointee};
use super::handles::Handles;
use super::library::{Dialect, Library};
use super::names::{Does, is_context, is_filled, is_length, is_result, letter, says_several};
use super::probe::Stands;
use super::recipe::{Output, Recipe, may_be_missing};
use super::seen::{is_probed, written_count};
use super::sequences::{self, sequence_of};
use super::types::{self, CType, in_cxx, spelled};
use super::unit::Function;
use dodona_target::Scalar;
use std::collections::BTreeSet;

/// The parameters of a function, as arguments of a recipe.
pub(super) struct Arguments<'a> {
    pub(super) library: &'a Library<'a>,
    /// `None` where no handles may be needed: for what makes one.
    pub(super) handles: Option<&'a Handles<'a>>,
    pub(super) function: &'a Function,
}

/// So many elements have room behind a pointer whose length is passed and written through another one, and in buffers for texts.
pub(super) const ROOM: u32 = 4096;

/// The most constants of an enumeration that are listed in a manifest.
const CONSTANTS: usize = 64;

impl Arguments<'_> {
    /// All of them, as code; `prefix` is put before the names of what they take.
    ///
    /// # Errors
    /// The parameter that no value of a relation can be, with why.
    pub(super) fn all(&self, recipe: &mut Recipe, prefix: &str) -> Result<Vec<String>, String> {
        let mut given = self.given(prefix);
        recipe.names.keep(self.function.name.rsplit("::").next().unwrap_or_default());
        let mut counted = counted(&given);
        for place in 0..given.len() {
            if self.is_known_by_calls(place) && is_probed(&given, &counted, place) {
                counted[place] = None;
            }
        }
        self.refuse_unclear(&given, &counted)?;
        for length in counted.iter().flatten() {
            // A length that is written has a variable, which others are not to be called like.
            if matches!(given[*length].ty, CType::Pointer { .. })
                && !recipe.names.is_taken(&given[*length].name)
            {
                given[*length].name = recipe.names.free(&given[*length].name);
            }
        }
        let mut of_each: Vec<Option<String>> = given.iter().map(|_| None).collect();
        for (place, one) in given.iter().enumerate().filter(|(place, _)| self.count(*place).is_none()) {
            let counts: Vec<usize> =
                (0..given.len()).filter(|array| counted[*array] == Some(place)).collect();
            if counts.is_empty() {
                let is_counted = counted[place].is_some();
                let of_length = counted[place].map(|length| &given[length]);
                of_each[place] = Some(match is_stride(&given, &counted, place) {
                    true => "1".to_owned(),
                    false => self.one(recipe, one, of_length, is_counted)?,
                });
            }
        }
        for (place, one) in given.iter().enumerate() {
            let arrays: Vec<&String> = (0..given.len())
                .filter(|array| counted[*array] == Some(place))
                .filter_map(|array| of_each[array].as_ref())
                .collect();
            if !arrays.is_empty() {
                of_each[place] = Some(self.length(recipe, one, &arrays));
            }
        }
        for one in &given {
            if let Some(count) = self.count(one.place) {
                let count = written_count(count, &of_each);
                of_each[one.place] = Some(self.written_array(recipe, one, &count)?);
            }
        }
        Ok(of_each.into_iter().flatten().collect())
    }

    /// For each parameter the one that says by its name how many elements it has.
    pub(super) fn lengths(&self) -> Vec<Option<usize>> {
        counted(&self.given(""))
    }

    /// The parameters of the prototype; one alone is called as the prefix.
    fn given(&self, prefix: &str) -> Vec<Given<'_>> {
        let parameters = &self.function.parameters;
        let mut all = Vec::new();
        for (place, (name, written)) in parameters.iter().enumerate() {
            let is_nameless = name.is_empty();
            let name = if is_nameless { letter(place) } else { name.clone() };
            let name = match (prefix, parameters.len()) {
                ("", _) => name,
                (prefix, 1) => prefix.to_owned(),
                (prefix, _) => format!("{prefix}_{name}"),
            };
            all.push(Given { place, name, is_nameless, written, ty: self.library.unit.ty(written) });
        }
        all
    }

    pub(super) fn is_cxx(&self) -> bool {
        self.library.dialect == Dialect::Cxx
    }

    /// The argument that says how many elements there are, of one array or of several.
    fn length(&self, recipe: &mut Recipe, length: &Given<'_>, arrays: &[&String]) -> String {
        let sizes: Vec<String> = arrays
            .iter()
            .map(|data| data.rsplit_once(" *)").map_or(data.as_str(), |(_, data)| data))
            .map(|data| match data.strip_suffix(".data()") {
                Some(vector) => format!("{vector}.size()"),
                None => format!("{data}_length"),
            })
            .collect();
        let least = sizes
            .iter()
            .skip(1)
            .fold(sizes[0].clone(), |least, size| format!("({least} < {size} ? {least} : {size})"));
        match length.ty {
            // The length goes in as what there is room for, and comes out as what was written.
            CType::Pointer { .. } => {
                let ty = pointee(length.written);
                recipe.before.push(format!("{ty} {} = {least};", length.name));
                format!("&{}", length.name)
            }
            _ => least,
        }
    }

    /// The argument for a parameter that counts nothing.
    fn one(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        length: Option<&Given<'_>>,
        is_counted: bool,
    ) -> Result<String, String> {
        if let Some(scalar) = given.ty.scalar() {
            let name = self.number(recipe, given, &given.ty, scalar);
            return Ok(self.cast(&given.ty, name));
        }
        match &given.ty {
            _ if given.written.contains("va_list") => {
                Err(format!("`{}` is a list of any arguments; write a `call` that makes one", given.name))
            }
            CType::Reference { to, is_moved: true, .. } => {
                // What was moved from tells nothing behind the call.
                Ok(format!("std::move({})", self.reference(recipe, given, to, true)?))
            }
            CType::Reference { to, is_constant, .. } => self.reference(recipe, given, to, *is_constant),
            CType::Text { .. } => Ok(parameter(recipe, given, "text")),
            CType::Sequence { element, is_constant, is_view } => {
                Ok(self.sequence(recipe, given, element, *is_view && !is_constant))
            }
            CType::Record { key, spelled } => {
                let (local, _) = self.record(recipe, given, key, spelled)?;
                Ok(local)
            }
            CType::Callback(ty) => self.callback(given, ty),
            CType::Pointer { to, is_constant }
                if !is_counted && to.scalar().is_some() && fixed(given) > 0 =>
            {
                self.fixed_array(recipe, given, to, *is_constant)
            }
            CType::Pointer { to, is_constant } => match &**to {
                _ if is_counted => self.array(recipe, given, to, *is_constant, length),
                // Without a size, room for what the arguments of a check give.
                CType::Char if !is_constant && is_result(&given.name) => {
                    Ok(self.buffer(recipe, given, to, Scalar::I8, None))
                }
                CType::Char => Ok(self.text(recipe, given, *is_constant)),
                CType::Void if !is_constant && is_context(&given.name) && self.has_callback() => {
                    Ok(self.null())
                }
                CType::Pointer { to, .. } if **to == CType::Char => Ok(self.end_of_text(recipe, given)),
                to => self.pointer(recipe, given, to, *is_constant),
            },
            _ => Err(format!("`{}` is a `{}`, which is no value of a relation", given.name, given.written)),
        }
    }

    fn null(&self) -> String {
        if self.is_cxx() { "nullptr".to_owned() } else { "NULL".to_owned() }
    }

    /// Whether one of the parameters is the address of a function.
    fn has_callback(&self) -> bool {
        let mut types = self.function.parameters.iter().map(|(_, written)| self.library.unit.ty(written));
        types.any(|ty| matches!(ty, CType::Callback(_)))
    }

    /// Refuses pointers of which it is not clear how much stands behind them.
    fn refuse_unclear(&self, given: &[Given<'_>], counted: &[Option<usize>]) -> Result<(), String> {
        let is_pointer = |one: &Given<'_>| {
            fixed(one) == 0
                && matches!(&one.ty, CType::Pointer { to, .. } if to.scalar().is_some() || **to == CType::Void)
        };
        for (place, one) in
            given.iter().enumerate().filter(|(place, one)| counted[*place].is_none() && is_pointer(one))
        {
            if counted.contains(&Some(place)) || self.is_known_by_calls(place) {
                continue;
            }
            let CType::Pointer { to, is_constant } = &one.ty else { continue };
            let tells = |why: String| Err(format!("`{}` is a `{}`, and {why}", one.name, one.written));
            // A length that no array has may be that of this one.
            let unclaimed = given.iter().enumerate().find(|(length, other)| {
                *length != place
                    && other.ty.counts()
                    && is_length(&other.name, &one.name)
                    && !counted.contains(&Some(*length))
            });
            if let Some((_, length)) = unclaimed.filter(|_| **to != CType::Char || !is_constant) {
                return tells(format!(
                    "nothing tells whether `{}` is the number of its elements",
                    length.name
                ));
            }
            let other_text =
                given.iter().enumerate().any(|(other, text)| other != place && is_text(&text.ty));
            if **to == CType::Char && !is_constant && other_text {
                return tells("nothing tells how much room it needs".to_owned());
            }
        }
        let is_of_bytes =
            |place: usize| matches!(&given[place].ty, CType::Pointer { to, .. } if **to == CType::Void);
        if self.has_callback()
            && let Some(array) =
                (0..given.len()).find(|place| counted[*place].is_some() && is_of_bytes(*place))
        {
            return Err(format!(
                "`{}` holds elements of any type, which a function handles; write a `call` for one type",
                given[array].name
            ));
        }
        Ok(())
    }

    /// The parameter that a number is; of an enumeration its constants are the domain.
    fn number(&self, recipe: &mut Recipe, given: &Given<'_>, ty: &CType, scalar: Scalar) -> String {
        let name = parameter(recipe, given, &spelled(scalar));
        let CType::Enum { key, .. } = ty else { return name };
        let constants = self.library.unit.enumeration(key).map_or(&[][..], |one| &one.constants);
        let values: BTreeSet<i128> = constants.iter().map(|(_, value)| *value).collect();
        // Numbers of a manifest have 64 bits with a sign.
        let has_room = values.iter().all(|value| i64::try_from(*value).is_ok()) && scalar != Scalar::Bool;
        if !values.is_empty() && constants.len() <= CONSTANTS && has_room {
            let values: Vec<String> = values.iter().map(i128::to_string).collect();
            recipe.keys.push(format!("domain.{name} = {{ values = [{}] }}", values.join(", ")));
        }
        name
    }

    /// A number as a parameter of this type takes it: C++ converts none to an enumeration, and chooses among functions by their exact types.
    fn cast(&self, ty: &CType, number: String) -> String {
        let is_one_of_several = || self.library.unit.named_so(&self.function.name).count() > 1;
        let other = ty.other_than_in_calls().filter(|_| self.is_cxx());
        match other.filter(|_| ty.is_converted_by_casts() || is_one_of_several()) {
            Some(other) => format!("static_cast<{other}>({number})"),
            None => number,
        }
    }

    fn reference(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        to: &CType,
        is_constant: bool,
    ) -> Result<String, String> {
        match to {
            CType::Record { key, spelled } => {
                let (local, leaves) = self.record(recipe, given, key, spelled)?;
                if !is_constant {
                    self.tell(recipe, given, &local, &leaves);
                }
                Ok(local)
            }
            CType::Text { .. } => {
                let name = parameter(recipe, given, "text");
                if !is_constant {
                    let after = recipe.names.free(&format!("{name}_after"));
                    recipe.outputs.push(Output::value(after, "text", &name));
                }
                Ok(name)
            }
            CType::Sequence { element, .. } => Ok(self.sequence(recipe, given, element, !is_constant)),
            to => {
                let scalar = to.scalar().ok_or_else(|| {
                    format!("`{}` is a `{}`, which is no value of a relation", given.name, given.written)
                })?;
                // It refers to a variable of its exact type alone.
                let exact = to.other_than_in_calls().unwrap_or(in_cxx(scalar)).to_owned();
                if !is_constant && self.is_probed() {
                    return Ok(format!("*{}", self.probed(recipe, given, &exact)));
                }
                let stands = self.library.stands(self.function, given.place);
                if let (false, Some(Stands::One { is_read: false })) = (is_constant, stands) {
                    return Ok(self.one_number(recipe, given, to, (scalar, &exact), false));
                }
                let name = self.number(recipe, given, to, scalar);
                if is_constant {
                    return Ok(self.cast(to, name));
                }
                let after = recipe.names.free(&format!("{name}_after"));
                if to.other_than_in_calls().is_none() {
                    recipe.outputs.push(Output::value(after, &spelled(scalar), &name));
                    return Ok(name);
                }
                let local = recipe.names.free(&format!("{name}_given"));
                recipe.before.push(format!("{exact} {local} = static_cast<{exact}>({name});"));
                let told = format!("static_cast<{}>({local})", in_cxx(scalar));
                recipe.outputs.push(Output::value(after, &spelled(scalar), &told));
                Ok(local)
            }
        }
    }

    /// A `std::vector`, or what views one.
    fn sequence(&self, recipe: &mut Recipe, given: &Given<'_>, element: &CType, is_changed: bool) -> String {
        let name = parameter(recipe, given, &sequence_of(element));
        let passed = sequences::passed(recipe, &name, element);
        if is_changed {
            let after = recipe.names.free(&format!("{name}_after"));
            let output = sequences::told(recipe, after, element, false, &passed);
            recipe.outputs.push(output);
        }
        passed
    }

    /// A struct in a variable of its own, whose fields are parameters.
    fn record(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        key: &str,
        spelled: &str,
    ) -> Result<(String, Vec<Leaf>), String> {
        let (local, leaves) = self.empty_record(recipe, given, key, spelled)?;
        leaves.iter().for_each(|leaf| leaf.parameter(recipe, &given.name, &local, self.library.dialect));
        Ok((local, leaves))
    }

    /// A struct in a variable of its own, whose fields are 0, with these fields.
    fn empty_record(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        key: &str,
        spelled: &str,
    ) -> Result<(String, Vec<Leaf>), String> {
        let leaves = self.library.fields(key, spelled).map_err(|why| format!("`{}`: {why}", given.name))?;
        let local = recipe.names.free(&given.name);
        let empty = if self.is_cxx() { "{}" } else { "{0}" };
        recipe.before.push(format!("{spelled} {local} = {empty};"));
        Ok((local, leaves))
    }

    /// Makes outputs of the fields of a struct, as they are after the call.
    fn tell(&self, recipe: &mut Recipe, given: &Given<'_>, local: &str, leaves: &[Leaf]) {
        for leaf in leaves {
            let output = leaf.output(recipe, &given.name, local, self.library.dialect);
            recipe.outputs.push(output);
        }
    }

    /// A function of the library whose type is the one that is wanted.
    fn callback(&self, given: &Given<'_>, ty: &str) -> Result<String, String> {
        let wanted = ty.replacen(" (*)(", " (", 1).replacen("(*)(", "(", 1);
        let shape = |function: &str| {
            let inside = function[types::result(function).len()..]
                .trim()
                .trim_start_matches('(')
                .trim_end_matches(')');
            let parameters: Vec<CType> = inside.split(',').map(|one| self.library.unit.ty(one)).collect();
            (self.library.unit.ty(types::result(function)), parameters)
        };
        let wanted = shape(&wanted);
        let fits = |function: &&&Function| {
            !function.is_variadic
                && shape(&function.ty) == wanted
                && self.library.taken_away(function).is_none()
        };
        self.library.functions.iter().find(fits).map(|function| function.name.clone()).ok_or_else(|| {
            format!("`{}` is the address of a function (`{ty}`), and the library has none of that type; name one in a `call`", given.name)
        })
    }

    /// An array whose length another parameter says.
    fn array(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        to: &CType,
        is_constant: bool,
        length: Option<&Given<'_>>,
    ) -> Result<String, String> {
        let is_bytes = matches!(to, CType::Void | CType::Char);
        if *to == CType::Char && is_constant {
            let name = parameter(recipe, given, "text");
            return Ok(if self.is_cxx() { format!("{name}.data()") } else { name });
        }
        let scalar = if is_bytes {
            Scalar::U8
        } else {
            to.scalar().ok_or_else(|| {
                format!("`{}` is a `{}`: its elements are no numbers", given.name, given.written)
            })?
        };
        let writes_length =
            !is_constant && length.is_some_and(|length| matches!(length.ty, CType::Pointer { .. }));
        if writes_length || (*to == CType::Char && !is_constant && is_filled(&given.name)) {
            return Ok(self.buffer(recipe, given, to, scalar, length.filter(|_| writes_length)));
        }
        let name = parameter(recipe, given, &format!("[{}]", spelled(scalar)));
        if !is_constant {
            recipe.keys.push(format!("lower.{name} = \"in-out\""));
            recipe.is_in_out = true;
        }
        let data = if self.is_cxx() && is_constant { format!("{name}.data()") } else { name };
        let constant = if is_constant { "const " } else { "" };
        Ok(match to.other_than_in_calls() {
            _ if *to == CType::Void && !self.is_cxx() => format!("(void *){data}"),
            Some(other) if self.is_cxx() || *to == CType::Char => format!("({constant}{other} *){data}"),
            _ => data,
        })
    }

    /// An array of as many elements as its brackets say.
    fn fixed_array(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        to: &CType,
        is_constant: bool,
    ) -> Result<String, String> {
        let count = fixed(given);
        let ty = sequence_of(to);
        if *to == CType::Char {
            return Err(format!(
                "`{}` is a `{}`, and nothing tells whether that is a text, and whether it goes in or comes out",
                given.name, given.written
            ));
        }
        if !is_constant && is_result(&given.name) {
            let element = given.written.split('[').next().unwrap_or_default().trim_end();
            let local = recipe.names.free(&format!("{}_given", given.name));
            let name = recipe.names.free_with_length(&given.name);
            let empty = if self.is_cxx() { "{}" } else { "{0}" };
            recipe.before.push(format!("{element} {local}[{count}] = {empty};"));
            let set = match self.is_cxx() {
                true => format!("$.assign({local}, {local} + {count});"),
                false => format!("$ = (void *){local}; $_length = {count};"),
            };
            recipe.outputs.push(Output { name, ty, set, is_value: false });
            return Ok(local);
        }
        let data = self.array(recipe, given, to, is_constant, None)?;
        let name = recipe.parameters.last().map_or("", |(name, _)| name.as_str());
        recipe.keys.push(format!("domain.{name} = {{ length = {count} }}"));
        let length =
            if data.ends_with(".data()") { format!("{name}.size()") } else { format!("{name}_length") };
        // Whoever calls it by hand may give another number of elements than the domain has.
        recipe.before.push(format!("if ({length} != {count}) abort();"));
        Ok(data)
    }

    /// A buffer that is written: a text, or elements of which another parameter says afterwards how many there are.
    fn buffer(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        to: &CType,
        scalar: Scalar,
        length: Option<&Given<'_>>,
    ) -> String {
        let local = recipe.names.free(&format!("{}_buffer", given.name));
        let name = recipe.names.free(&given.name);
        let ty = if *to == CType::Void { "unsigned char".to_owned() } else { pointee(given.written) };
        // Room for an end beside what is told.
        let room = ROOM + 1;
        recipe.before.push(format!("static {ty} {local}[{room}]; const size_t {local}_length = {ROOM};"));
        recipe.before.push(format!("memset({local}, 0, sizeof {local});"));
        recipe.outputs.push(match length {
            None => Output::value(name, "text", &local),
            Some(length) => {
                let count = &length.name;
                let set = match self.is_cxx() {
                    true => format!("$.assign({local}, {local} + {count});"),
                    false => format!("$ = (void *){local}; $_length = {count};"),
                };
                Output { name, ty: format!("[{}]", spelled(scalar)), set, is_value: false }
            }
        });
        local
    }

    /// A text that a NUL ends.
    fn text(&self, recipe: &mut Recipe, given: &Given<'_>, is_constant: bool) -> String {
        let name = parameter(recipe, given, "text");
        match is_constant {
            true => recipe.keys.push(format!("lower.{name} = \"nul-terminated\"")),
            false => {
                recipe.keys.push(format!("lower.{name} = \"nul-terminated in-out\""));
                recipe.is_in_out = true;
            }
        }
        if self.is_cxx() && is_constant { format!("{name}.c_str()") } else { name }
    }

    /// `char **end`: the rest of a text.
    fn end_of_text(&self, recipe: &mut Recipe, given: &Given<'_>) -> String {
        let local = recipe.names.free(&format!("{}_pointer", given.name));
        let name = recipe.names.free(&given.name);
        let ty = pointee(given.written);
        recipe.before.push(format!("{ty} {local} = {};", self.null()));
        recipe.outputs.push(may_be_missing(name, self.is_cxx(), &local));
        format!("&{local}")
    }

    /// A pointer to one thing: an output, the fields of a struct, or a handle.
    fn pointer(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        to: &CType,
        is_constant: bool,
    ) -> Result<String, String> {
        if let Some((key, spelled)) = self.library.handle(&given.ty) {
            return self.handle(recipe, given, key, spelled, is_constant);
        }
        if let CType::Record { key, spelled } = to {
            // What is no result by its name goes in as well as out.
            let is_output = !is_constant && (is_result(&given.name) || is_result(spelled));
            let (local, leaves) = match is_output {
                true => self.empty_record(recipe, given, key, spelled)?,
                false => self.record(recipe, given, key, spelled)?,
            };
            if !is_constant {
                self.tell(recipe, given, &local, &leaves);
            }
            return Ok(format!("&{local}"));
        }
        let Some(scalar) = to.scalar() else {
            return Err(format!(
                "`{}` is a `{}`, which is no value of a relation",
                given.name, given.written
            ));
        };
        let refuse = |why: &str| Err(format!("`{}` is a `{}`, and {why}", given.name, given.written));
        if !is_constant && self.is_probed() {
            return Ok(self.probed(recipe, given, &pointee(given.written)));
        }
        let stands = self.library.stands(self.function, given.place).filter(|_| !is_constant);
        if let Some(why) = stands.and_then(|stands| self.why_not_one(stands)) {
            return refuse(&why);
        }
        if is_constant || says_several(&given.name) || given.written.ends_with(']') {
            return refuse("nothing tells how many elements stand there");
        }
        let is_read = matches!(stands, Some(Stands::One { is_read: true }));
        Ok(format!("&{}", self.one_number(recipe, given, to, (scalar, &pointee(given.written)), is_read)))
    }

    /// A variable with a number, of the type that the function wants it to have: an output, and a parameter too where it is read.
    fn one_number(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        to: &CType,
        (scalar, ty): (Scalar, &str),
        is_read: bool,
    ) -> String {
        let local = recipe.names.free(&format!("{}_given", given.name));
        let (name, begin) = match is_read {
            true => {
                let begin = self.number(recipe, given, to, scalar);
                (recipe.names.free(&format!("{}_after", given.name)), begin)
            }
            false => (recipe.names.free(&given.name), "0".to_owned()),
        };
        recipe.before.push(format!("{ty} {local} = ({ty}){begin};"));
        let value = match self.is_cxx() && matches!(to, CType::Enum { .. }) {
            true => format!("static_cast<{}>({local})", in_cxx(scalar)),
            false => local.clone(),
        };
        recipe.outputs.push(Output::value(name, &spelled(scalar), &value));
        local
    }

    /// A handle: made before the call out of what its maker takes, shown behind it where the call may have changed it, and freed.
    fn handle(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        key: &str,
        spelled: &str,
        is_constant: bool,
    ) -> Result<String, String> {
        let handles = self.handles.ok_or("handles make no handles")?;
        let maker = handles.of_kind(Does::Makes, key).filter(|maker| maker.name != self.function.name).ok_or_else(|| {
            format!("`{}` is a `{spelled} *`, and no function makes one out of numbers and texts; write a `call` that does", given.name)
        })?;
        let made = Arguments { library: self.library, handles: None, function: maker };
        let call = format!("{}({})", maker.name, made.all(recipe, &given.name)?.join(", "));
        let local = recipe.names.free(&format!("{}_made", given.name));
        recipe.before.push(format!("{spelled} *{local} = {call};"));
        let shower = handles.of_kind(Does::Shows, key).filter(|shower| shower.name != self.function.name);
        if let Some(shower) = shower.filter(|_| !is_constant) {
            let name = recipe.names.free(&format!("{}_after", given.name));
            recipe.outputs.push(may_be_missing(name, self.is_cxx(), &format!("{}({local})", shower.name)));
        } else if let Some(freer) = handles.of_kind(Does::Frees, key).filter(|_| is_constant) {
            recipe.after.push(format!("{}({local});", freer.name));
        }
        Ok(local)
    }
}

/// The parameter of the signature that a parameter of the prototype is.
fn parameter(recipe: &mut Recipe, given: &Given<'_>, ty: &str) -> String {
    let name = match ty == "text" || ty.starts_with('[') {
        true => recipe.names.free_with_length(&given.name),
        false => recipe.names.free(&given.name),
    };
    recipe.parameters.push((name.clone(), ty.to_owned()));
    name
}
