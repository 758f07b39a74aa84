//! `wug reproduce`, through the real command, on a short list and with tiny models.

mod common;
mod kills;
mod mistakes;
mod parts;
mod whole;
