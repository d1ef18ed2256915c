//! Documents of XML, as JUnit and Cobertura have them.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

/// Where a document is written.
pub(crate) type Xml = Writer<Vec<u8>>;

/// A document with its declaration, indented, ending in a newline.
///
/// # Panics
/// Never: writing to memory does not fail.
pub(crate) fn written(root: impl FnOnce(&mut Xml) -> io::Result<()>) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 4);
    let declared = xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
    declared.and_then(|()| root(&mut xml)).expect("memory takes what is written");
    String::from_utf8(xml.into_inner()).expect("only text is written") + "\n"
}

/// The text without characters that XML 1.0 cannot hold, or that its readers change (they read a carriage return as a line feed).
pub(crate) fn valid(text: &str) -> String {
    let is_valid = |c: char| matches!(c, '\t' | '\n' | ' '..='\u{fffd}' | '\u{10000}'..);
    text.chars().fold(String::with_capacity(text.len()), |mut valid, c| {
        match is_valid(c) {
            true => valid.push(c),
            false => valid.extend(c.escape_unicode()),
        }
        valid
    })
}
