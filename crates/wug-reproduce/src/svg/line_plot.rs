//! Lines with their names written beside them. Colour, dashes and markers all tell them apart.

use std::fmt::Write;

use serde::Serialize;

use super::{BOTTOM, HEIGHT, LEFT, RIGHT, Scale, TOP, WIDTH, axis, escape, open};

/// Room for names at the right end.
const NAMES: f64 = 118.0;
/// The least distance between two names.
const NAME_HEIGHT: f64 = 16.0;
/// Markers on a line.
const MARKERS: usize = 6;

/// A line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Its name, written at its right end.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Lines over a common axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinePlot {
    /// What it shows, in words.
    pub title: String,
    /// The name of the horizontal axis.
    pub x_name: String,
    /// The name of the vertical axis, with its unit.
    pub y_name: String,
    /// Whether the horizontal axis goes by logarithms.
    pub logarithmic: bool,
    /// Whether the vertical axis begins at zero.
    pub from_zero: bool,
    /// The lines.
    pub lines: Vec<Line>,
}

impl LinePlot {
    /// As SVG.
    pub fn to_svg(&self) -> String {
        let mut svg = open(&self.title);
        let range = |pick: fn(&(f64, f64)) -> f64| {
            let numbers = self.lines.iter().flat_map(|line| &line.points).map(pick);
            numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        let (x_range, mut y_range) = (range(|point| point.0), range(|point| point.1));
        if !(x_range.0.is_finite() && y_range.0.is_finite()) {
            svg.push_str("</svg>\n");
            return svg;
        }
        if self.from_zero {
            y_range.0 = y_range.0.min(0.0);
        }
        let end = WIDTH - RIGHT - NAMES;
        let x_scale = match self.logarithmic {
            true => Scale::logarithmic(x_range, (LEFT, end)),
            false => Scale::fitted((x_range.0.min(0.0), x_range.1), (LEFT, end)),
        };
        let y_scale = Scale::linear(y_range, (HEIGHT - BOTTOM, TOP));
        axis::vertical(&mut svg, &y_scale, end, &self.y_name);
        let ticks: Vec<(f64, String)> =
            x_scale.ticks().into_iter().map(|(tick, text)| (x_scale.place(tick), text)).collect();
        axis::horizontal(&mut svg, &ticks, end, &self.x_name);
        for (index, line) in self.lines.iter().enumerate() {
            draw(&mut svg, index, line, &x_scale, &y_scale);
        }
        let ends: Vec<f64> = self
            .lines
            .iter()
            .map(|line| line.points.last().map_or(TOP, |point| y_scale.place(point.1)))
            .collect();
        for (index, (line, y)) in self.lines.iter().zip(apart(&ends)).enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<text class=\"label line{index}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                end + 10.0,
                y + 5.0,
                escape(&line.name)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn draw(svg: &mut String, index: usize, line: &Line, x_scale: &Scale, y_scale: &Scale) {
    let places: Vec<(f64, f64)> =
        line.points.iter().map(|point| (x_scale.place(point.0), y_scale.place(point.1))).collect();
    let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    let _ = writeln!(svg, "<path class=\"line line{index}\" d=\"M{}\"/>", path.join("L"));
    let every = places.len().div_ceil(MARKERS).max(1);
    for (x, y) in places.iter().rev().step_by(every) {
        let _ = writeln!(svg, "<path class=\"marker marker{index}\" d=\"{}\"/>", marker(index, *x, *y));
    }
}

/// A disc, a square, a triangle, a diamond, in turn.
fn marker(index: usize, x: f64, y: f64) -> String {
    match index % 4 {
        0 => format!("M{:.1} {y:.1}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z", x - 4.0),
        1 => format!("M{:.1} {:.1}h7v7h-7Z", x - 3.5, y - 3.5),
        2 => format!("M{x:.1} {:.1}l4.5 8h-9Z", y - 5.0),
        _ => format!("M{x:.1} {:.1}l5 5l-5 5l-5 -5Z", y - 5.0),
    }
}

/// Moves places apart, from the top down, so that names do not lie over each other, and back up from the bottom if the
/// last would leave the plot.
fn apart(places: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&left, &right| places[left].total_cmp(&places[right]));
    let mut moved = places.to_vec();
    let mut least = f64::NEG_INFINITY;
    for &index in &order {
        moved[index] = moved[index].max(least);
        least = moved[index] + NAME_HEIGHT;
    }
    let mut most = HEIGHT - BOTTOM;
    for &index in order.iter().rev() {
        moved[index] = moved[index].min(most);
        most = moved[index] - NAME_HEIGHT;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(lines: Vec<Line>) -> LinePlot {
        LinePlot {
            title: "training".into(),
            x_name: "million words".into(),
            y_name: "bits".into(),
            logarithmic: false,
            from_zero: true,
            lines,
        }
    }

    #[test]
    fn lines_have_names_dashes_and_markers() {
        let line = |name: &str, y: f64| Line { name: name.into(), points: vec![(0.0, y), (4.0, y + 1.0)] };
        let svg = plot(vec![line("one", 0.0), line("two", 0.01)]).to_svg();
        assert!(svg.contains("class=\"line line0\"") && svg.contains("class=\"line line1\""));
        assert_eq!(svg.matches("class=\"marker marker1\"").count(), 2);
        assert!(svg.contains(">one</text>") && svg.contains(">two</text>"));
    }

    #[test]
    fn names_do_not_lie_over_each_other() {
        let moved = apart(&[100.0, 101.0, 250.0, 272.0, 273.0]);
        let mut sorted = moved.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= NAME_HEIGHT - 1e-9), "{moved:?}");
        assert!(sorted[4] <= HEIGHT - BOTTOM);
    }

    #[test]
    fn nothing_to_draw_is_an_empty_plot() {
        assert!(plot(Vec::new()).to_svg().ends_with("</svg>\n"));
    }
}
