//! Colours, injected: a report does not ask whether it is on a terminal.

use anstyle::{AnsiColor, Style};

/// The styles of a report for people.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    /// What holds.
    pub good: Style,
    /// What is violated.
    pub bad: Style,
    /// What could not be decided.
    pub doubtful: Style,
    /// Names and headings.
    pub strong: Style,
    /// What can be skipped in reading.
    pub faint: Style,
}

impl Styles {
    /// No colours, for files and pipes.
    pub fn plain() -> Self {
        Styles::default()
    }

    /// Colours for a terminal.
    pub fn coloured() -> Self {
        Styles {
            good: AnsiColor::Green.on_default(),
            bad: AnsiColor::Red.on_default().bold(),
            doubtful: AnsiColor::Yellow.on_default().bold(),
            strong: Style::new().bold(),
            faint: Style::new().dimmed(),
        }
    }
}
