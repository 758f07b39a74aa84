//! The `wug` command.

fn main() {}
