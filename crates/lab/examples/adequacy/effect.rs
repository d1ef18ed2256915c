//! Two samples of a figure, and how far apart they are.

use dodona_lab::statistics::{Summary, cohens_d, mann_whitney_u, vargha_delaney_a12};

/// The columns of [`between`].
pub(crate) fn heads(figure: &str, one: &str, other: &str) -> String {
    format!("{figure} {one},{figure} {other},{figure} A12,{figure} d,{figure} p")
}

/// `mean,mean,A12,d,p` of one sample against another; empty where something is not defined.
pub(crate) fn between(one: &[f64], other: &[f64]) -> String {
    let mean = |values: &[f64]| Summary::of(values).map(|summary| summary.mean);
    let p = mann_whitney_u(one, other).map(|test| test.p);
    let figures = [mean(one), mean(other), vargha_delaney_a12(one, other), cohens_d(one, other), p];
    figures.map(|figure| figure.map_or(String::new(), short)).join(",")
}

/// Four digits, of which a tiny number keeps its size.
fn short(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.001 { format!("{value:.1e}") } else { format!("{value:.4}") }
}
