//! Zstandard streams: one frame after the other, each with its checksum verified.

use std::error::Error;
use std::io::{self, BufReader, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The largest window of a frame, 128 MiB: as much as the `zstd` program grants without being asked. A frame takes
/// about this much memory at most, whatever its size.
const MAX_WINDOW: u64 = 1 << 27;

/// Decodes all frames of a source.
pub(super) struct Frames<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    /// Whether a frame has begun and its end has not been seen.
    within: bool,
}

impl<R: Read> Frames<R> {
    pub(super) fn new(source: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Self { source: BufReader::new(source), decoder, within: false }
    }

    /// Begins the next frame; false at the end of the source.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            let mut first = Vec::new();
            if (&mut self.source).take(1).read_to_end(&mut first)? == 0 {
                return Ok(false);
            }
            match self.decoder.init(first.chain(&mut self.source)) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    if io::copy(&mut (&mut self.source).take(length), &mut io::sink())? < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(explain(error)),
            }
        }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.within && !self.begin()? {
                return Ok(0);
            }
            self.within = true;
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(explain)?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let stated = self.decoder.get_checksum_from_data();
            if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum does not match"));
            }
            self.within = false;
        }
    }
}

/// The error of the source below an error of the decoder, if there is one.
fn explain(error: FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(found) = cause {
        if let Some(found) = found.downcast_ref::<io::Error>() {
            let code = found.raw_os_error().map(io::Error::from_raw_os_error);
            return code.unwrap_or_else(|| io::Error::new(found.kind(), found.to_string()));
        }
        cause = found.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    fn frame(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        Frames::new(bytes).take(1 << 20).read_to_end(&mut text).map(|_| text)
    }

    #[test]
    fn frames_follow_each_other_and_some_are_skipped() {
        let skipped = [&[0x55, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let bytes = [frame(b"wug "), skipped.clone(), frame(b""), frame(b"blick"), skipped].concat();
        assert_eq!(read(&bytes).unwrap(), b"wug blick");
        let error = read(&bytes[..bytes.len() - 1]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        assert!(read(&[frame(b"wug"), b"rest of a file".to_vec()].concat()).is_err());
    }

    #[test]
    fn a_checksum_that_does_not_match_is_an_error() {
        let mut bytes = frame(b"wug");
        *bytes.last_mut().unwrap() ^= 1;
        assert!(read(&bytes).unwrap_err().to_string().contains("checksum"));
    }

    /// A header of a few bytes that asks for 256 MiB or more is refused before any memory is taken.
    #[test]
    fn a_window_beyond_the_limit_is_refused() {
        let window = |exponent: u8| [0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3, 1, 0, 0];
        assert_eq!(read(&window(17)).unwrap(), b"");
        for exponent in [18, 31] {
            let error = read(&window(exponent)).unwrap_err();
            assert!(error.to_string().contains("window"), "{error}");
        }
    }

    /// Some bits of a frame have no meaning.
    #[test]
    fn damage_is_an_error_or_changes_nothing() {
        let text: Vec<u8> = (0..3000u32).flat_map(|i| format!("{}\n", i * i % 7919).into_bytes()).collect();
        let whole = frame(&text);
        for at in (0..whole.len()).step_by(7).chain(0..40) {
            for change in [0x01, 0x80, 0xff] {
                let mut damaged = whole.clone();
                damaged[at] ^= change;
                assert!(read(&damaged).map_or(true, |found| found == text), "byte {at}");
            }
        }
    }
}
