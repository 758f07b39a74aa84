//! `wug completions`: what a shell needs to complete commands and options.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::output;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  wug completions bash > ~/.local/share/bash-completion/completions/wug
  wug completions zsh > ~/.zfunc/_wug              with ~/.zfunc in fpath
  wug completions fish > ~/.config/fish/completions/wug.fish")]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "wug", &mut script);
    output::print(|writer| writer.write_all(&script))
}
