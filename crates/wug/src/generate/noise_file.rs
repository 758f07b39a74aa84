//! Noise in files: a table with tabs, JSON, or an array of numpy's.
//!
//! - **Table** with tabs or commas: columns `noise` (numbers with spaces between them) and `point`, or one of them, by their names in the header. A new word
//!   begins where the column `step` is 1.
//! - **JSON**: a word on each line, an object with `steps`, each with `noise` and `point` or one of them; or a list with the noise of each
//!   step, a list of numbers or a number.
//! - **npy**: words × steps × numbers, or words × steps where a step takes one number. NaN is noise that is not given.

use thiserror::Error;

use super::trace::{StepNoise, Trace};

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
    /// An array of numpy's that cannot be read.
    #[error(
        "this npy file {0}; expected numbers of the type float32 or float64 in C order, words × steps or words × steps × numbers"
    )]
    Array(String),
    /// Nothing at all.
    #[error("the file is empty; expected a table with tabs, JSON or npy")]
    Empty,
}

/// Reads the noise of words, in whichever form it is.
///
/// # Errors
/// When a line or the array cannot be read.
pub fn read_noise(bytes: &[u8]) -> Result<Vec<Vec<StepNoise>>, NoiseFileError> {
    if let Some(array) = bytes.strip_prefix(NPY) {
        return from_npy(array);
    }
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

/// How an npy file begins.
const NPY: &[u8] = b"\x93NUMPY";

/// Reads an array after its first bytes.
fn from_npy(bytes: &[u8]) -> Result<Vec<Vec<StepNoise>>, NoiseFileError> {
    let wrong = |problem: &str| NoiseFileError::Array(problem.to_owned());
    let cut = || wrong("is cut off");
    let (version, rest) = bytes.split_first_chunk::<2>().ok_or_else(cut)?;
    let (length, rest) = if version[0] == 1 {
        let (length, rest) = rest.split_first_chunk().ok_or_else(cut)?;
        (usize::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk().ok_or_else(cut)?;
        (u32::from_le_bytes(*length) as usize, rest)
    };
    let (header, data) = rest.split_at_checked(length).ok_or_else(cut)?;
    let header = str::from_utf8(header).map_err(|_| wrong("has a header that is no text"))?;
    let after =
        |key: &str| header.split_once(key).map(|(_, rest)| rest.trim_start_matches([' ', ':', '\'', '"']));
    let type_ = after("descr").ok_or_else(|| wrong("has no type"))?;
    let size = if type_.starts_with("<f8") {
        8
    } else if type_.starts_with("<f4") {
        4
    } else {
        return Err(wrong("has another type"));
    };
    if after("fortran_order").is_some_and(|order| order.starts_with("True")) {
        return Err(wrong("is in Fortran order"));
    }
    let shape = after("shape").and_then(|shape| shape.strip_prefix('(')?.split_once(')'));
    let shape: Option<Vec<usize>> = shape.and_then(|(shape, _)| {
        shape
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().ok())
            .collect()
    });
    let (words, steps, numbers) = match shape.as_deref() {
        Some(&[words, steps]) => (words, steps, 1),
        Some(&[words, steps, numbers]) => (words, steps, numbers),
        _ => return Err(wrong("has another shape")),
    };
    let count = words.checked_mul(steps).and_then(|count| count.checked_mul(numbers));
    if count.and_then(|count| count.checked_mul(size)) != Some(data.len()) || count == Some(0) {
        return Err(wrong("has more or fewer numbers than its shape"));
    }
    let number = |bytes: &[u8]| match *bytes {
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => f64::NAN,
    };
    let data: Vec<f64> = data.chunks_exact(size).map(number).collect();
    let step = |numbers: &[f64]| {
        StepNoise::of(if numbers.iter().any(|number| number.is_nan()) {
            Vec::new()
        } else {
            numbers.to_vec()
        })
    };
    Ok(data
        .chunks_exact(steps * numbers)
        .map(|word| {
            let mut steps: Vec<StepNoise> = word.chunks_exact(numbers).map(step).collect();
            while steps.pop_if(|step| step.noise.is_empty()).is_some() {}
            steps
        })
        .collect())
}

/// What a trace has numbers of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceArray {
    /// `ξ_t`.
    Noise,
    /// The points on the unit interval.
    Points,
    /// The probabilities of all symbols.
    Probabilities,
    /// `h_t`.
    States,
}

