//! Lines of UTF-8 text in bounded memory.

use super::encoding::Encoding;
use super::error::{LexiconError, Place};
use super::input::Input;

/// The longest line of a list, in bytes.
pub(super) const MAX_LINE: usize = 64 * 1024;

const BUFFER: usize = 2 * MAX_LINE;
/// The longest line that is passed over after it was refused.
const MAX_PASSED: usize = 1 << 24;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads lines one after the other. Memory does not grow with the file or the line.
pub(crate) struct Lines {
    input: Input,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    finished: bool,
    line: u64,
    /// Whether the last line was refused before its end was found.
    cut: bool,
    /// The offset of `buffer[start]` in the uncompressed text.
    offset: u64,
}

impl Lines {
    pub(crate) fn new(input: Input) -> Self {
        Self {
            input,
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            finished: false,
            line: 0,
            cut: false,
            offset: 0,
        }
    }

    /// The next line with its number, counted from 1, and without its end (`\n` or `\r\n`), which the last line
    /// may lack. A byte order mark is skipped. After a line that is refused the next one can be asked for.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &str)>, LexiconError> {
        if self.cut {
            self.pass_over()?;
        }
        self.line += 1;
        let Some(length) = self.find_end()? else { return Ok(None) };
        let (start, offset) = (self.start, self.offset);
        let consumed = length + usize::from(start + length < self.end);
        self.cut = consumed == length && !self.finished;
        self.start += consumed;
        self.offset += consumed as u64;
        self.check(start, length, offset)?;
        let mut bytes = &self.buffer[start..start + length];
        if self.line == 1 {
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        // `check` has seen the whole line; taking marks off its ends keeps it valid.
        Ok(std::str::from_utf8(bytes).ok().map(|text| (self.line, text)))
    }

    /// The length of the line that begins at `start`, after reading as much as that takes.
    fn find_end(&mut self) -> Result<Option<usize>, LexiconError> {
        let mut searched = 0;
        loop {
            let unread = &self.buffer[self.start..self.end];
            if let Some(found) = memchr::memchr(b'\n', &unread[searched..]) {
                return Ok(Some(searched + found));
            }
            searched = unread.len();
            if self.finished {
                return Ok((searched > 0).then_some(searched));
            }
            if searched > MAX_LINE {
                return Ok(Some(searched));
            }
            self.fill()?;
        }
    }

    /// Goes to the end of a line that was refused for its length.
    fn pass_over(&mut self) -> Result<(), LexiconError> {
        let mut passed = 0;
        loop {
            let unread = &self.buffer[self.start..self.end];
            let found = memchr::memchr(b'\n', unread);
            let count = found.map_or(unread.len(), |found| found + 1);
            self.start += count;
            self.offset += count as u64;
            passed += count;
            self.cut = found.is_none() && !self.finished;
            if !self.cut {
                return Ok(());
            }
            if passed > MAX_PASSED {
                return Err(LexiconError::EndlessLine { place: self.place() });
            }
            self.fill()?;
        }
    }

    /// Whole lines of the beginning, with their numbers and without their ends, for a look before the first is read. What is no text is
    /// left out: it is told where it is read.
    pub(crate) fn beginning(&mut self) -> Result<Vec<(u64, String)>, LexiconError> {
        if self.end == 0 && !self.finished {
            self.input.guess_encoding(BUFFER)?;
            self.fill()?;
            if self.end < BUFFER {
                self.fill()?;
            }
        }
        let bytes = &self.buffer[self.start..self.end];
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let whole =
            if self.finished { bytes.len() } else { memchr::memrchr(b'\n', bytes).unwrap_or(bytes.len()) };
        let lines = (1..).zip(bytes[..whole].split(|byte| *byte == b'\n'));
        let text = |(number, line): (u64, &[u8])| Some((number, std::str::from_utf8(line).ok()?.to_owned()));
        Ok(lines.filter_map(text).collect())
    }

    /// How the text is written.
    pub(crate) fn encoding(&self) -> Encoding {
        self.input.encoding()
    }

