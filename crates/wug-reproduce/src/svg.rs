//! Plots as SVG, for inlining into a page. Colours come from the page's style through classes, so that they follow its
//! light or dark scheme; lines also differ in their dashes and markers.

mod axis;
mod box_plot;
mod dot_plot;
mod line_plot;
mod scale;

pub(crate) use box_plot::{BoxPlot, PlottedBox};
pub(crate) use dot_plot::{DotPlot, DotRow};
pub(crate) use line_plot::{Line, LinePlot};
pub(crate) use scale::Scale;

/// The size of a plot in its own units; the page scales it.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 320.0;
/// What is left free for labels.
const LEFT: f64 = 62.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;

/// The beginning of a plot: its size and, for those who do not see it, what it shows.
fn open(title: &str) -> String {
    open_with_height(title, HEIGHT)
}

/// The same for a plot with a height of its own.
fn open_with_height(title: &str, height: f64) -> String {
    let title = escape(title);
    format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\" \
         xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title>\n"
    )
}

/// Text with the signs replaced that mean something in markup.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
        assert!(open("I < H").contains("<title>I &lt; H</title>"));
    }
}
