//! Noise in files: a table, or JSON.
//!
//! - **Table** with tabs or commas: columns `noise` (numbers with spaces between them) and `point`, or one of them, by their names in the header. A new word
//!   begins where the column `step` is 1.
//! - **JSON**: a word on each line, an object with `steps`, each with `noise` and `point` or one of them; or a list with the noise of each
//!   step, a list of numbers or a number.

use thiserror::Error;

use super::encoding::StepNoise;

/// Why a file has no noise.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoiseFileError {
    /// A line is none of what there can be.
    #[error("line {line}: {problem}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// Nothing at all.
    #[error("the file is empty; expected a table with tabs, or JSON")]
    Empty,
}

/// Reads the noise of words, in whichever form it is.
///
/// # Errors
/// When a line cannot be read.
pub fn read_noise(bytes: &[u8]) -> Result<Vec<Vec<StepNoise>>, NoiseFileError> {
    let wrong = |line: usize| move |problem: String| NoiseFileError::Line { line, problem };
    let text = str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        wrong(line)("this is not UTF-8 text".into())
    })?;
    let lines = || (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let Some((number, first)) = lines().next() else { return Err(NoiseFileError::Empty) };
    if first.trim_start().starts_with(['{', '[']) {
        return lines().map(|(number, line)| from_json(line).map_err(wrong(number))).collect();
    }
    let columns = Columns::of(first).map_err(wrong(number))?;
    let mut words: Vec<Vec<StepNoise>> = Vec::new();
    for (number, line) in lines().skip(1) {
        let (begins, step) = columns.read(line).map_err(wrong(number))?;
        match words.last_mut().filter(|_| !begins) {
            Some(word) => word.push(step),
            None => words.push(vec![step]),
        }
    }
    Ok(words)
}

/// Where a table has what.
struct Columns {
    /// A comma if the header has no tab.
    separator: char,
    step: Option<usize>,
    noise: Option<usize>,
    point: Option<usize>,
}

impl Columns {
    fn of(header: &str) -> Result<Self, String> {
        let separator = if header.contains('\t') { '\t' } else { ',' };
        let names = cells(header, separator);
        let place = |name: &str| names.iter().position(|column| column.trim() == name);
        let [step, noise, point] = ["step", "noise", "point"].map(place);
        match (noise, point) {
            (None, None) => Err("the header has neither `noise` nor `point`".into()),
            _ => Ok(Self { separator, step, noise, point }),
        }
    }

    /// Whether a word begins, and the step.
    fn read(&self, line: &str) -> Result<(bool, StepNoise), String> {
        let fields = cells(line, self.separator);
        let field = |place: Option<usize>| {
            place.map_or(Ok(""), |place| fields.get(place).copied().ok_or("a column is missing"))
        };
        let number = |text: &str| text.parse::<f64>().map_err(|_| format!("`{text}` is no number"));
        let noise = field(self.noise)?.split_whitespace().map(number).collect::<Result<_, _>>()?;
        let point =
            Some(field(self.point)?.trim()).filter(|text| !text.is_empty()).map(number).transpose()?;
        Ok((field(self.step)?.trim() == "1", StepNoise { noise, point }))
    }
}

/// The cells of a row. Only tables with commas have quotes; none is left around a cell.
fn cells(line: &str, separator: char) -> Vec<&str> {
    let mut quoted = false;
    let ends = |sign| {
        quoted ^= separator == ',' && sign == '"';
        sign == separator && !quoted
    };
    let trimmed = |cell| str::trim_matches(cell, |sign| separator == ',' && sign == '"');
    line.split(ends).map(trimmed).collect()
}

fn from_json(line: &str) -> Result<Vec<StepNoise>, String> {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Step {
        Number(f64),
        Numbers(Vec<f64>),
        Given(StepNoise),
    }
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Word {
        Object { steps: Vec<Step> },
        List(Vec<Step>),
    }
    let expected = |_| "expected an object with `steps`, or a list with the noise of each step".to_owned();
    let (Word::Object { steps } | Word::List(steps)) = serde_json::from_str(line).map_err(expected)?;
    let step = |step| match step {
        Step::Number(number) => StepNoise::of(vec![number]),
        Step::Numbers(numbers) => StepNoise::of(numbers),
        Step::Given(step) => step,
    };
    Ok(steps.into_iter().map(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_read() {
        let given = |noise: &[f64], point| StepNoise { noise: noise.to_vec(), point };
        for (text, expected) in [
            (
                "step\tnoise\n1\t0.5\n2\t-1\n1\t2\n",
                vec![vec![given(&[0.5], None), given(&[-1.0], None)], vec![given(&[2.0], None)]],
            ),
            (
                "word\tpoint\tnoise\nx\t0.25\t\ny\t\t1 2\n",
                vec![vec![given(&[], Some(0.25)), given(&[1.0, 2.0], None)]],
            ),
            (
                "word,step,noise\n\"a,b\",1,-0.5\n\"\"\"\",\"2\",1 2\n",
                vec![vec![given(&[-0.5], None), given(&[1.0, 2.0], None)]],
            ),
            (
                "[0.5, [1, 2]]\n\n{\"word\": \"x\", \"steps\": [{\"point\": 0.5}]}\n",
                vec![vec![given(&[0.5], None), given(&[1.0, 2.0], None)], vec![given(&[], Some(0.5))]],
            ),
        ] {
            assert_eq!(read_noise(text.as_bytes()), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (bytes, expected) in [
            (b"".to_vec(), "the file is empty"),
            (b"noise\n1\nx\n".to_vec(), "line 3: `x` is no number"),
            (b"a\tb\n".to_vec(), "line 1: the header has neither"),
            (b"step\tnoise\n1\n".to_vec(), "line 2: a column is missing"),
            (b"[1\n".to_vec(), "line 1: expected an object with `steps`"),
            (b"noise\n\xff\n".to_vec(), "line 2: this is not UTF-8"),
        ] {
            let message = read_noise(&bytes).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}; expected {expected}");
        }
    }
}
