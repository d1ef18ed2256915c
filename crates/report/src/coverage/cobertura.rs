//! Cobertura XML, which services of continuous integration read: the elements and attributes of its `coverage-04.dtd`.
//!
//! # Decisions
//! - A package is a subject, and a class is a source file, as other tools write languages without classes. Readers expect each file once, so what the inputs
//!   of several functions ran of it is added up.
//! - No class has methods. A record tells what the inputs of a function under test run, there and in all that it calls; which function a line stands in, it does
//!   not tell.
//! - A rate of nothing is 0. Cobertura itself writes 1, by which a threshold passes where nothing was measured.
//! - The time is 0, since the same seed gives the same bytes.
//! - There is no document type: readers that follow its address would ask the network for it.

mod merged;

use std::io;

use dodona_records::{CoverageRecord, Share};

use self::merged::{Branches, Class, Line, Package, share, total};
use crate::xml::{Xml, valid, written};

/// One document of all functions. Files with relative paths are named from the folder that the manifest's path is relative to. Blocks without lines have no
/// place in the format and are left out. A character that XML cannot hold is written as the relation language does: `\u{fffe}`.
pub(super) fn cobertura(records: &[CoverageRecord]) -> String {
    let packages = merged::packages(records);
    written(|xml| document(xml, &packages))
}

fn document(xml: &mut Xml, packages: &[Package]) -> io::Result<()> {
    let [lines, branches] = total(packages.iter().map(Package::shares));
    let count = |count: u64| count.to_string();
    let element = xml.create_element("coverage").with_attributes([
        ("line-rate", rate(lines).as_str()),
        ("branch-rate", &rate(branches)),
        ("lines-covered", &count(lines.covered)),
        ("lines-valid", &count(lines.total)),
        ("branches-covered", &count(branches.covered)),
        ("branches-valid", &count(branches.total)),
        ("complexity", "0"),
        ("version", concat!("dodona ", env!("CARGO_PKG_VERSION"))),
        ("timestamp", "0"),
    ]);
    element.write_inner_content(|xml| {
        xml.create_element("sources").write_inner_content(|xml| {
            let here = quick_xml::events::BytesText::new(".");
            xml.create_element("source").write_text_content(here).map(drop)
        })?;
        let element = xml.create_element("packages");
        element.write_inner_content(|xml| packages.iter().try_for_each(|one| package(xml, one))).map(drop)
    })?;
    Ok(())
}

fn package(xml: &mut Xml, package: &Package) -> io::Result<()> {
    let name = valid(&package.name);
    let [lines, branches] = package.shares();
    let attributes = [
        ("name", name.as_str()),
        ("line-rate", &rate(lines)),
        ("branch-rate", &rate(branches)),
        ("complexity", "0"),
    ];
    let element = xml.create_element("package").with_attributes(attributes);
    element.write_inner_content(|xml| {
        let element = xml.create_element("classes");
        element
            .write_inner_content(|xml| package.classes.iter().try_for_each(|one| class(xml, one)))
            .map(drop)
    })?;
    Ok(())
}

fn class(xml: &mut Xml, class: &Class) -> io::Result<()> {
    let (name, file) = (valid(&class.name), valid(&class.file));
    let [lines, branches] = class.shares();
    let attributes = [
        ("name", name.as_str()),
        ("filename", &file),
        ("line-rate", &rate(lines)),
        ("branch-rate", &rate(branches)),
        ("complexity", "0"),
    ];
    let element = xml.create_element("class").with_attributes(attributes);
    element.write_inner_content(|xml| {
        xml.create_element("methods").write_empty()?;
        let element = xml.create_element("lines");
        element
            .write_inner_content(|xml| {
                class.lines.iter().try_for_each(|(number, of_line)| line(xml, *number, of_line))
            })
            .map(drop)
    })?;
    Ok(())
}

fn line(xml: &mut Xml, number: u32, line: &Line) -> io::Result<()> {
    let (number, hits) = (number.to_string(), line.hits.to_string());
    let attributes = [("number", number.as_str()), ("hits", &hits)];
    let element = xml.create_element("line").with_attributes(attributes);
    if line.branches.is_empty() {
        return element.with_attribute(("branch", "false")).write_empty().map(drop);
    }
    let directions = line.directions();
    let Share { covered, total } = directions;
    let words = format!("{} ({covered}/{total})", percent(directions));
    let element = element.with_attributes([("branch", "true"), ("condition-coverage", words.as_str())]);
    element.write_inner_content(|xml| conditions(xml, &line.branches)).map(drop)
}

/// What each branch of a line came to.
fn conditions(xml: &mut Xml, branches: &Branches) -> io::Result<()> {
    let element = xml.create_element("conditions");
    let all = |xml: &mut Xml| {
        branches.values().enumerate().try_for_each(|(number, taken)| {
            let (number, coverage) = (number.to_string(), percent(share(taken)));
            let kind = if taken.len() > 2 { "switch" } else { "jump" };
            let attributes = [("number", number.as_str()), ("type", kind), ("coverage", &coverage)];
            xml.create_element("condition").with_attributes(attributes).write_empty().map(drop)
        })
    };
    element.write_inner_content(all).map(drop)
}

/// Whole percent, rounded down, so that 100 means all.
fn percent(share: Share) -> String {
    format!("{}%", share.percent().unwrap_or(0))
}

/// From 0 to 1, in all digits: only all is 1.
fn rate(share: Share) -> String {
    if share.total == 0 { "0".to_owned() } else { (share.covered as f64 / share.total as f64).to_string() }
}
