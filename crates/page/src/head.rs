//! The head of the page: its policy, its style and its words of script.

use maud::{Markup, PreEscaped, html};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The head. Its policy lets the page have its own style and script, and no request.
pub(crate) fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) " – Dodona" }
            link rel="icon" href="data:,";
            style { (PreEscaped(STYLE)) }
        }
    }
}

pub(crate) fn script() -> Markup {
    html! { script { (PreEscaped(SCRIPT)) } }
}
