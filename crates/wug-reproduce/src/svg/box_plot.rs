//! Box plots: quartiles as a box, the median as a thick line, whiskers, the mean as a dot.

use std::fmt::Write;

use serde::Serialize;

use super::{BOTTOM, HEIGHT, LEFT, RIGHT, Scale, TOP, WIDTH, axis, open};
use wug::evaluate::Spread;

/// One box with its name on the axis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlottedBox {
    /// The name.
    pub name: String,
    /// What it shows.
    pub spread: Spread,
}

/// Boxes side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoxPlot {
    /// What it shows, in words.
    pub title: String,
    /// The name of the horizontal axis.
    pub x_name: String,
    /// The name of the vertical axis, with its unit.
    pub y_name: String,
    /// The boxes.
    pub boxes: Vec<PlottedBox>,
}

impl BoxPlot {
    /// As SVG.
    pub fn to_svg(&self) -> String {
        let mut svg = open(&self.title);
        let ends = self.boxes.iter().map(|own| (own.spread.lower_whisker, own.spread.upper_whisker));
        let range = ends.fold((0.0, 0.0), |(low, high): (f64, f64), own| (low.min(own.0), high.max(own.1)));
        let scale = Scale::linear(range, (HEIGHT - BOTTOM, TOP));
        axis::vertical(&mut svg, &scale, WIDTH - RIGHT, &self.y_name);
        let step = (WIDTH - LEFT - RIGHT) / self.boxes.len().max(1) as f64;
        let place = |index: usize| LEFT + step * (index as f64 + 0.5);
        for (index, own) in self.boxes.iter().enumerate() {
            draw(&mut svg, &scale, place(index), 0.3 * step.min(80.0), &own.spread);
        }
        let ticks: Vec<(f64, String)> =
            self.boxes.iter().enumerate().map(|(index, own)| (place(index), own.name.clone())).collect();
        axis::horizontal(&mut svg, &ticks, WIDTH - RIGHT, &self.x_name);
        svg.push_str("</svg>\n");
        svg
    }
}

fn draw(svg: &mut String, scale: &Scale, x: f64, half: f64, spread: &Spread) {
    let [low, lower, median, upper, high, mean] = [
        spread.lower_whisker,
        spread.lower_quartile,
        spread.median,
        spread.upper_quartile,
        spread.upper_whisker,
        spread.mean,
    ]
    .map(|number| scale.place(number));
    let (left, right, cap) = (x - half, x + half, half * 0.5);
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<path class=\"whisker\" d=\"M{x:.1} {low:.1}V{lower:.1}M{x:.1} {upper:.1}V{high:.1}\
         M{:.1} {low:.1}H{:.1}M{:.1} {high:.1}H{:.1}\"/>",
        x - cap,
        x + cap,
        x - cap,
        x + cap
    );
    let _ =
        writeln!(svg, "<path class=\"box\" d=\"M{left:.1} {lower:.1}H{right:.1}V{upper:.1}H{left:.1}Z\"/>");
    let _ = writeln!(svg, "<path class=\"median\" d=\"M{left:.1} {median:.1}H{right:.1}\"/>");
    let _ = writeln!(svg, "<circle class=\"mean\" cx=\"{x:.1}\" cy=\"{mean:.1}\" r=\"3.5\"/>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_box_is_drawn_with_its_name() {
        let spread = Spread {
            mean: 1.1,
            lower_whisker: 0.0,
            lower_quartile: 0.5,
            median: 1.0,
            upper_quartile: 1.5,
            upper_whisker: 2.0,
        };
        let boxes = vec![PlottedBox { name: "1".into(), spread }, PlottedBox { name: "two".into(), spread }];
        let plot = BoxPlot { title: "I(t)".into(), x_name: "t".into(), y_name: "bits".into(), boxes };
        let svg = plot.to_svg();
        assert_eq!(svg.matches("class=\"box\"").count(), 2);
        assert!(svg.contains(">two</text>") && svg.contains(">bits</text>") && svg.ends_with("</svg>\n"));
        // The scale goes from 0 at the bottom to 2 at the top: the median lies half way.
        let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        let medians = svg.lines().filter(|line| line.contains("class=\"median\""));
        assert!(
            medians.clone().count() == 2
                && medians.into_iter().all(|line| line.contains(&format!(" {middle:.1}H")))
        );
    }
}
