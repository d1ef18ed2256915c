//! Charts, drawn by a library as SVG in the colour of the text around them.

use maud::{Markup, PreEscaped, html};
use plotters::prelude::*;

const SIZE: (u32, u32) = (720, 220);

/// Percentages one after the other, of which some are not known; `None` of fewer than two that are.
pub(crate) fn percentages(title: &str, values: &[Option<f64>]) -> Option<Markup> {
    let points: Vec<(f64, f64)> = values
        .iter()
        .enumerate()
        .filter_map(|(index, value)| Some((index as f64 + 1.0, (*value)?)))
        .collect();
    if points.len() < 2 {
        return None;
    }
    let svg = drawn(&points, values.len()).ok()?;
    // The library knows colours alone, and no `currentColor`: a dark page has to have light lines.
    let svg = svg.replace("#000000", "currentColor").replacen("<svg ", "<svg aria-hidden=\"true\" ", 1);
    Some(html! {
        figure.chart {
            figcaption { (title) }
            (PreEscaped(svg))
        }
    })
}

fn drawn(points: &[(f64, f64)], runs: usize) -> Result<String, Box<dyn std::error::Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&area)
            .margin(8)
            .x_label_area_size(28)
            .y_label_area_size(44)
            .build_cartesian_2d(0.5..runs as f64 + 0.5, 0.0..100.0)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_labels(runs.min(20))
            .y_labels(6)
            .x_label_formatter(&|x| {
                if (x - x.round()).abs() < 1e-9 { format!("{x:.0}") } else { String::new() }
            })
            .y_label_formatter(&|y| format!("{y:.0} %"))
            .draw()?;
        chart.draw_series(LineSeries::new(points.iter().copied(), BLACK.stroke_width(2)))?;
        chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, BLACK.filled())))?;
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
}
