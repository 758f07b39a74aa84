//! A flow that the library does not have, defined outside of it, trained and sampled.
//!
//! ```sh
//! cargo run --release --example own_flow -p wug
//! ```
//!
//! It is the volume-preserving coupling of Dinh, Krueger & Bengio, *NICE* (2014), made conditional and followed by a
//! scale: half of the coordinates move by an amount that depends on the other half and on the state, then the other way
//! round. A flow is two small things: what it keeps (networks), and what it is for a given state (a transform with both
//! directions and the logarithm of its Jacobian determinant). Everything else, bound, gradient, training, samples, is as
//! for the flows of the library.

use std::error::Error;
use std::ops::ControlFlow;

use tilegrad::{Graph, Var};
use wug::Config;
use wug::lexicon::{Filter, bundled};
use wug::model::flow::{Flow, Mapped, Transform};
use wug::model::{Declare, Mlp, Model};
use wug::train::{Event, Training};

/// Two additive couplings and a scale.
#[derive(Debug, Clone)]
struct Nice {
    size: usize,
    couplings: [Mlp; 2],
    scale: Mlp,
}

impl Nice {
    fn new(declare: &mut Declare, name: &str, size: usize) -> Self {
        let half = size / 2;
        let sizes = [(half, size - half), (size - half, half)];
        let couplings = [0, 1].map(|number| {
            let (kept, moved) = sizes[number];
            Mlp::new(declare, &format!("{name}.{number}"), &[("kept", kept), ("state", size)], &[64], moved)
        });
        let scale = Mlp::new(declare, &format!("{name}.scale"), &[("state", size)], &[64], 2 * size);
        Self { size, couplings, scale }
    }
}

impl Flow for Nice {
    fn given<'g>(&self, graph: &'g Graph, state: Var<'g>) -> Box<dyn Transform<'g> + 'g> {
        let out = self.scale.apply(graph, &[state]);
        let (shift, log_scale) = (out.slice(0..self.size), out.slice(self.size..2 * self.size).tanh());
        Box::new(NiceGiven { flow: self.clone(), graph, state, shift, log_scale })
    }
}

/// The flow for one state.
struct NiceGiven<'g> {
    flow: Nice,
    graph: &'g Graph,
    state: Var<'g>,
    shift: Var<'g>,
    log_scale: Var<'g>,
}

impl<'g> NiceGiven<'g> {
    /// The two halves, and how far the first moves the second or the second the first.
    fn halves(&self, x: Var<'g>) -> [Var<'g>; 2] {
        let half = self.flow.size / 2;
        [x.slice(0..half), x.slice(half..self.flow.size)]
    }

    fn move_by(&self, number: usize, kept: Var<'g>) -> Var<'g> {
        self.flow.couplings[number].apply(self.graph, &[kept, self.state])
    }
}

impl<'g> Transform<'g> for NiceGiven<'g> {
    fn forward(&self, x: Var<'g>) -> Mapped<'g> {
        let [a, b] = self.halves(x);
        let b = b + self.move_by(0, a);
        let a = a + self.move_by(1, b);
        let value = self.graph.concat(&[a, b]) * self.log_scale.exp() + self.shift;
        Mapped { value, log_det: Some(self.log_scale.sum_rows()) }
    }

    fn inverse(&self, y: Var<'g>) -> Mapped<'g> {
        let [a, b] = self.halves((y - self.shift) * (-self.log_scale).exp());
        let a = a - self.move_by(1, b);
        let b = b - self.move_by(0, a);
        Mapped { value: self.graph.concat(&[a, b]), log_det: Some(-self.log_scale.sum_rows()) }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: u64 = std::env::args().nth(1).map_or(Ok(1_000_000), |words| words.parse())?;
    let (lexicon, _) = bundled()?.into_lexicon(&Filter::PAPER)?;
    let mut config = Config::default();
    config.train.words = words;
    let size = config.model.state;
    let symbols = lexicon.alphabet().symbol_count();
    let model = Model::with_transition(&config.model, symbols, |declare| {
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
