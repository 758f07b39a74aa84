//! The command line as a whole.

use clap::{Parser, Subcommand};

use crate::commands::{
    between, check, completions, count, eval, languages, lexicon, man, match_list, name, ngram, noise,
    sample, score, train,
};
use crate::messages::Messages;

/// Words from white noise: train, sample, score and measure a deep state space model of words.
#[derive(Debug, Parser)]
#[command(name = "wug", version, arg_required_else_help = true, subcommand_value_name = "COMMAND")]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{MANNERS}"))]
pub(crate) struct Cli {
    /// Print only errors on standard error
    #[arg(short, long, global = true, display_order = LAST)]
    quiet: bool,
    /// Print more on standard error: files read, settings in effect, time taken
    #[arg(short, long, global = true, display_order = LAST)]
    verbose: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Where options that all commands have stand in their help: after the command's own.
const LAST: usize = 900;

const EXAMPLES: &str = "Examples:
  wug sample                       words from the bundled English model
  wug score blick bnick            how word-like are these?
  wug train names.txt -o names     a model of your own words
  wug sample -m names --novel      words that the list does not have";

/// What is true of all commands.
const MANNERS: &str = "Exit status:
  0    done
  1    failed, or stopped by Ctrl-C
  2    wrong usage
  3    done in part: some words could not be made, some lines were left out
  130  ended by Ctrl-C; `train` and `reproduce` by a second one

Environment:
  NO_COLOR        no colours, if it is set and not empty
  CLICOLOR        no colours, if it is 0
  CLICOLOR_FORCE  colours even where there is no terminal, if it is set and not empty
  TERM            neither colours nor progress bars, if it is dumb

Files:
  runs/NAME-N             folders of `wug train`, unless -o is given
  runs/reproduce-PROFILE  folders of `wug reproduce`, unless -o is given";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Between(between::Arguments),
    Check(check::Arguments),
    Completions(completions::Arguments),
    Count(count::Arguments),
    Eval(eval::Arguments),
    Languages(languages::Arguments),
    Lexicon(lexicon::Arguments),
    Man(man::Arguments),
    Match(match_list::Arguments),
    Name(name::Arguments),
    Ngram(ngram::Arguments),
    Noise(noise::Arguments),
    #[cfg(feature = "reproduce")]
    Reproduce(crate::commands::reproduce::Arguments),
    Sample(sample::Arguments),
    Score(score::Arguments),
    Train(train::Arguments),
}

impl Cli {
    /// How much is said on standard error. clap does not see the conflict if one option stands before the command and the other
    /// after it.
    pub(crate) fn messages(&self) -> Result<Messages, UsageError> {
        match (self.quiet, self.verbose) {
            (true, true) => Err(UsageError("--quiet cannot be used with --verbose".into())),
            (true, false) => Ok(Messages::Quiet),
            (false, true) => Ok(Messages::Verbose),
            (false, false) => Ok(Messages::Normal),
        }
    }
}

/// Options that do not go together. Like clap's own complaints it ends the command with code 2.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// The work is done in part only, or cannot be done: code 3.
#[derive(Debug)]
pub(crate) struct Partial(pub(crate) String);

impl std::fmt::Display for Partial {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Partial {}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_are_consistent() {
        Cli::command().debug_assert();
    }

    /// An option after a flattened group of options would stand under the group's heading.
    #[test]
    fn common_options_stand_under_no_special_heading() {
        for command in Cli::command().get_subcommands() {
            for option in command.get_arguments() {
                let common = ["model", "seed", "threads", "format", "shard", "explain", "output", "input"];
                if common.contains(&option.get_id().as_str()) || option.is_positional() {
                    assert_eq!(option.get_help_heading(), None, "{}: {option}", command.get_name());
                }
            }
        }
    }
}
