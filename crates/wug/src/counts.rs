//! What a list says outright: how often each symbol follows each context, mixed with a network by a learnt gate.
//!
//! The state of a choice flow gets a third part, the word's last symbols. They are a function of the choices, hence of the noise, so
//! that everything stays exact. With the network's `softmax(A(h))` and the relative frequencies `p_k(a | c)` of the symbols that follow the last k
//! symbols in the list,
//!
//! `π(a | h, c) = g_0(c) · softmax(A(h))_a + Σ_k g_k(c) · p_k(a | c)`,
//!
//! where the gate g sees how often each context occurs and with how many different symbols ([`gate`]). This is deleted interpolation
//! (Jelinek & Mercer 1980) with weights from a network, as in Neubig & Dyer's *Generalizing and Hybridizing Count-based and Neural Language
//! Models* (EMNLP 2016). In training a word does not see itself: its own occurrence is taken off all counts ([`contexts`]).

pub(crate) mod contexts;
pub(crate) mod gate;
mod list_counts;

pub(crate) use contexts::Contexts;
pub(crate) use list_counts::{CountsSource, ListCounts, Looks, training_data, training_rows};

#[cfg(test)]
mod tests;

/// The most orders: contexts of up to fifteen symbols.
pub(crate) const MAX_ORDER: usize = 16;

/// Contexts that a gate weighs at once.
pub(crate) const LANES: usize = 64;
