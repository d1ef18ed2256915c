//! What a mutant changes, on a terminal line.

use dodona_records::MutantRecord;

use crate::text::{clipped, one_line};

/// Characters that are shown whole.
const FITS: usize = 56;
/// Characters of a side at most, and of what both sides share before the difference.
const SIDE: usize = 36;
const SHARED: usize = 8;

/// `a <= 0 → a < 0`; of long code, what differs with a little of what stands around it.
pub(crate) fn change(mutant: &MutantRecord) -> String {
    let [before, after] = sides(mutant);
    if is_short(&before, &after) {
        return format!("{before} → {after}");
    }
    let shared = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).count();
    let side = |code: &str| match shared.saturating_sub(SHARED) {
        0 | 1 => clipped(code, SIDE),
        cut => clipped(&format!("…{}", code.chars().skip(cut).collect::<String>()), SIDE),
    };
    format!("{} → {}", side(&before), side(&after))
}

/// All of a change that [`change`] cuts off, where there is no source in which it could be looked up: instructions of a module.
pub(crate) fn whole(mutant: &MutantRecord) -> Option<String> {
    let [before, after] = sides(mutant);
    let is_cut = mutant.source_line.is_none() && !is_short(&before, &after);
    is_cut.then(|| format!("{before} → {after}"))
}

fn sides(mutant: &MutantRecord) -> [String; 2] {
    [&mutant.before, &mutant.after].map(|code| one_line(code))
}

fn is_short(before: &str, after: &str) -> bool {
    before.chars().count() + after.chars().count() <= FITS
}

#[cfg(test)]
mod tests {
    use dodona_records::{Fate, Judgement, MutantId};

    use super::*;

    fn of(before: &str, after: &str) -> String {
        change(&mutant(before, after))
    }

    fn mutant(before: &str, after: &str) -> MutantRecord {
        MutantRecord {
            id: MutantId(1),
            key: String::new(),
            operator: String::new(),
            places: Vec::new(),
            before: before.into(),
            after: after.into(),
            source_line: None,
            judgement: Judgement::Alive,
            fate: Fate::Unreached,
            reached: 0,
            infected: 0,
            revealed_by: None,
            killed_by: Vec::new(),
            failed: None,
            killed_with: None,
            survivor: None,
            untested: None,
            symbolic: None,
        }
    }

    #[test]
    fn a_change_of_instructions_that_is_cut_off_is_also_there_as_a_whole() {
        let after = "i32.const 0; local.get 0; local.get 0; i32.const 31; i32.shr_s; i32.xor";
        let long = mutant("local.get 0", after);
        assert_eq!(whole(&long), Some(format!("local.get 0 → {after}")));
        assert_eq!(whole(&mutant("local.get 0", "i32.const 0")), None);
        let of_source = MutantRecord { source_line: Some("return a;".to_owned()), ..long };
        assert_eq!(whole(&of_source), None, "the line of the source shows what is changed");
    }

    #[test]
    fn short_code_is_whole() {
        assert_eq!(of("a  <=\n0", "a < 0"), "a <= 0 → a < 0");
    }

    #[test]
    fn of_long_code_the_difference_is_seen() {
        let call = "exceed(a, b, c) && exceed(b, c, a)";
        assert_eq!(of(&format!("{call} && a"), &format!("{call} || a")), "…, c, a) && a → …, c, a) || a");
        assert_eq!(of(&call.repeat(3), "trap"), "exceed(a, b, c) && exceed(b, c, a)e… → trap");
        let wide = "é".repeat(80);
        assert_eq!(of(&wide, &format!("{wide}1")), "…éééééééé → …éééééééé1");
    }
}
