//! The command against those who wish it ill: absurd arguments, files from strangers, a system that refuses.
#![cfg(target_os = "linux")]

mod arguments;
mod limits;
mod run;
mod stranger;
