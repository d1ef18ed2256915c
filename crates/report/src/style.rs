//! Colours and the width of a line, injected: a report does not ask whether it is on a terminal.

use anstyle::{AnsiColor, Style};

use crate::layout::WIDTH;

/// The styles of a report for people, and the columns that its lines may take.
#[derive(Clone, Copy, Debug)]
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
    /// The columns of a line.
    pub width: usize,
}

impl Default for Styles {
    fn default() -> Self {
        let none = Style::new();
        Styles { good: none, bad: none, doubtful: none, strong: none, faint: none, width: WIDTH }
    }
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
            width: WIDTH,
        }
    }

    /// The same for lines of so many columns.
    pub fn within(self, width: usize) -> Self {
        Styles { width, ..self }
    }
}
