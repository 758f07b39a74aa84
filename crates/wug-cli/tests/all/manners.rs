//! The manners of the command: completions, manual pages, colours, how much it says.

mod colours;
mod completions;
mod help;
mod library;
mod man;
mod messages;
mod suggestions;
