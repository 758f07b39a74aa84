//! Reading files whole, but no more of them than makes sense.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The content of a file of at most `most` bytes. More than one byte beyond that is never read, however large the file
/// is or pretends to be.
///
/// # Errors
/// When the file cannot be read, or has more bytes.
pub fn read_bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_after(path, most, |_| Ok(()))
}

/// How many bytes are looked at first.
const START: u64 = 8;

/// The same if the first bytes look right: a device without end is not read up to the limit first.
pub(crate) fn read_after(
    path: &Path,
    most: u64,
    check: impl FnOnce(&[u8]) -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let too_large = || {
        let reason = format!("it has more than {most} bytes, so it is something else");
        io::Error::new(io::ErrorKind::FileTooLarge, reason)
    };
    // A special file may not tell its length.
    if file.metadata()?.len() > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    (&mut file).take(START).read_to_end(&mut bytes)?;
    check(&bytes)?;
    file.take((most + 1).saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// The same for text.
///
/// # Errors
/// When the file cannot be read, has more bytes, or is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_bounded(path, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_exact() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("five");
        std::fs::write(&path, "wüg!").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "wüg!");
        assert_eq!(read_bounded(&path, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        std::fs::write(&path, [0xff]).unwrap();
        assert_eq!(read_text(&path, 5).unwrap_err().to_string(), "it is not UTF-8 text");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_refused() {
        let error = read_bounded(Path::new("/dev/zero"), 1000).unwrap_err();
        assert!(error.to_string().contains("more than 1000 bytes"), "{error}");
    }
}
