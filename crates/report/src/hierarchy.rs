//! The hierarchy of mutants: for people, for programs, and as drawings.

mod dot;
mod hierarchy_brief;
mod hierarchy_terminal;
mod node_words;
mod svg;

pub use dot::dot_hierarchy;
pub use svg::svg_hierarchy;

use dodona_records::HierarchyRecord;

use crate::layout::fitted;
use crate::pieces::as_many_as_fit;
use crate::{Format, Styles};
use hierarchy_brief::{Brief, GROUPS};
use hierarchy_terminal::HierarchyReport;

impl crate::Report for HierarchyRecord {
    const OTHERS: &'static [Format] = &[Format::Dot, Format::Svg];

    /// The first screen: how many mutants there are, the groups that stand for all, and where the rest is.
    fn terminal(&self, styles: Styles) -> String {
        let report = HierarchyReport::new(self, styles);
        as_many_as_fit(GROUPS, styles, |most| Brief { report: &report, most }.to_string())
    }

    /// How many mutants there are, the groups that stand for all, the classes of the ten steps, and what the code of mutants says.
    fn whole(&self, styles: Styles) -> String {
        fitted(&HierarchyReport::new(self, styles).to_string(), styles.width)
    }

    fn other(&self, format: Format) -> Option<String> {
        match format {
            Format::Dot => Some(dot_hierarchy(&self.graph)),
            Format::Svg => Some(svg_hierarchy(&self.graph)),
            _ => None,
        }
    }
}
