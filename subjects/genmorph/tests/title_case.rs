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
    let expected = [
        ("\u{1C6}", "\u{1C5}"),
        ("\u{1C7}", "\u{1C8}"),
        ("\u{1F1}", "\u{1F2}"),
        ("\u{1FB3}", "\u{1FBC}"),
        ("\u{1F82}", "\u{1F8A}"),
        ("\u{10D0}", "\u{10D0}"),
        ("ß", "ß"),
        ("\u{149}", "\u{149}"),
    ];
    for (text, title) in expected {
        assert_eq!(capitalize(text), title);
    }
}