impl TraceArray {
    /// The numbers of all words as an npy file: words × steps × numbers in float64, with NaN after the end of a word.
    pub fn npy(self, traces: &[Trace]) -> Vec<u8> {
        let numbers = |trace: &Trace, step: usize| -> Vec<f64> {
            let Some(step) = trace.steps.get(step) else { return Vec::new() };
            match self {
                Self::Noise => step.noise.clone(),
                Self::Points => vec![step.point],
                Self::Probabilities => step.probabilities.clone(),
                Self::States => step.state.iter().map(|&number| number.into()).collect(),
            }
        };
        let steps = traces.iter().map(|trace| trace.steps.len()).max().unwrap_or(0);
        let size = traces.first().map_or(0, |trace| numbers(trace, 0).len());
        let shape = format!("({}, {steps}, {size})", traces.len());
        let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
        // The data begins at a multiple of 64 bytes, after a line feed.
        let before = NPY.len() + 4;
        header.push_str(&" ".repeat(63 - (before + header.len()) % 64));
        header.push('\n');
        let mut bytes = [NPY, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
        for trace in traces {
            for step in 0..steps {
                let mut numbers = numbers(trace, step);
                numbers.resize(size, f64::NAN);
                bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        bytes
    }
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
    fn arrays_come_back() {
        let model = crate::bundled_model().unwrap();
        let traces = ["winter", "a"].map(|word| model.trace(word, 1).unwrap());
        let read = read_noise(&TraceArray::Noise.npy(&traces)).unwrap();
        for (trace, read) in traces.iter().zip(&read) {
            let noise: Vec<StepNoise> =
                trace.steps.iter().map(|step| StepNoise::of(step.noise.clone())).collect();
            assert_eq!(&noise, read);
        }
        let points = TraceArray::Points.npy(&traces);
        assert_eq!((points.len() - 2 * 7 * 8) % 64, 0);
        assert_eq!(read_noise(&points).unwrap()[1].len(), 2);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let npy = |header: &str, data: &[u8]| {
            [NPY, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes(), data].concat()
        };
        for (bytes, expected) in [
            (b"".to_vec(), "the file is empty"),
            (b"noise\n1\nx\n".to_vec(), "line 3: `x` is no number"),
            (b"a\tb\n".to_vec(), "line 1: the header has neither"),
            (b"step\tnoise\n1\n".to_vec(), "line 2: a column is missing"),
            (b"[1\n".to_vec(), "line 1: expected an object with `steps`"),
            (b"noise\n\xff\n".to_vec(), "line 2: this is not UTF-8"),
            (NPY.to_vec(), "this npy file is cut off"),
            (npy("{'descr': '<i8', 'shape': (1, 1)}", &[0; 8]), "has another type"),
            (npy("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1)}", &[0; 8]), "is in Fortran order"),
            (npy("{'descr': '<f8', 'shape': (1,)}", &[0; 8]), "has another shape"),
            (npy("{'descr': '<f8', 'shape': (2, 1)}", &[0; 8]), "more or fewer numbers"),
            (npy("{'descr': '<f8', 'shape': (0, 5)}", &[]), "more or fewer numbers"),
            (npy("{'descr': '<f8', 'shape': (18446744073709551615, 9)}", &[0; 8]), "more or fewer numbers"),
        ] {
            let message = read_noise(&bytes).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}; expected {expected}");
        }
    }
}
