//! Chunks of text that end at white space.

use super::super::error::{LexiconError, Place};
use super::super::input::Input;

/// The size of a chunk, and the longest run of text without white space.
pub(crate) const CHUNK: usize = 1 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A piece of one input with its place.
#[derive(Default)]
pub(crate) struct Chunk {
    /// Chunks are numbered in the order of the text.
    pub(crate) number: u64,
    bytes: Vec<u8>,
    name: String,
    line: u64,
    offset: u64,
}

impl Chunk {
    /// The text, if it is one.
    pub(crate) fn text(&self) -> Result<&str, LexiconError> {
        self.check_binary()?;
        std::str::from_utf8(&self.bytes).map_err(|error| {
            let (place, offset) = self.place(error.valid_up_to());
            LexiconError::InvalidUtf8 { place, offset }
        })
    }

    fn check_binary(&self) -> Result<(), LexiconError> {
        match memchr::memchr(0, &self.bytes) {
            Some(index) => {
                let (place, offset) = self.place(index);
                Err(LexiconError::Binary { place, offset })
            }
            None => Ok(()),
        }
    }

    fn place(&self, index: usize) -> (Place, u64) {
        let line = self.line + newlines(&self.bytes[..index]);
        (Place { name: self.name.clone(), line }, self.offset + index as u64)
    }
}

/// Cuts inputs, one after the other, into chunks.
pub(crate) struct Chunks<'a, I> {
    inputs: I,
    current: Option<Input>,
    /// What was read after the last white space.
    rest: Vec<u8>,
    number: u64,
    line: u64,
    offset: u64,
    finished_bytes: u64,
    stopped: bool,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl<'a, I: Iterator<Item = Result<Input, LexiconError>>> Chunks<'a, I> {
    pub(crate) fn new(inputs: I, progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self {
            inputs,
            current: None,
            rest: Vec::new(),
            number: 0,
            line: 1,
            offset: 0,
            finished_bytes: 0,
            stopped: false,
            progress,
        }
    }

    /// Fills `chunk` with the next piece; false at the end of the last input.
    pub(crate) fn next(&mut self, chunk: &mut Chunk) -> Result<bool, LexiconError> {
        chunk.number = self.number;
        self.number += 1;
        while !self.stopped {
            let Some(input) = &mut self.current else {
                let Some(input) = self.inputs.next() else { return Ok(false) };
                self.current = Some(input?);
                (self.line, self.offset) = (1, 0);
                continue;
            };
            let kept = self.rest.len();
            chunk.bytes.resize(CHUNK, 0);
            chunk.bytes[..kept].copy_from_slice(&self.rest);
            self.rest.clear();
            let length = kept + input.read(&mut chunk.bytes[kept..], self.line)?;
            chunk.bytes.truncate(length);
            (self.progress)(self.finished_bytes + input.consumed());
            chunk.name.clear();
            chunk.name.push_str(input.name());
            (chunk.line, chunk.offset) = (self.line, self.offset);
            if length < CHUNK {
                self.finished_bytes += input.consumed();
                self.current = None;
            } else {
                let Some(space) = chunk.bytes.iter().rposition(u8::is_ascii_whitespace) else {
                    chunk.check_binary()?;
                    let (place, offset) = chunk.place(0);
                    return Err(LexiconError::NoWhiteSpace { place, offset, limit: CHUNK });
                };
                self.rest.extend_from_slice(&chunk.bytes[space + 1..]);
                chunk.bytes.truncate(space + 1);
            }
            self.line += newlines(&chunk.bytes);
            if self.offset == 0 && chunk.bytes.starts_with(BYTE_ORDER_MARK) {
                chunk.bytes[..BYTE_ORDER_MARK.len()].fill(b' ');
            }
            self.offset += chunk.bytes.len() as u64;
            if !chunk.bytes.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Hands out no more chunks.
    pub(crate) fn stop(&mut self) {
        self.stopped = true;
    }
}

fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Read};

    fn chunks(text: Vec<u8>) -> Vec<Vec<u8>> {
        let input = Input::from_reader("text", Cursor::new(text));
        let mut chunks = Chunks::new([input].into_iter(), &|_| ());
        let mut chunk = Chunk::default();
        std::iter::from_fn(|| chunks.next(&mut chunk).unwrap().then(|| chunk.bytes.clone())).collect()
    }

    #[test]
    fn chunks_end_at_white_space_and_lose_nothing() {
        for size in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7] {
            let text: Vec<u8> = (0..size).map(|index| if index % 1009 == 17 { b' ' } else { b'x' }).collect();
            let chunks = chunks(text.clone());
            assert_eq!(chunks.concat(), text);
            let (_, whole) = chunks.split_last().map_or((None, &[][..]), |(last, rest)| (Some(last), rest));
            assert!(whole.iter().all(|chunk| chunk.ends_with(b" ") && chunk.len() > CHUNK - 1009));
        }
    }

    #[test]
    fn runs_without_white_space_are_refused_at_the_limit_and_not_before() {
        let mut text = b"ab ".to_vec();
        text.extend(vec![b'x'; CHUNK - 1]);
        text.extend(b" cd");
        assert_eq!(chunks(text.clone()).concat(), text);

        let endless = Cursor::new(b"ab\nc ".to_vec()).chain(std::io::repeat(b'x').take(1 << 40));
        let mut chunks = Chunks::new([Input::from_reader("text", endless)].into_iter(), &|_| ());
        let mut chunk = Chunk::default();
        assert!(chunks.next(&mut chunk).unwrap());
        let error = chunks.next(&mut chunk).unwrap_err();
        assert!(
            matches!(error, LexiconError::NoWhiteSpace { place: Place { line: 2, .. }, offset: 5, .. }),
            "{error}"
        );
    }

    #[test]
    fn an_endless_binary_file_is_refused_at_once() {
        let input = Input::from_reader("text", std::io::repeat(0).take(1 << 40));
        let error = Chunks::new([input].into_iter(), &|_| ()).next(&mut Chunk::default()).unwrap_err();
        assert!(matches!(error, LexiconError::Binary { offset: 0, .. }), "{error}");
    }
}
