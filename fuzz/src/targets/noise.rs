//! Any bytes give noise or an error; noise that is read and written again comes back.

use wug::generate::read_noise;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let words = match read_noise(bytes) {
        Ok(words) => words,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    // JSON has no numbers that are not finite.
    let finite = words
        .iter()
        .flatten()
        .all(|step| step.noise.iter().chain(&step.point).all(|number| number.is_finite()));
    if finite && !words.is_empty() {
        let lines: Vec<String> =
            words.iter().map(|steps| serde_json::json!({ "steps": steps }).to_string()).collect();
        assert_eq!(read_noise(lines.join("\n").as_bytes()), Ok(words));
    }
}
