//! Trivial compiler equivalence (Papadakis, Jia, Harman, Le Traon 2015): mutants whose optimised machine code is that of the
//! original are equivalent, and mutants with the same code are duplicates of one another.
//!
//! Mutants are compiled together and compared by the bytes and the trap sites of their functions. All calls become imports, and
//! everything that the engine does by calls is hidden, so that no byte depends on the position of the code. Equal code is a proof; other
//! proofs have a place in `Judgement::Equivalent`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use dodona_records::MutantId;
use dodona_subject::Module;
use dodona_target::digest;
use dodona_wasm::execute::{LoadError, MachineCode, machine_code};

use crate::changed::by_function;
use crate::emit::{Body, bodies_alone};
use crate::{Mutant, Mutants};

/// What the optimised code of a mutant shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equivalence {
    /// Its code is the original's: no input can tell them apart.
    Equivalent,
    /// Its code is that of this earlier mutant.
    Duplicate(MutantId),
    /// Its code is different from all others.
    Distinct,
}

/// How much is compiled at a time, which bounds the memory for code.
struct AtOnce {
    mutants: usize,
    /// Instructions of the functions that they change.
    instructions: usize,
}

const AT_ONCE: AtOnce = AtOnce { mutants: 1024, instructions: 500_000 };

/// The number of instructions that are compiled to compare mutants, by default.
///
/// With a smaller number, equivalent mutants are not recognised and count as alive; a greater one costs time. A core compiles
/// about a million instructions a second, so that the bound is some four minutes on one core. It suffices to compare all
/// mutants of functions that have up to 4,000 instructions together.
pub const MOST_COMPARED: u64 = 200_000_000;

/// The result of comparing mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// What the optimised code of each mutant shows. Mutants that were not compared count as distinct.
    pub found: Vec<Equivalence>,
    /// The number of mutants that were not compared; these are the last ones.
    pub left: usize,
}

/// Compares the optimised code of mutants with the original's and with each other's, as long as `go_on` returns true and until
/// `most` instructions were compiled.
///
/// # Errors
/// When a body does not compile, which is a bug in Dodona.
pub fn equivalences(
    module: &Module,
    all: &Mutants<'_>,
    mutants: &[&Mutant],
    most: u64,
    go_on: &dyn Fn() -> bool,
) -> Result<Compared, LoadError> {
    compare(module, all, mutants, (&AT_ONCE, most), go_on)
}

fn compare(
    module: &Module,
    all: &Mutants<'_>,
    mutants: &[&Mutant],
    (at_once, most): (&AtOnce, u64),
    go_on: &dyn Fn() -> bool,
) -> Result<Compared, LoadError> {
    let mut comparison = Comparison { originals: HashMap::new(), known: HashMap::new() };
    let mut found = Vec::with_capacity(mutants.len());
    let mut rest = mutants;
    let mut compiled = 0;
    while !rest.is_empty() && compiled < most && go_on() {
        let part;
        (part, rest) = rest.split_at(at_once.length(all, rest));
        comparison.compare(module, all, part, &mut found)?;
        compiled += part.iter().map(|mutant| instructions(all, mutant) as u64).sum::<u64>();
    }
    found.resize(mutants.len(), Equivalence::Distinct);
    Ok(Compared { found, left: rest.len() })
}

/// The instructions of the functions that a mutant changes.
fn instructions(all: &Mutants<'_>, mutant: &Mutant) -> usize {
    mutant.changes.iter().map(|change| all.function(change).instructions.len()).sum()
}

impl AtOnce {
    /// How many of these mutants are compiled together.
    fn length(&self, all: &Mutants<'_>, mutants: &[&Mutant]) -> usize {
        let mut sum = 0;
        let fits = |mutant: &&&Mutant| {
            sum += instructions(all, mutant);
            sum <= self.instructions
        };
        mutants.iter().take(self.mutants).take_while(fits).count().max(1)
    }
}

/// The code of a mutant: for each function that it changes, by index, a hash of the compiled code.
type Code = Vec<(u32, MachineCode)>;

struct Comparison {
    originals: HashMap<u32, MachineCode>,
    /// The first mutant of each code, by a digest: a hundred thousand mutants of large functions have more code than there is memory.
    known: HashMap<[u64; 2], MutantId>,
}

