//! Heat maps: which rows have what in which columns. Script draws them, and tells the cell that is pointed at or walked to.

use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use crate::words::counted;

/// So many rows have their names beside the map; of more they are listed below it, for a row is then no higher than a few pixels.
const NAMED: usize = 40;

/// A row of a map.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// What stands beside the name in a list: how many columns it has.
    #[serde(skip)]
    pub(crate) more: String,
    /// The part of the page that tells more of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) link: Option<String>,
}

/// A map.
#[derive(Debug, Serialize)]
pub(crate) struct Heat {
    pub(crate) rows: Vec<Row>,
    pub(crate) columns: Vec<String>,
    /// What a row does to a column, and what it does not: `catches`, `does not catch`.
    pub(crate) verbs: [&'static str; 2],
    /// The cells of each row as hexadecimal digits, four cells in each, the first one in the highest bit.
    cells: Vec<String>,
    /// What the map shows, in a sentence.
    #[serde(skip)]
    pub(crate) said: String,
}

impl Heat {
    /// A map of columns, each with the rows that have it.
    pub(crate) fn new(
        rows: Vec<Row>,
        columns: Vec<(String, &[usize])>,
        verbs: [&'static str; 2],
        said: String,
    ) -> Heat {
        let mut digits = vec![vec![0_u8; columns.len().div_ceil(4)]; rows.len()];
        for (column, (_, of_rows)) in columns.iter().enumerate() {
            of_rows.iter().for_each(|row| digits[*row][column / 4] |= 8 >> (column % 4));
        }
        let text = |row: &Vec<u8>| {
            row.iter().map(|digit| char::from(b"0123456789abcdef"[*digit as usize])).collect()
        };
        let cells = digits.iter().map(text).collect();
        Heat { rows, columns: columns.into_iter().map(|(name, _)| name).collect(), verbs, cells, said }
    }

    /// The figure.
    pub(crate) fn figure(&self) -> Markup {
        let is_named = self.rows.len() <= NAMED;
        html! {
            figure.matrix.named[is_named] {
                figcaption { (self.said) }
                div.map {
                    @if is_named { ol.rows { @for row in &self.rows { li { (name(row)) } } } }
                    canvas tabindex="0" role="img" aria-label={ "Heat map: " (self.said) } {}
                }
                output aria-live="polite" {}
                @if !is_named {
                    details {
                        summary { "The " (counted(self.rows.len(), "row")) ", from the top" }
                        ol { @for row in &self.rows { li { (name(row)) " " (row.more) } } }
                    }
                }
                script type="application/json" { (PreEscaped(self.data())) }
            }
        }
    }

    /// The data as JSON that ends no script.
    fn data(&self) -> String {
        // Texts, lists and numbers alone: nothing of it has no JSON.
        serde_json::to_string(self).unwrap_or_default().replace('<', "\\u003c")
    }
}

fn name(row: &Row) -> Markup {
    html! {
        @match &row.link {
            Some(link) => a href={ "#" (link) } { code { (row.name) } },
            None => code { (row.name) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heat(rows: usize, columns: usize) -> Heat {
        let row = |n: usize| Row { name: format!("</script>{n}"), more: n.to_string(), link: None };
        let places: Vec<usize> = (0..columns).collect();
        // Each row has the column of its own number.
        let of_rows = |n: usize| if n < rows { &places[n..=n] } else { &[] };
        let columns = (0..columns).map(|n| (n.to_string(), of_rows(n))).collect();
        Heat::new((0..rows).map(row).collect(), columns, ["has", "has not"], "said".into())
    }

    #[test]
    fn cells_are_digits_of_four() {
        assert_eq!(heat(2, 6).cells, ["80", "40"]);
        assert_eq!(heat(6, 6).cells, ["80", "40", "20", "10", "08", "04"]);
    }

    #[test]
    fn names_end_no_script_and_many_rows_are_listed_below() {
        let html = heat(2, 6).figure().into_string();
        assert!(html.contains("\\u003c/script>0") && !html.contains("</script>0"), "{html}");
        assert!(html.contains("class=\"rows\"") && !html.contains("<details"), "{html}");
        let html = heat(NAMED + 1, 6).figure().into_string();
        assert!(!html.contains("class=\"rows\"") && html.contains("The 41 rows, from the top"), "{html}");
    }
}
