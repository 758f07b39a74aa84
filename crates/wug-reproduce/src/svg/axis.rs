//! Axes: a frame of light lines, numbers and names.

use std::fmt::Write;

use super::{BOTTOM, HEIGHT, LEFT, Scale, TOP, escape};

/// The horizontal lines of the grid up to `end` with their numbers, and the name of the axis.
pub(super) fn vertical(svg: &mut String, scale: &Scale, end: f64, name: &str) {
    for (tick, text) in scale.ticks() {
        let y = scale.place(tick);
        // Writing to a string cannot fail.
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{end}\"/>");
        let _ = writeln!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            LEFT - 8.0,
            y + 5.0
        );
    }
    let middle = (TOP + HEIGHT - BOTTOM) / 2.0;
    let _ = writeln!(
        svg,
        "<text class=\"name\" transform=\"translate(16 {middle:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escape(name)
    );
}

/// Numbers or names along the bottom up to `end`, and the name of the axis.
pub(super) fn horizontal(svg: &mut String, ticks: &[(f64, String)], end: f64, name: &str) {
    let y = HEIGHT - BOTTOM;
    let _ = writeln!(svg, "<path class=\"axis\" d=\"M{LEFT} {y}H{end}\"/>");
    for (x, text) in ticks {
        let _ = writeln!(svg, "<path class=\"axis\" d=\"M{x:.1} {y}v5\"/>");
        let _ = writeln!(
            svg,
            "<text class=\"tick\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            y + 21.0,
            escape(text)
        );
    }
    let middle = (LEFT + end) / 2.0;
    let _ = writeln!(
        svg,
        "<text class=\"name\" x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        HEIGHT - 8.0,
        escape(name)
    );
}
