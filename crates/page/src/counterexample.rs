//! A violation: the input, its calls, both sides, and why it is one.

use dodona_records::{Binding, CallRecord, Counterexample};
use maud::{Markup, html};

use crate::words::word;

pub(crate) fn counterexample(found: &Counterexample) -> Markup {
    html! {
        div.counterexample {
            p { "With " code.input { (Binding::input(&found.source)) @if let Some(group) = &found.group { " for " (group) } } ":" }
            table.calls {
                thead { tr { th scope="col" { "Call" } th scope="col" { "With" } th scope="col" { "Gives" } } }
                tbody { @for call in &found.calls { (call_row(call)) } }
            }
            @if let [left, right] = found.sides.as_slice() {
                dl.sides {
                    dt { "left " code { (left.text) } } dd { code { (left.value) } }
                    dt { "right " code { (right.text) } } dd { code { (right.value) } }
                }
            }
            p.why { (found.why) }
            @if let Some(file) = &found.kept { p { "Run it again: " code { "dodona replay " (word(file)) } } }
        }
    }
}

fn call_row(call: &CallRecord) -> Markup {
    html! {
        tr {
            td { code { (call.text) } }
            td { code { (Binding::list(&call.arguments)) } }
            td {
                @if call.outputs.is_empty() {
                    span.bad { (call.outcome) @if let Some(place) = &call.location { " at " (place) } }
                    @if let Some(message) = &call.message { br; (message) }
                } @else { code { (Binding::list(&call.outputs)) } }
                @if let Some(shell) = &call.shell { br; code.shell { "$ " (shell) } }
            }
        }
    }
}
