//! The library as a WebAssembly module for the page.
//!
//! A request is JSON, with bytes beside it where there is a file; so is the answer. [`Session::answer`] does all of it and runs
//! anywhere, tests included; `abi` is the thin door to JavaScript. A call blocks its Worker until it is done and tells of
//! results on the way through one imported function. Whoever waits no longer ends the Worker, which ends anything.
//!
//! There is no mathematics here: requests become calls of `wug`, and what they return becomes JSON.

#[cfg(target_arch = "wasm32")]
mod abi;
mod answer;
mod matching;
mod models;
mod noise;
mod score;
mod session;
mod train;
mod words;

pub use answer::{Answer, Failure};
pub use session::{Request, Session};
