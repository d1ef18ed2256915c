//! Types of signatures as Rust code of any crate can write them: by their whole path, without names of lifetimes.

use super::written::{Form, Spelling};
use dodona_target::Type;

impl Spelling {
    /// The type in Rust, whatever is in scope; a value that is shown is text. Slices and texts that the manifest writes in its own words, such as `[u8]`,
    /// are borrowed.
    ///
    /// ```
    /// use dodona_subject::Written;
    ///
    /// let in_rust = |text: &str| Written::parse(text).ok()?.value().map(|spelling| spelling.in_rust());
    /// assert_eq!(in_rust("Cow<'a, str>").as_deref(), Some("std::borrow::Cow<str>"));
    /// assert_eq!(in_rust("[u8]").as_deref(), Some("&[u8]"));
    /// assert_eq!(in_rust("&NonZeroU8").as_deref(), Some("&std::num::NonZero<u8>"));
    /// ```
    pub fn in_rust(&self) -> String {
        let scalar = &self.scalar;
        let owned = |inner: &str| match self.owner.as_str() {
            "Cow" => format!("std::borrow::Cow<{inner}>"),
            "Rc" => format!("std::rc::Rc<{inner}>"),
            "Arc" => format!("std::sync::Arc<{inner}>"),
            owner => format!("{owner}<{inner}>"),
        };
        let by = if self.reference { "&" } else { "" };
        match (self.form, self.ty) {
            (Form::Plain, Type::Scalar(_)) => format!("{by}{scalar}"),
            (Form::Plain, Type::Text) => "&str".to_owned(),
            (Form::Plain, Type::Sequence(_)) => format!("&[{scalar}]"),
            (Form::OwnedText, _) if self.owner == "String" => format!("{by}String"),
            (Form::OwnedText, _) => format!("{by}{}", owned("str")),
            (Form::Owned, _) if self.owner == "Vec" => format!("{by}Vec<{scalar}>"),
            (Form::Owned, _) => format!("{by}{}", owned(&format!("[{scalar}]"))),
            (Form::Array(length), _) => format!("{by}[{scalar}; {length}]"),
            (Form::Char, _) => format!("{by}char"),
            (Form::NonZero, _) => format!("{by}std::num::NonZero<{scalar}>"),
            (Form::Ordering, _) => format!("{by}std::cmp::Ordering"),
            (Form::Duration, _) => format!("{by}std::time::Duration"),
            (Form::Shown, _) => "String".to_owned(),
        }
    }

    /// Whether the type is written in the manifest's own words, `text` and `[u8]`, which stand for any of Rust's that become the same values.
    pub fn is_of_the_manifest(&self) -> bool {
        self.form == Form::Plain && !self.reference && !matches!(self.ty, Type::Scalar(_))
    }
}
