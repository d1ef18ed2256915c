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
    let [before, after] = [&mutant.before, &mutant.after].map(|code| one_line(code));
    if before.chars().count() + after.chars().count() <= FITS {
        return format!("{before} → {after}");
    }
    let shared = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).count();
    let side = |code: &str| match shared.saturating_sub(SHARED) {
        0 | 1 => clipped(code, SIDE),
        cut => clipped(&format!("…{}", code.chars().skip(cut).collect::<String>()), SIDE),
    };
    format!("{} → {}", side(&before), side(&after))
}

#[cfg(test)]
mod tests {
    use dodona_records::{Fate, Judgement, MutantId};

    use super::*;

    fn of(before: &str, after: &str) -> String {
        change(&MutantRecord {
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
        })
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
