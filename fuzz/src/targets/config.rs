//! Any text gives a configuration or an error: a document, then a line `---`, then overrides, one on each line. A configuration
//! survives writing and reading; a small one can be trained with.

use wug::Config;
use wug::lexicon::Lexicon;
use wug::model::Model;
use wug::train::Training;

/// Configurations beyond these sizes are not trained with: that takes long, as it should.
const MAX_NUMBERS: usize = 3_000;
const MAX_PARTICLES: usize = 4;
const MAX_BATCH: usize = 64;

/// Runs the target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (document, overrides) = text.split_once("\n---\n").unwrap_or((text, ""));
    let config = match Config::from_toml(document) {
        Ok(config) => config,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    check(&config);
    let overrides: Vec<&str> = overrides.lines().collect();
    match config.with_overrides(&overrides) {
        Ok(changed) => check(&changed),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn check(config: &Config) {
    config.check().unwrap();
    assert_eq!(Config::from_toml(&config.to_toml()).as_ref(), Ok(config));
    assert_eq!(config.with_overrides::<&str>(&[]).as_ref(), Ok(config));
    let lexicon = Lexicon::from_counts([("ab", 3), ("b", 2)]).unwrap();
    // A model that is too large is refused.
    let Ok(model) = Model::new(&config.model, lexicon.alphabet().symbol_count()) else { return };
    let small = model.params().len() <= MAX_NUMBERS
        && config.model.bound.particles <= MAX_PARTICLES
        && config.train.batch <= MAX_BATCH;
    if small {
        let mut training = Training::new(config, &lexicon, 1).unwrap();
        // With settings beyond reason numbers may become NaN, which is no panic.
        let _ = training.step();
    }
}
