//! Where bytes come from: a file or standard input, plain or compressed. The format is told by the first
//! bytes, never by the name.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::encoding::{Decoded, Encoding};
use super::error::{LexiconError, Place};

/// How an input is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Not at all.
    Plain,
    /// gzip, one or more members.
    Gzip,
    /// Zstandard, one or more frames.
    Zstd,
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Format::Plain => "plain",
            Format::Gzip => "gzip",
            Format::Zstd => "zstd",
        })
    }
}

/// A stream of uncompressed bytes with the name that errors call it by.
pub struct Input {
    name: String,
    format: Format,
    encoding: Encoding,
    reader: Box<dyn Read + Send>,
    size: Option<u64>,
    consumed: Arc<AtomicU64>,
}

impl fmt::Debug for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Input").field("name", &self.name).field("format", &self.format).finish()
    }
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub fn open(path: &Path) -> Result<Self, LexiconError> {
        if path.as_os_str() == "-" {
            return Self::from_reader("standard input", io::stdin());
        }
        let name = path.display().to_string();
        let open = |source| LexiconError::Open { name: name.clone(), source };
        let file = File::open(path).map_err(open)?;
        let metadata = file.metadata().map_err(open)?;
        if metadata.is_dir() {
            return Err(LexiconError::Directory { name });
        }
        let size = metadata.is_file().then_some(metadata.len());
        Ok(Self { size, ..Self::from_reader(name, file)? })
    }

    /// Takes the bytes of any reader. `name` stands in errors.
    pub fn from_reader(
        name: impl Into<String>,
        reader: impl Read + Send + 'static,
    ) -> Result<Self, LexiconError> {
        let name = name.into();
        let consumed = Arc::new(AtomicU64::new(0));
        let mut counted = CountingReader { reader, consumed: Arc::clone(&consumed) };
        let mut magic = Vec::new();
        (&mut counted)
            .take(10)
            .read_to_end(&mut magic)
            .map_err(|source| LexiconError::Read { place: Place { name: name.clone(), line: 1 }, source })?;
        if let Some((found, remedy)) = unsupported(&magic) {
            return Err(LexiconError::Unsupported { name, found, remedy });
        }
        let format = match magic.as_slice() {
            [0x1f, 0x8b, ..] => Format::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Format::Zstd,
            _ => Format::Plain,
        };
        let encoding = Encoding::marked(&magic).unwrap_or_default();
        let whole = Cursor::new(magic).chain(counted);
        let reader: Box<dyn Read + Send> = match format {
            Format::Plain if encoding != Encoding::Utf8 => Box::new(Decoded::new(whole, encoding)),
            Format::Plain => Box::new(whole),
            Format::Gzip => Box::new(flate2::read::MultiGzDecoder::new(whole)),
            #[cfg(feature = "compression")]
            Format::Zstd => Box::new(super::zstd::Frames::new(whole)),
            #[cfg(not(feature = "compression"))]
            Format::Zstd => return Err(LexiconError::Compressed { name, format }),
        };
        Ok(Self { name, format, encoding, reader, size: None, consumed })
    }

    /// The name that errors call it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How its characters are written; they are read as UTF-8 in any case.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Looks at the beginning, up to `size` bytes, and decodes all if it looks like Windows-1252.
    pub(crate) fn guess_encoding(&mut self, size: usize) -> Result<(), LexiconError> {
        let mut beginning = vec![0; size];
        let count = self.read(&mut beginning, 1)?;
        beginning.truncate(count);
        let is_windows = self.encoding == Encoding::Utf8 && Encoding::looks_like_windows(&beginning);
        let mut rest: Box<dyn Read + Send> = Box::new(io::empty());
        if count == size {
            std::mem::swap(&mut rest, &mut self.reader);
        }
        let whole = Cursor::new(beginning).chain(rest);
        self.reader = if is_windows {
            self.encoding = Encoding::Windows1252;
            Box::new(Decoded::new(whole, self.encoding))
        } else {
            Box::new(whole)
        };
        Ok(())
    }

    /// The size of the file, before decompression; none for pipes.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The bytes taken from the file so far, before decompression.
    pub(crate) fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    /// Fills the buffer as far as there are bytes. `line` is where an error is placed.
    pub(crate) fn read(&mut self, buffer: &mut [u8], line: u64) -> Result<usize, LexiconError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.explain(error, line)),
            }
        }
        Ok(filled)
    }

    fn explain(&self, source: io::Error, line: u64) -> LexiconError {
        let place = Place { name: self.name.clone(), line };
        // Errors of the system carry its number; errors of the decoders do not.
        match (self.format, source.kind()) {
            _ if source.raw_os_error().is_some() => LexiconError::Read { place, source },
            (Format::Plain, _) => LexiconError::Read { place, source },
            (format, io::ErrorKind::UnexpectedEof) => LexiconError::Truncated { place, format },
            (format, _) => LexiconError::Damaged { place, format, source },
        }
    }
}

