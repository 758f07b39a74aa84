//! Modified Kneser–Ney smoothing, interpolated (Chen & Goodman, *An Empirical Study of Smoothing Techniques for Language Modeling*, 1998).
//!
//! `p(z|h) = (c(hz) − D(c(hz))) / c(h) + γ(h) p'(z|h')`, where γ(h) is the mass that the discounts D leave and h' is h without its first symbol. In p', the model
//! of shorter contexts, `c(hz)` is the number of different symbols that stand before hz, except at the beginning of a word, where only the start stands.
//! The discounts of counts 1, 2 and more follow from how many n-grams of the length have a count of 1, 2, 3 and 4.

use super::{Contexts, Followers, MAX_ORDER, START};
use crate::lexicon::Symbol;

/// D of counts 1, 2, and 3 or more.
type Discounts = [f64; 3];

/// How many different symbols stand before n-grams, and what is taken off counts.
#[derive(Debug, Clone)]
pub(super) struct Continuations {
    contexts: Contexts,
    /// By the length of the context, of the longest n-grams of a model.
    highest: [Discounts; MAX_ORDER],
    /// The same of shorter ones.
    lower: [Discounts; MAX_ORDER],
}

impl Continuations {
    /// Follow from counts.
    pub(super) fn of(counts: &Contexts) -> Self {
        let mut contexts = Contexts::default();
        for (context, followers) in counts {
            if let Some((_, shorter)) = context.split_first() {
                // What begins with a start symbol has nothing else before it: it keeps its counts.
                let to = contexts.entry(shorter.into()).or_default();
                for &(symbol, count) in &followers.counts {
                    to.add(symbol, if shorter.first() == Some(&START) { count } else { 1.0 });
                }
            }
        }
        let (highest, lower) = (discounts(counts), discounts(&contexts));
        Self { contexts, highest, lower }
    }

    /// The probability by each order.
    pub(super) fn interpolate(
        &self,
        counts: &Contexts,
        (order, symbols): (usize, usize),
        padded: &[Symbol],
        symbol: Symbol,
    ) -> [f64; MAX_ORDER] {
        let mut shorter = 1.0 / symbols as f64;
        let mut orders = [0.0; MAX_ORDER];
        for (length, p) in orders.iter_mut().enumerate().take(order) {
            let context = &padded[padded.len() - length..];
            let by = |all: &Contexts, discounts: &Discounts| {
                all.get(context).map_or(shorter, |own| discounted(own, discounts, symbol, shorter))
            };
            *p = by(counts, &self.highest[length]);
            shorter = by(&self.contexts, &self.lower[length]);
        }
        orders
    }
}

fn discounted(own: &Followers, discounts: &Discounts, symbol: Symbol, shorter: f64) -> f64 {
    let discount =
        |count: f64| if count > 0.0 { discounts[count.min(3.0) as usize - 1].min(count) } else { 0.0 };
    let left: f64 = own.counts.iter().map(|pair| discount(pair.1)).sum();
    let count = own.count(symbol);
    (count - discount(count) + left * shorter) / own.total
}

/// By the length of the context.
fn discounts(contexts: &Contexts) -> [Discounts; MAX_ORDER] {
    let mut with_count = [[0.0; 5]; MAX_ORDER];
    for (context, followers) in contexts {
        let own = &mut with_count[context.len()];
        for &(_, count) in followers.counts.iter().filter(|pair| pair.1 <= 4.0) {
            own[count as usize] += 1.0;
        }
    }
    with_count.map(|n| {
        let y = if n[1] > 0.0 { n[1] / (n[1] + 2.0 * n[2]) } else { 0.5 };
        [1, 2, 3].map(|count| {
            let whole = count as f64;
            // Few n-grams may leave no estimate.
            let estimate = whole - (whole + 1.0) * y * n[count + 1] / n[count];
            if estimate.is_finite() && estimate > 0.0 && estimate < whole { estimate } else { 0.5 * whole }
        })
    })
}
