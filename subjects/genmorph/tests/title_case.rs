//! Title case over every character, where `String.capitalize` of the originals has one-to-one mappings.

use genmorph::lang::capitalize;

#[test]
fn every_character_keeps_its_upper_case_and_is_capitalized_once() {
    for c in '\0'..=char::MAX {
        let text = c.to_string();
        let capitalized = capitalize(&text);
        assert_eq!(capitalized.chars().count(), 1, "{c:?}");
        assert_eq!(capitalize(&capitalized), capitalized, "{c:?}");
        assert_eq!(capitalized.to_uppercase(), text.to_uppercase(), "{c:?}");
    }
}

#[test]
fn characters_whose_title_case_is_not_their_upper_case() {
    for (lower, title) in
        [("dž", "Dž"), ("LJ", "Lj"), ("ᾳ", "ᾼ"), ("ᾂ", "ᾊ"), ("ა", "ა"), ("ß", "ß"), ("ŉ", "ŉ")]
    {
        assert_eq!(capitalize(lower), title);
    }
}
