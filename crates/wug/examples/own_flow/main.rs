//! A flow that the library does not have, defined outside of it, trained and sampled.
//!
//! ```sh
//! cargo run --release --example own_flow -p wug
//! ```
//!
//! A flow is two small things: what it keeps (networks), and what it is for a given state (a transform with both
//! directions and the logarithm of its Jacobian determinant). Everything else, bound, gradient, training, samples, is as
//! for the flows of the library.

mod nice;

use std::error::Error;
use std::ops::ControlFlow;

use nice::Nice;
use wug::Config;
use wug::lexicon::{Filter, bundled};
use wug::model::Model;
use wug::train::{Event, Training};

fn main() -> Result<(), Box<dyn Error>> {
    let words: u64 = std::env::args().nth(1).map_or(Ok(1_000_000), |words| words.parse())?;
    let (lexicon, _) = bundled()?.into_lexicon(&Filter::PAPER)?;
    let mut config = Config::default();
    config.train.words = words;
    let size = config.model.state;
    let symbols = lexicon.alphabet().symbol_count();
    let model = Model::with_transition(&config.model, symbols, "nice", |declare| {
        Box::new(Nice::new(declare, "generative.flow", size))
    })?;
    let threads = std::thread::available_parallelism()?.get();
    let mut training = Training::with_model(model, &config, &lexicon, threads)?;
    training.run(|_, event| {
        if let Event::Step(step) = event
            && let Some(report) = &step.report
        {
            println!("{:>9} words  bound {:.3} nats per word", report.words, report.bound);
        }
        ControlFlow::Continue(())
    })?;
    println!("{}", training.trained_model().sample(20, 1)?.join(" "));
    Ok(())
}
