//! Words from the bundled model, with their scores.
//!
//! ```sh
//! cargo run --release --example ten_lines -p wug
//! ```

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = wug::bundled_model()?;
    for word in model.sample(10, 1)? {
        println!("{word}\t{:.2}", model.score(&word)?.log_probability);
    }
    Ok(())
}
