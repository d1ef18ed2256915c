//! Charts, drawn by a library as SVG in colours of the page.

use maud::{Markup, PreEscaped, html};
use plotters::prelude::*;

const SIZE: (u32, u32) = (720, 220);

/// The library knows colours alone, and neither `currentColor` nor names of a style: a dark page has to have light lines. It draws in these, and they are replaced. The first is that of the text.
const STAND_INS: [(RGBColor, &str, &str); 6] = [
    (BLACK, "#000000", "currentColor"),
    (RGBColor(0xab, 0xcd, 1), "#ABCD01", "var(--line-1)"),
    (RGBColor(0xab, 0xcd, 2), "#ABCD02", "var(--line-2)"),
    (RGBColor(0xab, 0xcd, 3), "#ABCD03", "var(--line-3)"),
    (RGBColor(0xab, 0xcd, 4), "#ABCD04", "var(--line-4)"),
    (RGBColor(0xab, 0xcd, 5), "#ABCD05", "var(--line-5)"),
];

/// The most lines of a chart: more have no colours that people tell apart.
pub(crate) const MOST_LINES: usize = STAND_INS.len() - 1;

/// A line of a chart.
pub(crate) struct Line {
    /// What it is called, below the chart.
    pub(crate) name: String,
    /// Its points: from 0 to the end of the axis, and percentages.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Percentages one after the other, of which some are not known; `None` of fewer than two that are.
pub(crate) fn percentages(title: &str, values: &[Option<f64>]) -> Option<Markup> {
    let known = values.iter().enumerate();
    let points: Vec<(f64, f64)> =
        known.filter_map(|(index, value)| Some((index as f64 + 1.0, (*value)?))).collect();
    if points.len() < 2 {
        return None;
    }
    let line = Line { name: String::new(), points };
    let axis = Axis { from: 0.5, to: values.len() as f64 + 0.5, labels: values.len().min(20), unit: "" };
    figure(title, &axis, &[line], true)
}

/// Percentages that grow along an axis from 0, each line with its name; `None` where there is no line of two points.
pub(crate) fn growth(title: &str, to: f64, unit: &'static str, lines: &[Line]) -> Option<Markup> {
    let lines = &lines[..lines.len().min(MOST_LINES)];
    let is_line = |line: &Line| line.points.len() > 1;
    if to <= 0.0 || !lines.iter().any(is_line) {
        return None;
    }
    figure(title, &Axis { from: 0.0, to, labels: 11, unit }, lines, false)
}

/// The axis along which a chart goes.
struct Axis {
    from: f64,
    to: f64,
    labels: usize,
    unit: &'static str,
}

fn figure(title: &str, axis: &Axis, lines: &[Line], with_points: bool) -> Option<Markup> {
    let mut svg = drawn(axis, lines, with_points).ok()?;
    for (_, stand_in, colour) in STAND_INS {
        svg = svg.replace(stand_in, colour);
    }
    let svg = svg.replacen("<svg ", "<svg aria-hidden=\"true\" ", 1);
    let is_named = lines.iter().any(|line| !line.name.is_empty());
    Some(html! {
        figure.chart {
            figcaption { (title) }
            div.drawing { (PreEscaped(svg)) }
            @if is_named {
                ul.legend { @for (index, line) in lines.iter().enumerate() {
                    li { span.swatch style={ "background:var(--line-" (index + 1) ")" } {} (line.name) }
                } }
            }
        }
    })
}

fn drawn(axis: &Axis, lines: &[Line], with_points: bool) -> Result<String, Box<dyn std::error::Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .margin_right(32)
            .x_label_area_size(28)
            .y_label_area_size(48)
            .build_cartesian_2d(axis.from..axis.to, 0.0..100.0)?;
        let is_whole = |x: f64| (x - x.round()).abs() < 1e-9;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_labels(axis.labels)
            .y_labels(6)
            .x_label_formatter(&|x| if is_whole(*x) { format!("{x:.0}{}", axis.unit) } else { String::new() })
            .y_label_formatter(&|y| format!("{y:.0} %"))
            .draw()?;
        for (index, line) in lines.iter().enumerate() {
            let colour = STAND_INS[if with_points { 0 } else { index + 1 }].0;
            chart.draw_series(LineSeries::new(line.points.iter().copied(), colour.stroke_width(2)))?;
            if with_points {
                chart.draw_series(line.points.iter().map(|point| Circle::new(*point, 3, colour.filled())))?;
            }
        }
        area.present()?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_needs_two_points_and_has_the_colour_of_the_text() {
        assert!(percentages("a", &[Some(1.0), None]).is_none());
        let svg = percentages("a", &[Some(10.0), None, Some(90.0)]).expect("a chart").into_string();
        assert!(svg.contains("currentColor") && !svg.contains("#000000") && svg.contains("100 %"), "{svg}");
    }

    #[test]
    fn lines_have_colours_of_the_page_and_names() {
        let line = |name: &str, end: f64| Line { name: name.into(), points: vec![(0.0, 0.0), (100.0, end)] };
        let lines: Vec<Line> = (0..7).map(|n| line(&format!("line <{n}>"), 90.0)).collect();
        let html = growth("a", 100.0, " %", &lines).expect("a chart").into_string();
        assert!(html.contains("var(--line-1)") && html.contains("line &lt;4&gt;"), "{html}");
        // More have no colours.
        assert!(!html.contains("#ABCD") && !html.contains("line &lt;5&gt;"), "{html}");
        assert!(growth("a", 0.0, "", &lines).is_none());
        assert!(growth("a", 1.0, "", &[]).is_none());
    }
}
