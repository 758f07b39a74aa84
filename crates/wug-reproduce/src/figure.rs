//! A figure as the paper prints it: `11.33±.05`, or `11.21` for a single run.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A mean, with the standard deviation over runs where the paper gives one, and the text it was printed as.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Figure {
    text: String,
    /// The mean, or the single value.
    pub mean: f64,
    /// The standard deviation over runs.
    pub deviation: Option<f64>,
}

/// A text that is no figure.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no figure; expected one such as 11.33±.05 or 11.21")]
pub struct BadFigure(String);

impl TryFrom<String> for Figure {
    type Error = BadFigure;

    fn try_from(text: String) -> Result<Self, BadFigure> {
        let number = |part: &str| part.parse().ok().filter(|number: &f64| number.is_finite());
        let (mean, deviation) = match text.split_once('±') {
            Some((mean, deviation)) => (number(mean), Some(number(deviation))),
            None => (number(&text), None),
        };
        match (mean, deviation) {
            (Some(mean), None) => Ok(Self { text, mean, deviation: None }),
            (Some(mean), Some(Some(deviation))) => Ok(Self { text, mean, deviation: Some(deviation) }),
            _ => Err(BadFigure(text)),
        }
    }
}

impl From<Figure> for String {
    fn from(figure: Figure) -> String {
        figure.text
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_printed() {
        let figure = Figure::try_from("11.33±.05".to_owned()).unwrap();
        assert_eq!((figure.mean, figure.deviation), (11.33, Some(0.05)));
        assert_eq!(figure.to_string(), "11.33±.05");
        let single = Figure::try_from("7.0".to_owned()).unwrap();
        assert_eq!((single.mean, single.deviation, single.to_string().as_str()), (7.0, None, "7.0"));
        for bad in ["", "±.05", "11±", "inf", "eleven"] {
            assert_eq!(Figure::try_from(bad.to_owned()), Err(BadFigure(bad.into())));
        }
    }
}
