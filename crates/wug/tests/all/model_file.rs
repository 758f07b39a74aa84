//! Model files: what is written is read back, what is damaged or forged is refused, others can read them.

mod common;
mod damage;
mod memory;
mod numpy;
