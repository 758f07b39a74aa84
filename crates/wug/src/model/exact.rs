//! Exact models: a recurrence gives the probabilities of the next symbol, and the log-probability of a word is their sum.

use tilegrad::{Graph, Symbols, Var, VarId};

use super::config::{Kind, ModelConfig};
use super::declare::Declare;
use super::list_gate::ListGate;
use super::recurrence::{Choice, Dropout, GruLanguageModel, Recurrence, TeacherForced};

/// A model whose log-probabilities are exact.
#[derive(Debug)]
pub(super) struct Exact {
    /// Networks that learn side by side, each as if it were alone. Their states lie one below the other, and the mean of their logits is the
    /// model's: networks that begin with other numbers make other mistakes.
    recurrences: Vec<Box<dyn Recurrence>>,
    /// How much the counts of a list are worth beside them.
    pub(super) gate: Option<ListGate>,
}

impl Exact {
    /// Declares the recurrences that a configuration asks for; none if it asks for the paper's model.
    pub(super) fn new(config: &ModelConfig, declare: &mut Declare, symbols: usize) -> Option<Self> {
        let recurrence = |declare: &mut Declare| -> Option<Box<dyn Recurrence>> {
            Some(match config.kind {
                Kind::StateSpace => return None,
                Kind::Choice => {
                    Box::new(Choice::new(declare, "generative.flow", config.choice_sizes(symbols)))
                }
                Kind::TeacherForced => Box::new(TeacherForced::new(declare, config.choice_sizes(symbols))),
                Kind::Gru => Box::new(GruLanguageModel::new(declare, config.state, symbols)),
            })
        };
        let prefix = |number: usize| if number == 0 { String::new() } else { format!("networks.{number}.") };
        let recurrences = (0..config.networks).map(|number| declare.part(prefix(number), recurrence));
        let recurrences = recurrences.collect::<Option<_>>()?;
        Some(Self { recurrences, gate: ListGate::new(declare, config.counts) })
    }

    /// The state before the first symbol.
    pub(super) fn start<'g>(&self, graph: &'g Graph, end: Symbols<'g>) -> Var<'g> {
        join(graph, &self.starts(graph, end))
    }

    /// Logits of the next symbol, given the state and the symbol seen last.
    pub(super) fn logits<'g>(&self, graph: &'g Graph, state: Var<'g>, last: Symbols<'g>) -> Var<'g> {
        self.mean_logits(graph, &self.split(state), last)
    }

    /// The state after one more symbol.
    pub(super) fn advance<'g>(&self, graph: &'g Graph, state: Var<'g>, symbol: Symbols<'g>) -> Var<'g> {
        join(graph, &self.advanced(graph, &self.split(state), symbol))
    }

    /// Records `log π(w_t | h_{t−1})` of every step t, one number per word each. After the word's symbols the tile has a row of end symbols, which
    /// stand before the first.
    pub(super) fn log_probabilities<'g>(&self, graph: &'g Graph, symbols: &[Symbols<'g>]) -> Vec<Var<'g>> {
        let mut last = graph.symbols();
        let mut states = self.starts(graph, last);
        let mut gains = Vec::with_capacity(symbols.len());
        for &symbol in symbols {
            gains.push(self.mean_logits(graph, &states, last).log_softmax_pick(symbol));
            states = self.advanced(graph, &states, symbol);
            last = symbol;
        }
        gains
    }

    /// The same for training: the mean of what each network says alone, since networks that learn together make the same mistakes.
    pub(super) fn objective<'g>(
        &self,
        graph: &'g Graph,
        symbols: &[Symbols<'g>],
        dropout: f64,
    ) -> Vec<Var<'g>> {
        let end = graph.symbols();
        let alone = self.recurrences.iter().map(|recurrence| {
            let mut last = end;
            let mut state = recurrence.start(graph, last, Dropout::new(dropout, 0));
            let mut gains = Vec::with_capacity(symbols.len());
            for (t, &symbol) in symbols.iter().enumerate() {
                let dropout = Dropout::new(dropout, t);
                gains.push(recurrence.logits(graph, state, last, dropout).log_softmax_pick(symbol));
                state = recurrence.advance(graph, state, symbol, dropout);
                last = symbol;
            }
            gains
        });
        let alone: Vec<Vec<Var<'g>>> = alone.collect();
        (0..symbols.len()).filter_map(|t| mean(alone.iter().map(|gains| gains[t]))).collect()
    }

    /// What [`Exact::log_probabilities`] says for the mixture with the counts of a list, for its gate to learn from. Returns the variables of data,
    /// one for each step, which take [`training_data`](crate::counts::training_data).
    pub(super) fn mixture_log_probabilities<'g>(
        &self,
        gate: &ListGate,
        graph: &'g Graph,
        symbols: &[Symbols<'g>],
    ) -> (Vec<Var<'g>>, Vec<VarId>) {
        let networks = self.log_probabilities(graph, symbols);
        networks.into_iter().map(|log_p| gate.mix(graph, log_p)).unzip()
    }

    fn starts<'g>(&self, graph: &'g Graph, end: Symbols<'g>) -> Vec<Var<'g>> {
        self.recurrences.iter().map(|recurrence| recurrence.start(graph, end, Dropout::OFF)).collect()
    }

    fn mean_logits<'g>(&self, graph: &'g Graph, states: &[Var<'g>], last: Symbols<'g>) -> Var<'g> {
        let networks = self.recurrences.iter().zip(states);
        let logits = networks.map(|(recurrence, &state)| recurrence.logits(graph, state, last, Dropout::OFF));
        mean(logits).unwrap_or(states[0])
    }

    fn advanced<'g>(&self, graph: &'g Graph, states: &[Var<'g>], symbol: Symbols<'g>) -> Vec<Var<'g>> {
        let networks = self.recurrences.iter().zip(states);
        networks.map(|(recurrence, &state)| recurrence.advance(graph, state, symbol, Dropout::OFF)).collect()
    }

    /// The state of each recurrence.
    fn split<'g>(&self, state: Var<'g>) -> Vec<Var<'g>> {
        match self.recurrences.len() {
            1 => vec![state],
            count => {
                let rows = state.rows() / count;
                (0..count).map(|number| state.slice(number * rows..(number + 1) * rows)).collect()
            }
        }
    }
}

fn join<'g>(graph: &'g Graph, states: &[Var<'g>]) -> Var<'g> {
    match states {
        [state] => *state,
        states => graph.concat(states),
    }
}

/// None of nothing.
fn mean<'g>(numbers: impl ExactSizeIterator<Item = Var<'g>>) -> Option<Var<'g>> {
    let count = numbers.len();
    let sum = numbers.reduce(|sum, next| sum + next)?;
    Some(if count == 1 { sum } else { sum * (1.0 / count as f64) })
}
