//! Text that is not UTF-8: UTF-16, which its first two bytes tell, and Windows-1252, which is guessed and said.

use std::io::{self, Read};

/// How the characters of an input are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    #[default]
    Utf8,
    Utf16Little,
    Utf16Big,
    Windows1252,
}

/// The characters of the bytes 0x80 to 0x9f; the five that have none stand for themselves.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

impl Encoding {
    /// The encoding that a byte order mark tells, if it is none of UTF-8.
    pub(crate) fn marked(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xfe, ..] => Some(Self::Utf16Little),
            [0xfe, 0xff, ..] => Some(Self::Utf16Big),
            _ => None,
        }
    }

    /// Its name, unless it is the usual one.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::Utf8 => None,
            Self::Utf16Little | Self::Utf16Big => Some("UTF-16"),
            Self::Windows1252 => Some("Windows-1252"),
        }
    }

    /// Whether the beginning of a text looks like Windows-1252 or Latin-1: nothing in it is more than one byte of UTF-8, and all that
    /// is not ASCII would be letters of western European languages, quotation marks or dashes.
    pub(crate) fn looks_like_windows(beginning: &[u8]) -> bool {
        let is_usual = |byte: u8| match byte {
            0xd7 | 0xf7 | 0xff => false,
            0xc0.. => true,
            0x80..0xc0 => {
                matches!(
                    byte,
                    0x8a | 0x8c | 0x8e | 0x9a | 0x9c | 0x9e | 0x9f | 0x91..=0x97 | 0x85 | 0xa0 | 0xab | 0xbb
                )
            }
            _ => byte >= b' ' || b"\t\r\n".contains(&byte),
        };
        // A character that the end cuts is no wrong one.
        let is_wrong = std::str::from_utf8(beginning).is_err_and(|error| error.error_len().is_some());
        is_wrong
            && beginning.utf8_chunks().all(|chunk| chunk.valid().is_ascii())
            && beginning.iter().copied().all(is_usual)
    }
}

/// Turns an encoding into UTF-8; what is damaged becomes U+FFFD.
pub(crate) struct Decoded<R> {
    reader: R,
    encoding: Encoding,
    /// Bytes that are not a whole character yet.
    left: Vec<u8>,
    ready: String,
    /// What was given of `ready`.
    given: usize,
}

impl<R: Read> Decoded<R> {
    pub(crate) fn new(reader: R, encoding: Encoding) -> Self {
        Self { reader, encoding, left: Vec::new(), ready: String::new(), given: 0 }
    }

    fn fill(&mut self) -> io::Result<()> {
        let mut bytes = [0; 8192];
        let count = self.reader.read(&mut bytes)?;
        self.left.extend_from_slice(&bytes[..count]);
        self.ready.clear();
        self.given = 0;
        if self.encoding == Encoding::Windows1252 {
            let sign = |byte: u8| match byte {
                0x80..0xa0 => WINDOWS.chars().nth(usize::from(byte) - 0x80).unwrap_or('\u{fffd}'),
                _ => char::from(byte),
            };
            self.ready.extend(self.left.drain(..).map(sign));
            return Ok(());
        }
        let order = if self.encoding == Encoding::Utf16Big { u16::from_be_bytes } else { u16::from_le_bytes };
        let mut whole = self.left.len() / 2 * 2;
        let high = |pair: &[u8]| matches!(order([pair[0], pair[1]]), 0xd800..0xdc00);
        if count > 0 && whole > 0 && high(&self.left[whole - 2..whole]) {
            whole -= 2;
        }
        let units: Vec<u16> =
            self.left[..whole].chunks_exact(2).map(|pair| order([pair[0], pair[1]])).collect();
        self.ready.extend(char::decode_utf16(units).map(|sign| sign.unwrap_or('\u{fffd}')));
        self.left.drain(..whole);
        if count == 0 && !self.left.is_empty() {
            self.left.clear();
            self.ready.push('\u{fffd}');
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A few bytes may be no whole character; nothing is left at the end.
        let mut tries = 0;
        while self.given == self.ready.len() && tries < 4 {
            self.fill()?;
            tries += 1;
        }
        let count = (&self.ready.as_bytes()[self.given..]).read(buffer)?;
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// Gives one byte at a time.
    struct Slow(Cursor<Vec<u8>>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(1);
            self.0.read(&mut buffer[..most])
        }
    }

    fn decoded(bytes: &[u8], encoding: Encoding) -> String {
        let (mut whole, mut slow) = (String::new(), String::new());
        Decoded::new(bytes, encoding).read_to_string(&mut whole).unwrap();
        Decoded::new(Slow(Cursor::new(bytes.to_vec())), encoding).read_to_string(&mut slow).unwrap();
        assert_eq!(whole, slow);
        whole
    }

    #[test]
    fn every_encoding_becomes_text() {
        let text = "\u{feff}Zoë 𝄞 wug\n";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(Encoding::marked(&little), Some(Encoding::Utf16Little));
        assert_eq!(decoded(&little, Encoding::Utf16Little), text);
        assert_eq!(decoded(&big, Encoding::Utf16Big), text);
        assert_eq!(
            decoded(&little[..little.len() - 1], Encoding::Utf16Little).chars().last(),
            Some('\u{fffd}')
        );
        assert_eq!(decoded(b"\x00\xd8a\0", Encoding::Utf16Little), "\u{fffd}a");
        assert_eq!(decoded(b"M\xfcller \x93na\xefve\x94\x80", Encoding::Windows1252), "Müller “naïve”€");
    }

    #[test]
    fn windows_is_told_from_damage() {
        let looks = |bytes: &[u8]| Encoding::looks_like_windows(bytes);
        assert!(looks(b"M\xfcller\nGr\xf6\xdfe\n"));
        assert!(!looks("Müller\nGröße\n".as_bytes()));
        assert!(!looks("Mü".as_bytes().split_last().unwrap().1));
        assert!(!looks(
            "Müller\nGr\n".as_bytes().iter().copied().chain([0xf6, b'\n']).collect::<Vec<_>>().as_slice()
        ));
        for bytes in [&b"a\n\xff\n"[..], b"\xfc\0", b"w\xfcg\x1b", b"plain"] {
            assert!(!looks(bytes), "{bytes:?}");
        }
    }
}