/// Formats that are easily mistaken for a list or a text, with what to do about them.
fn unsupported(magic: &[u8]) -> Option<(&'static str, &'static str)> {
    match magic {
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(("xz data", "unpack it with `xz -d` first")),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59] => {
            Some(("bzip2 data", "unpack it with `bzip2 -d` first"))
        }
        [b'P', b'K', 3, 4, ..] => {
            Some(("a zip archive or an office document", "unpack it, or save the words as plain text, first"))
        }
        [0xd0, 0xcf, 0x11, 0xe0, ..] | [b'{', b'\\', b'r', b't', b'f', ..] => {
            Some(("an office document", "save the words as plain text first"))
        }
        [0x89, b'P', b'N', b'G', ..] | [0xff, 0xd8, 0xff, ..] | [b'G', b'I', b'F', b'8', ..] => {
            Some(("a picture", "give a list of words"))
        }
        [b'%', b'P', b'D', b'F', ..] => {
            Some(("a PDF document", "extract its text first, with `pdftotext` say"))
        }
        [_, _, _, _, 0, 0, 0, 0, b'{', ..] => {
            Some(("a safetensors file", "it may be a model; give a list of words"))
        }
        _ => None,
    }
}

struct CountingReader<R> {
    reader: R,
    consumed: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.consumed.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    fn read_all(bytes: Vec<u8>) -> Result<Vec<u8>, LexiconError> {
        let mut input = Input::from_reader("test", Cursor::new(bytes))?;
        let mut text = vec![0; 1 << 20];
        let count = input.read(&mut text, 1)?;
        text.truncate(count);
        Ok(text)
    }

    fn text() -> Vec<u8> {
        (0..5000u32).flat_map(|number| format!("word{number}\n").into_bytes()).collect()
    }

    #[test]
    fn the_first_bytes_tell_the_format() {
        for bytes in [text(), gzip(&text()), zstd(&text())] {
            assert_eq!(read_all(bytes).unwrap(), text());
        }
        for short in [&b""[..], b"a", b"\x1f"] {
            assert_eq!(read_all(short.to_vec()).unwrap(), short);
        }
    }

    #[test]
    fn parts_of_a_compressed_file_are_read_one_after_the_other() {
        let twice = [text(), text()].concat();
        assert_eq!(read_all([gzip(&text()), gzip(&text())].concat()).unwrap(), twice);
        assert_eq!(read_all([zstd(&text()), zstd(&text())].concat()).unwrap(), twice);
    }

    #[test]
    fn cut_and_damaged_data_are_told_apart() {
        for whole in [gzip(&text()), zstd(&text())] {
            for length in [8, whole.len() / 2, whole.len() - 1] {
                let result = read_all(whole[..length].to_vec()).map(|text| text.len());
                assert!(matches!(result, Err(LexiconError::Truncated { .. })), "{length}: {result:?}");
            }
            let mut damaged = whole.clone();
            let middle = damaged.len() / 2;
            damaged[middle..middle + 8].fill(0xa5);
            let result = read_all(damaged).map(|text| text.len());
            assert!(matches!(result, Err(LexiconError::Damaged { .. })), "{result:?}");
        }
    }

    #[test]
    fn other_formats_are_named() {
        for (bytes, name) in [
            (&b"\xfd7zXZ\0rest"[..], "xz"),
            (b"BZh91AY&SY", "bzip2"),
            (b"PK\x03\x04....", "zip"),
            (b"\x89PNG\r\n\x1a\n", "a picture"),
            (b"\xff\xd8\xff\xe0..", "a picture"),
            (b"%PDF-1.7", "a PDF"),
            (b"\xd0\xcf\x11\xe0....", "office"),
            (b"\x40\x01\0\0\0\0\0\0{\"a", "safetensors"),
        ] {
            let error = read_all(bytes.to_vec()).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}