    fn fill(&mut self) -> Result<(), LexiconError> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        let count = self.input.read(&mut self.buffer[self.end..], self.line)?;
        self.finished = count == 0;
        self.end += count;
        Ok(())
    }

    fn check(&self, start: usize, length: usize, offset: u64) -> Result<(), LexiconError> {
        let bytes = &self.buffer[start..start + length];
        if let Some(found) = memchr::memchr(0, bytes) {
            return Err(LexiconError::Binary { place: self.place(), offset: offset + found as u64 });
        }
        if length > MAX_LINE {
            return Err(LexiconError::LineTooLong { place: self.place() });
        }
        std::str::from_utf8(bytes).map(|_| ()).map_err(|error| LexiconError::InvalidUtf8 {
            place: self.place(),
            offset: offset + error.valid_up_to() as u64,
        })
    }

    fn place(&self) -> Place {
        Place { name: self.input.name().to_string(), line: self.line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::{Cursor, Read};

    fn collect(bytes: Vec<u8>) -> Result<Vec<String>, LexiconError> {
        let mut lines = Lines::new(Input::from_reader("test", Cursor::new(bytes))?);
        let mut all = Vec::new();
        while let Some((_, line)) = lines.next()? {
            all.push(line.to_string());
        }
        Ok(all)
    }

    #[test]
    fn every_line_ending_and_none() {
        assert_eq!(collect(b"\xef\xbb\xbfa\r\n\nb\nc".to_vec()).unwrap(), ["a", "", "b", "c"]);
        assert_eq!(collect(b"".to_vec()).unwrap(), [""; 0]);
        assert_eq!(collect(b"\n".to_vec()).unwrap(), [""]);
    }

    #[test]
    fn the_limit_is_exact() {
        let line = "x".repeat(MAX_LINE);
        assert_eq!(collect(format!("a\n{line}\nb").into_bytes()).unwrap().len(), 3);
        let error = collect(format!("a\n{line}x\nb").into_bytes()).unwrap_err();
        assert!(matches!(error, LexiconError::LineTooLong { place: Place { line: 2, .. } }), "{error}");
    }

    #[test]
    fn an_endless_line_is_refused_without_reading_it() {
        let input = Input::from_reader("test", std::io::repeat(b'x').take(1 << 40)).unwrap();
        let error = Lines::new(input).next().unwrap_err();
        assert!(matches!(error, LexiconError::LineTooLong { place: Place { line: 1, .. } }));
    }

    #[test]
    fn lines_after_a_refused_one_can_be_read() {
        let long = "x".repeat(5 * MAX_LINE);
        let text = [long.as_bytes(), b"\na\n\xff\n", long.as_bytes(), b"\n\0\nb"].concat();
        let mut lines = Lines::new(Input::from_reader("test", Cursor::new(text)).unwrap());
        let mut found = Vec::new();
        loop {
            match lines.next() {
                Ok(Some((number, line))) => found.push(format!("{number} {line}")),
                Ok(None) => break,
                Err(error) => found.push(error.to_string().chars().take(12).collect()),
            }
        }
        assert_eq!(found, ["test, line 1", "2 a", "test, line 3", "test, line 4", "test, line 5", "6 b"]);
        let input = Input::from_reader("test", std::io::repeat(b'x').take(1 << 40)).unwrap();
        let mut lines = Lines::new(input);
        assert!(matches!(lines.next(), Err(LexiconError::LineTooLong { .. })));
        assert!(matches!(lines.next(), Err(LexiconError::EndlessLine { .. })));
    }

    #[test]
    fn wrong_bytes_are_placed() {
        let error = collect(b"wug\nw\xfcg\n".to_vec()).unwrap_err();
        assert!(
            matches!(error, LexiconError::InvalidUtf8 { place: Place { line: 2, .. }, offset: 5 }),
            "{error}"
        );
        let error = collect(b"wug\nok\nw\0g\n".to_vec()).unwrap_err();
        assert!(matches!(error, LexiconError::Binary { place: Place { line: 3, .. }, offset: 8 }), "{error}");
    }

    proptest! {
        #[test]
        fn lines_are_those_of_the_standard_library(text in "([a-zé,\\t]{0,40}\n?){0,60}", copies in 1usize..200) {
            let text = text.repeat(copies);
            let expected: Vec<&str> = text.lines().collect();
            prop_assert_eq!(collect(text.clone().into_bytes()).unwrap(), expected);
        }
    }
}
