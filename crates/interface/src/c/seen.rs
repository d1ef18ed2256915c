//! Arguments for pointers of which a prototype does not tell what stands behind them: room in which a probe sees what a call does, and what the calls of probes have shown.

use super::arguments::{Arguments, ROOM};
use super::given::{Given, is_text, pointee};
use super::library::Pointers;
use super::probe::{self, Count, Stands};
use super::recipe::{Output, Recipe};
use super::types::{CType, spelled};

impl Arguments<'_> {
    /// Why one number that a call gives is not what stands behind a pointer, as calls show it.
    pub(super) fn why_not_one(&self, stands: &Stands) -> Option<String> {
        match stands {
            // What reads a text writes what it has read, which no random text has: that says nothing.
            Stands::Unwritten(_) if self.takes_text() => None,
            Stands::Unwritten(calls) => {
                Some(format!("{calls} calls wrote nothing there: nothing tells what stands there before"))
            }
            Stands::Several { most, .. } => Some(format!(
                "calls wrote up to {most} elements there, and nothing tells how many; write a `call` with room for them"
            )),
            Stands::One { .. } => None,
        }
    }

    fn takes_text(&self) -> bool {
        let mut types = self.function.parameters.iter().map(|(_, written)| self.library.unit.ty(written));
        types.any(|ty| is_text(&ty) || matches!(ty, CType::Text { .. }))
    }

    /// Whether pointers get room in which is seen what a call does.
    pub(super) fn is_probed(&self) -> bool {
        matches!(self.library.pointers, Pointers::Probed)
    }

    /// Whether calls show what stands behind a pointer, or are made to.
    pub(super) fn is_known_by_calls(&self, place: usize) -> bool {
        self.is_probed() || self.library.stands(self.function, place).is_some()
    }

    /// How many elements calls write behind a pointer, if that is known.
    pub(super) fn count(&self, place: usize) -> Option<Count> {
        match self.library.stands(self.function, place)? {
            Stands::Several { count, .. } => *count,
            _ => None,
        }
    }

    /// Room for elements of a type whose bytes are the pattern of a probe, and an output afterwards.
    pub(super) fn probed(&self, recipe: &mut Recipe, given: &Given<'_>, ty: &str) -> String {
        let local = recipe.names.free(&format!("{}_{PROBE}", given.name));
        let name = recipe.names.free(&format!("{}_left", given.name));
        let (room, apart, [first, rest]) = (probe::ROOM, probe::APART, probe::PATTERN);
        let number = recipe.probes.len();
        recipe.before.push(format!("static unsigned char {local}[{room}] __attribute__((aligned(16)));"));
        recipe
            .before
            .push(format!("memset({local}, {rest} ^ ({apart:#x} * {number} & 255), sizeof {local});"));
        recipe
            .before
            .push(format!("memset({local}, {first} ^ ({apart:#x} * {number} & 255), sizeof({ty}));"));
        let (small, half) = (
            probe::SMALL,
            if self.is_cxx() {
                format!("static_cast<{ty}>({first} / 2.0)")
            } else {
                format!("({ty})({first} / 2.0)")
            },
        );
        recipe.before.push(format!("if ({first} < {small}) *({ty} *){local} = {half};"));
        let set = match self.is_cxx() {
            true => format!("$.assign({local}, {local} + sizeof {local});"),
            false => format!("$ = {local}; $_length = sizeof {local};"),
        };
        recipe.probes.push(Output { name, ty: "[u8]".to_owned(), set, is_value: false });
        format!("({ty} *){local}")
    }

    /// Room for as many elements as calls were seen to write, which are an output.
    pub(super) fn written_array(
        &self,
        recipe: &mut Recipe,
        given: &Given<'_>,
        count: &str,
    ) -> Result<String, String> {
        let CType::Pointer { to, .. } = &given.ty else {
            return Err(format!("`{}` is no pointer", given.name));
        };
        let scalar = to.scalar().ok_or_else(|| {
            format!("`{}` is a `{}`: its elements are no numbers", given.name, given.written)
        })?;
        let local = recipe.names.free(&format!("{}_buffer", given.name));
        let name = recipe.names.free(&given.name);
        let length = recipe.names.free(&format!("{}_count", given.name));
        recipe.before.push(format!("static {} {local}[{ROOM}];", pointee(given.written)));
        recipe.before.push(format!("memset({local}, 0, sizeof {local});"));
        recipe.before.push(format!(
            "long long {length} = {count}; if ({length} < 0 || {length} > {ROOM}) __builtin_trap();"
        ));
        let set = match self.is_cxx() {
            true => format!("$.assign({local}, {local} + {length});"),
            false => format!("$ = {local}; $_length = (size_t){length};"),
        };
        recipe.outputs.push(Output { name, ty: format!("[{}]", spelled(scalar)), set, is_value: false });
        Ok(local)
    }
}

/// How the names end of the room behind pointers that are probed.
pub(super) const PROBE: &str = "probed";

/// Whether a pointer of which names tell the length is probed all the same: one to numbers that may be written.
pub(super) fn is_probed(given: &[Given<'_>], counted: &[Option<usize>], place: usize) -> bool {
    let is_plain = |length: usize| !matches!(given[length].ty, CType::Pointer { .. });
    let is_written = match &given[place].ty {
        CType::Pointer { to, is_constant } => !is_constant && to.scalar().is_some() && **to != CType::Char,
        _ => false,
    };
    is_written && counted[place].is_some_and(is_plain)
}

/// A number of elements as code, over the arguments.
pub(super) fn written_count(count: Count, arguments: &[Option<String>]) -> String {
    let code = |place: Option<usize>| place.and_then(|place| arguments.get(place)?.clone());
    let of = code(count.of).map(|of| format!("(long long){of}"));
    let less = code(count.less).map(|less| format!(" - (long long){less}")).unwrap_or_default();
    match (of, count.more) {
        (None, more) => more.to_string(),
        (Some(of), 0) => format!("{of}{less}"),
        (Some(of), more) if more < 0 => format!("{of}{less} - {}", -more),
        (Some(of), more) => format!("{of}{less} + {more}"),
    }
}
