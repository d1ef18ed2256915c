//! Names and sentences of equations of a function with three parameters.

use dodona_inference::discovery::{EmptyKind, Operator};
use dodona_inference::equations::{
    Equation, EquationFunction, EquationOutput, EquationVariable, Head, TermId, Terms, Vocabulary, Written,
};
use dodona_relations::plan::Ty;

/// `pad(text, size, fill)`, and the variables `text`, `size`, `fill` and `u`.
struct Language {
    vocabulary: Vocabulary,
    terms: Terms,
}

impl Language {
    fn new() -> Language {
        let parameters = [("text", Ty::Text), ("size", Ty::Int), ("fill", Ty::Text)];
        let pad = EquationFunction {
            name: "pad".to_owned(),
            parameters: parameters.iter().map(|(name, ty)| ((*name).to_owned(), *ty)).collect(),
            outputs: vec![EquationOutput { selector: None, ty: Ty::Text }],
        };
        let variable = |(name, ty, place): (&str, Ty, usize)| EquationVariable {
            name: name.to_owned(),
            ty,
            parameters: vec![(0, place)],
        };
        let variables =
            [("text", Ty::Text, 0), ("size", Ty::Int, 1), ("fill", Ty::Text, 2), ("u", Ty::Text, 0)];
        let vocabulary = Vocabulary::new(vec![pad], variables.into_iter().map(variable).collect());
        Language { vocabulary, terms: Terms::default() }
    }

    fn term(&mut self, head: Head, operands: &[TermId]) -> TermId {
        self.terms.insert(&self.vocabulary, head, operands).expect("it is typed")
    }

    fn variable(&mut self, place: u8) -> TermId {
        self.term(Head::Variable(place), &[])
    }

    fn pad(&mut self, arguments: [TermId; 3]) -> TermId {
        self.term(Head::Output { function: 0, output: 0 }, &arguments)
    }

    fn said(&self, left: TermId, right: TermId) -> (String, String) {
        let written = Written::new(&self.vocabulary, &self.terms, Equation::new(left, right));
        (written.name, written.words)
    }
}

fn pair(name: &str, words: &str) -> (String, String) {
    (name.to_owned(), words.to_owned())
}

#[test]
fn only_special_arguments_are_mentioned() {
    let mut l = Language::new();
    let [text, size, fill, u] = [0, 1, 2, 3].map(|place| l.variable(place));
    let zero = l.term(Head::Int(0), &[]);
    let nothing = l.term(Head::Empty(EmptyKind::Text), &[]);
    let length = l.term(Head::Word(Operator::Len), &[text]);
    let plain = l.pad([text, size, fill]);

    let of_zero = l.pad([text, zero, fill]);
    assert_eq!(l.said(of_zero, text), pair("pad_with_size_0", "pad with size 0 gives text as it is"));
    let of_length = l.pad([text, length, u]);
    assert_eq!(
        l.said(of_length, text),
        pair("pad_with_size_length", "pad with size len(text) gives text as it is")
    );
    let of_nothing = l.pad([nothing, zero, fill]);
    assert_eq!(
        l.said(of_nothing, nothing),
        pair("pad_with_text_empty_and_size_0", "pad with text \"\" and size 0 is \"\"")
    );
    assert_eq!(l.said(plain, text), pair("pad_is_text", "pad gives text as it is"));
    let of_same = l.pad([text, size, text]);
    assert_eq!(
        l.said(of_same, plain),
        pair("pad_with_fill_repeated", "pad stays the same with fill equal to text")
    );
    assert_eq!(l.said(of_zero, plain), pair("pad_with_size_0", "pad stays the same with size 0"));
}

#[test]
fn what_does_not_matter_is_said() {
    let mut l = Language::new();
    let [text, size, fill, u] = [0, 1, 2, 3].map(|place| l.variable(place));
    let (plain, other) = (l.pad([text, size, fill]), l.pad([text, size, u]));
    assert_eq!(l.said(other, plain), pair("pad_fill_irrelevant", "fill does not matter to pad"));
    // What is given for `fill` is called `text` here, which would be taken for the other parameter.
    let both = l.pad([u, size, text]);
    assert_eq!(l.said(both, plain).0, "pad_law");
    let zero = l.term(Head::Int(0), &[]);
    let nothing = l.term(Head::Empty(EmptyKind::Text), &[]);
    let of_nothing = l.pad([nothing, zero, text]);
    assert_eq!(l.said(of_nothing, text), pair("pad_law", "pad for \"\" and 0 and text is text"));
}
