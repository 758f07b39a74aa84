//! Named rows with dots along a common axis. Shapes tell series apart, so that colour is not needed.

use std::fmt::Write;

use serde::Serialize;

use super::{RIGHT, Scale, WIDTH, escape, open_with_height};

/// Room for the names of rows.
const NAMES: f64 = 176.0;
/// The height of a row.
const ROW: f64 = 23.0;
/// The height of a line of the legend.
const LEGEND: f64 = 20.0;
/// How far below the middle of its row a dot lies, by series: dots that are near each other do not cover each other.
const OFFSETS: [f64; 3] = [0.0, -4.0, 4.0];
/// Room below for the axis.
const AXIS: f64 = 44.0;

/// A row: its name, and a number of each series, if there is one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DotRow {
    /// Its name.
    pub name: String,
    /// The numbers, in the order of the series.
    pub dots: Vec<Option<f64>>,
}

/// Rows of dots.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DotPlot {
    /// What it shows, in words.
    pub title: String,
    /// The name of the axis.
    pub x_name: String,
    /// The names of the series: rings, discs and diamonds.
    pub series: Vec<String>,
    /// The rows, from the top.
    pub rows: Vec<DotRow>,
}

impl DotPlot {
    /// As SVG.
    pub fn to_svg(&self) -> String {
        let top = LEGEND * self.series.len() as f64 + 10.0;
        let bottom = top + ROW * self.rows.len() as f64;
        let mut svg = open_with_height(&self.title, bottom + AXIS);
        let numbers = self.rows.iter().flat_map(|row| &row.dots).flatten();
        let (low, high) = numbers.fold((0.0f64, 1.0f64), |(low, high), &x| (low.min(x), high.max(x)));
        let scale = Scale::linear((low, high), (NAMES, WIDTH - RIGHT - 8.0));
        for (series, name) in self.series.iter().enumerate() {
            let y = LEGEND * (series as f64 + 0.6);
            dot(&mut svg, series, NAMES, y);
            // Writing to a string cannot fail.
            let _ =
                writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", NAMES + 14.0, y + 4.5, escape(name));
        }
        for (tick, text) in scale.ticks() {
            let x = scale.place(tick);
            let _ = writeln!(svg, "<path class=\"grid\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"/>");
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
                bottom + 17.0
            );
        }
        for (index, row) in self.rows.iter().enumerate() {
            let y = top + ROW * (index as f64 + 0.5);
            let (name, x) = (escape(&row.name), NAMES - 10.0);
            let _ =
                writeln!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>", y + 4.5);
            let _ = writeln!(svg, "<path class=\"grid\" d=\"M{NAMES} {y:.1}H{:.1}\"/>", WIDTH - RIGHT);
            for (series, number) in row.dots.iter().enumerate() {
                if let Some(number) = number {
                    dot(&mut svg, series, scale.place(*number), y + OFFSETS[series.min(2)]);
                }
            }
        }
        let middle = (NAMES + WIDTH - RIGHT) / 2.0;
        let (y, name) = (bottom + 36.0, escape(&self.x_name));
        let _ = writeln!(svg, "<text x=\"{middle:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{name}</text>");
        svg.push_str("</svg>\n");
        svg
    }
}

/// A ring, a disc, a diamond.
fn dot(svg: &mut String, series: usize, x: f64, y: f64) {
    let shape = match series {
        0 => format!("M{:.1} {y:.1}a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z", x - 5.5),
        1 => format!("M{:.1} {y:.1}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z", x - 4.5),
        _ => format!("M{x:.1} {:.1}l6 6l-6 6l-6 -6Z", y - 6.0),
    };
    let _ = writeln!(svg, "<path class=\"dot dot{series}\" d=\"{shape}\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_dot_of_its_shape() {
        let row = |name: &str, dots: [Option<f64>; 3]| DotRow { name: name.into(), dots: dots.to_vec() };
        let plot = DotPlot {
            title: "gap".into(),
            x_name: "share".into(),
            series: ["a", "b", "c"].map(str::to_owned).to_vec(),
            rows: vec![row("one", [Some(0.0), Some(0.5), None]), row("two", [None, None, Some(1.0)])],
        };
        let svg = plot.to_svg();
        // One of each in the legend.
        let count = |series: usize| svg.matches(&format!("class=\"dot dot{series}\"")).count() - 1;
        assert_eq!([count(0), count(1), count(2)], [1, 1, 1]);
        assert!(svg.contains(">two</text>") && svg.contains(">share</text>") && svg.ends_with("</svg>\n"));
        // The axis goes from 0 at the names to 1 at the right end: the disc lies half way.
        let middle = (NAMES + WIDTH - RIGHT - 8.0) / 2.0;
        let discs: Vec<&str> = svg.lines().filter(|line| line.contains("dot1")).collect();
        assert!(discs[1].contains(&format!("M{:.1} ", middle - 4.5)), "{discs:?}");
    }
}
