//! The characters on which functions of text often fail.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use crate::seed::index;

/// Characters, and short groups of characters that belong together, by what they do. Each class is drawn from equally often.
const CLASSES: [&[&str]; 5] = [
    // They end texts, lines and fields.
    &["\0", "\n", "\r", "\r\n", "\t"],
    // They have no width, join what stands beside them, or turn its direction. The last two are one picture each.
    &[
        "\u{200b}",
        "\u{200c}",
        "\u{200d}",
        "\u{feff}",
        "\u{ad}",
        "\u{a0}",
        "\u{2028}",
        "\u{202e}",
        "❤\u{fe0f}",
        "👩\u{200d}💻",
    ],
    // They combine with what stands before them. One of them alone has nothing to combine with. A flag is two of its letters.
    &["\u{301}", "e\u{301}", "é", "\u{345}", "q\u{323}\u{307}", "\u{1112}\u{1161}\u{11ab}", "🇩🇪", "🇩", "👍🏽"],
    // Their other case is longer, has another number of bytes, or leads back to another letter.
    &["ß", "ẞ", "İ", "ı", "ŉ", "ǰ", "ﬁ", "ﬀ", "ſ", "ǆ", "ᾀ", "ΐ", "Σ", "ς", "\u{212a}"],
    // The first and last ones of each length in UTF-8, those beside the surrogates, and those that no text should contain.
    &[
        "\u{1}",
        "\u{7f}",
        "\u{80}",
        "\u{85}",
        "\u{7ff}",
        "\u{800}",
        "\u{d7ff}",
        "\u{e000}",
        "\u{fffd}",
        "\u{fffe}",
        "\u{ffff}",
        "\u{10000}",
        "\u{10ffff}",
    ],
];

/// The special characters that an alphabet has.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    /// No class is empty.
    classes: Vec<Vec<&'static str>>,
}

impl Marks {
    /// Those groups of which `allows` allows every character.
    pub(super) fn new(allows: impl Fn(char) -> bool) -> Marks {
        let allowed = |class: &&[&'static str]| -> Vec<&'static str> {
            class.iter().copied().filter(|group| group.chars().all(&allows)).collect()
        };
        Marks { classes: CLASSES.iter().map(allowed).filter(|class| !class.is_empty()).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Appends `length` characters, about every other of them special and the others from `plain`.
    pub(super) fn fill(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        length: usize,
        row: &mut String,
        plain: impl Fn(&mut Xoshiro256PlusPlus) -> char,
    ) {
        let mut left = length;
        while left > 0 {
            let group = (rng.next_u64() >> 63 == 0).then(|| self.draw(rng));
            match group.map(|group| (group, group.chars().count())) {
                Some((group, count)) if count <= left => {
                    row.push_str(group);
                    left -= count;
                }
                _ => {
                    row.push(plain(rng));
                    left -= 1;
                }
            }
        }
    }

    fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> &'static str {
        let class = &self.classes[index(rng, self.classes.len())];
        class[index(rng, class.len())]
    }
}
