//! The manners of the command: completions, manual pages, colours, how much it says.

mod colours;
mod common;
mod completions;
mod library;
mod man;
mod messages;
mod suggestions;
