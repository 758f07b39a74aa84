//! Which instruction set the kernels run on.

use std::sync::OnceLock;

use super::plain::Plain;
use super::{Task, start};

/// An instruction set that this processor has and kernels were compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Path(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Wasm,
    Plain,
}

/// The environment variable asks for a path that is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable} is \"{found}\", but this program on this processor can use: {}", .available.join(", "), variable = Path::VARIABLE)]
pub struct PathError {
    /// What the variable says.
    pub found: String,
    /// What it may say here.
    pub available: Vec<&'static str>,
}

impl Path {
    /// The environment variable that forces a path, for tests and measurements: `avx512`, `avx2`, `neon`, `wasm` or
    /// `plain`.
    pub const VARIABLE: &'static str = "WUG_SIMD";

    /// All paths that can run here, the fastest first.
    pub fn available() -> Vec<Path> {
        let mut paths = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if super::x86::Avx512::is_available() {
                paths.push(Path(Kind::Avx512));
            }
            if super::x86::Avx2::is_available() {
                paths.push(Path(Kind::Avx2));
            }
        }
        #[cfg(target_arch = "aarch64")]
        paths.push(Path(Kind::Neon));
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        paths.push(Path(Kind::Wasm));
        paths.push(Path(Kind::Plain));
        paths
    }

    /// The path that everything runs on unless told otherwise: what [`Path::VARIABLE`] says, else the fastest. It is
    /// chosen once. A variable that names no path is ignored here; programs report it with
    /// [`Path::from_environment`].
    pub fn current() -> Path {
        static CURRENT: OnceLock<Path> = OnceLock::new();
        *CURRENT.get_or_init(|| Self::from_environment().unwrap_or_else(|_| Self::fastest()))
    }

    /// The path that [`Path::VARIABLE`] names; the fastest without one.
    ///
    /// # Errors
    /// It names none that can run here.
    pub fn from_environment() -> Result<Path, PathError> {
        match std::env::var_os(Self::VARIABLE) {
            Some(name) if !name.is_empty() => Self::named(&name.to_string_lossy()),
            _ => Ok(Self::fastest()),
        }
    }

    /// The path of this name.
    ///
    /// # Errors
    /// There is none that can run here.
    pub fn named(name: &str) -> Result<Path, PathError> {
        let paths = Self::available();
        paths.iter().copied().find(|path| path.name() == name).ok_or_else(|| PathError {
            found: name.to_owned(),
            available: paths.into_iter().map(Path::name).collect(),
        })
    }

    fn fastest() -> Path {
        Self::available()[0]
    }

    /// Its name, as in [`Path::VARIABLE`].
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Wasm => "wasm",
            Kind::Plain => "plain",
        }
    }

    /// Whether multiplication and addition are fused: all paths that do give the same bits, and so do all that do not.
    pub fn fuses(self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 | Kind::Avx2 => true,
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => true,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Wasm => false,
            Kind::Plain => false,
        }
    }

    /// Runs a task on this path.
    #[inline]
    pub fn run<K: Task<f32>>(self, task: K) -> K::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => start::<super::x86::Avx512, K>(task),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => start::<super::x86::Avx2, K>(task),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => start::<super::neon::Neon, K>(task),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kind::Wasm => start::<super::wasm::Wasm, K>(task),
            Kind::Plain => start::<Plain, K>(task),
        }
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