impl Comparison {
    fn compare(
        &mut self,
        module: &Module,
        all: &Mutants<'_>,
        mutants: &[&Mutant],
        found: &mut Vec<Equivalence>,
    ) -> Result<(), LoadError> {
        let mut bodies: Vec<Body<'_, '_>> = Vec::new();
        let mut wanted: Vec<u32> = Vec::new();
        for change in mutants.iter().flat_map(|m| &m.changes) {
            let scanned = all.function(change);
            if !self.originals.contains_key(&scanned.function) && !wanted.contains(&scanned.function) {
                wanted.push(scanned.function);
                bodies.push(Body { scanned, locals: Vec::new(), patches: Vec::new() });
            }
        }
        bodies.extend(mutants.iter().flat_map(|m| by_function(all, m)));
        let bytes = bodies_alone(module, &bodies)
            .map_err(|e| LoadError::Compile { message: format!("mutants cannot be compared: {e}") })?;
        let mut code = machine_code(&bytes)?.into_iter();
        for function in wanted {
            self.originals.extend(code.next().map(|code| (function, code)));
        }
        for mutant in mutants {
            let functions: Vec<u32> = by_function(all, mutant).iter().map(|b| b.scanned.function).collect();
            let code: Code = functions.into_iter().zip(code.by_ref()).collect();
            found.push(self.judge(mutant, code));
        }
        Ok(())
    }

    fn judge(&mut self, mutant: &Mutant, mut code: Code) -> Equivalence {
        // A function with the same code as the original shows nothing.
        code.retain(|(function, code)| self.originals.get(function) != Some(code));
        if code.is_empty() {
            return Equivalence::Equivalent;
        }
        match self.known.entry(digest(&code)) {
            Entry::Occupied(first) => Equivalence::Duplicate(*first.get()),
            Entry::Vacant(place) => {
                place.insert(mutant.id);
                Equivalence::Distinct
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Describer, Scope};

    const WAT: &str = r#"(module (func (export "f") (param i32 i32) (result i32)
        (i32.div_s (local.get 0) (i32.or (local.get 1) (i32.const 1)))))"#;

    fn judged(at_once: &AtOnce) -> Vec<(String, MutantId, Equivalence)> {
        let module = Module::parse(wat::parse_str(WAT).expect("the text is valid")).expect("a module");
        let scope = Scope::whole(vec![0]);
        let all = Mutants::generate(&module, &scope, usize::MAX, &mut Describer::new(None, Path::new(".")));
        let mutants: Vec<&Mutant> = all.mutants.iter().collect();
        let compared = compare(&module, &all, &mutants, (at_once, u64::MAX), &|| true).expect("they compile");
        assert_eq!(compared.left, 0);
        let named = all.mutants.iter().zip(compared.found).map(|(mutant, judged)| {
            let description = &mutant.changes[0].description;
            (format!("{} {}", mutant.operator, description.after), mutant.id, judged)
        });
        named.collect()
    }

    #[test]
    fn equal_code_is_equivalent_or_a_duplicate() {
        let judged = judged(&AT_ONCE);
        let of = |name: &str| judged.iter().find(|(n, ..)| n == name).unwrap_or_else(|| panic!("no {name}"));
        // Nothing reads the local after it was incremented.
        let unread = of("AOIS local.get 0; local.get 0; i32.const 1; i32.add; local.set 0");
        assert_eq!(unread.2, Equivalence::Equivalent);
        // b | 0 and b | b are both b; a / (b & 1) is nothing else here.
        assert_eq!(of("CRP i32.const 0").2, Equivalence::Distinct);
        assert_eq!(of("SCR local.get 1").2, Equivalence::Duplicate(of("CRP i32.const 0").1));
        assert_eq!(of("LOR i32.and").2, Equivalence::Distinct);
    }

    #[test]
    fn what_is_beyond_the_bound_is_distinct_and_counted() {
        let module = Module::parse(wat::parse_str(WAT).expect("the text is valid")).expect("a module");
        let scope = Scope::whole(vec![0]);
        let all = Mutants::generate(&module, &scope, usize::MAX, &mut Describer::new(None, Path::new(".")));
        let mutants: Vec<&Mutant> = all.mutants.iter().collect();
        let one = AtOnce { mutants: 1, ..AT_ONCE };
        let whole = compare(&module, &all, &mutants, (&one, u64::MAX), &|| true).expect("they compile");
        // Each mutant compiles the six instructions of its function.
        let some = compare(&module, &all, &mutants, (&one, 60), &|| true).expect("they compile");
        assert_eq!(some.left, mutants.len() - 10);
        assert_eq!(some.found[..10], whole.found[..10]);
        assert!(some.found[10..].iter().all(|e| *e == Equivalence::Distinct));
    }

    #[test]
    fn parts_do_not_change_what_is_found() {
        let whole = judged(&AT_ONCE);
        assert_eq!(judged(&AtOnce { mutants: 1, ..AT_ONCE }), whole);
        assert_eq!(judged(&AtOnce { mutants: 7, ..AT_ONCE }), whole);
        assert_eq!(judged(&AtOnce { instructions: 1, ..AT_ONCE }), whole);
    }
}
