//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that takes its name only when it is complete.
///
/// [`AtomicFile::create`] opens a temporary file beside the destination, so that a folder that is missing or
/// cannot be written is reported *before* the long work. [`AtomicFile::commit`] flushes, syncs and renames.
/// Without a commit the destination is left as it was and the temporary file is removed.
///
/// A destination that exists and is not a regular file (`/dev/null`, a pipe) is written directly: renaming
/// would replace the device itself.
///
/// ```
/// use std::io::Write;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("words.txt");
/// let mut file = wug::AtomicFile::create(&path)?;
/// writeln!(file, "wug")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "wug\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    target: Target,
}

#[derive(Debug)]
enum Target {
    Renamed { writer: BufWriter<NamedTempFile>, destination: PathBuf },
    Direct(BufWriter<File>),
}

impl AtomicFile {
    /// Opens a temporary file beside `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if found.is_file() => Self::beside(fs::canonicalize(path)?)?,
            Ok(_) => Target::Direct(BufWriter::new(File::options().write(true).open(path)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::beside(path.to_path_buf())?,
            Err(error) => return Err(error),
        };
        Ok(Self { target })
    }

    fn beside(destination: PathBuf) -> io::Result<Target> {
        let name = destination
            .file_name()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file"))?;
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(name);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".partial");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Temporary files are private by default; this one becomes an ordinary file, cut by the umask.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder_of(&destination))?;
        Ok(Target::Renamed { writer: BufWriter::new(file), destination })
    }

    /// Flushes and syncs what was written and gives it its name.
    pub fn commit(self) -> io::Result<()> {
        match self.target {
            Target::Direct(mut writer) => writer.flush(),
            Target::Renamed { writer, destination } => {
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(&destination).map_err(|error| error.error)?;
                sync_folder(folder_of(&destination))
            }
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The rename itself is durable only once the folder is on disk; only Unix lets a program ask for that.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Renamed { writer, .. } => writer.write(bytes),
            Target::Direct(writer) => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Renamed { writer, .. } => writer.flush(),
            Target::Direct(writer) => writer.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_commit_the_old_file_stays_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.tsv");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_and_a_folder_as_destination_are_reported_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let missing = AtomicFile::create(&folder.path().join("no/such/list.tsv")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let directory = AtomicFile::create(folder.path()).unwrap_err();
        assert_eq!(directory.kind(), io::ErrorKind::IsADirectory);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_stays_a_device() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let mut file = AtomicFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

        let mut null = AtomicFile::create(Path::new("/dev/null")).unwrap();
        null.write_all(b"gone").unwrap();
        null.commit().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
