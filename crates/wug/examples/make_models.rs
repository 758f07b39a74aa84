//! Makes the models that come with the library again, from the lists: trains each, measures it on words that were held out
//! beside the best n-gram of the same words, and writes it into `crates/wug-data`.
//!
//! ```sh
//! cargo run --release --example make_models -p wug --features languages            # all, some hours
//! cargo run --release --example make_models -p wug --features languages -- fr uk   # these
//! ```
//!
//! Runs are in `runs/models/NAME` and are taken up where they stopped; a finished one is only measured again. A model that is new
//! has to be named in `crates/wug-data/src/lib.rs`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use wug::evaluate::{Ngrams, Smoothing};
use wug::languages::{find, model_names};
use wug::lexicon::{Lexicon, Weighting};
use wug::measure::ScoreSettings;
use wug::train::{Event, Run, TrainRequest};
use wug::{Config, Execution, Precision, TrainedModel};

/// The token-weighted model.
const TOKENS: &[&str] = &["state=64", "learning_rate=0.002", "words=10M", "counts.order=10"];

/// The longest n-grams.
const MAX_ORDER: usize = 7;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../wug-data");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let all = model_names().map(str::to_owned);
    for name in if asked.is_empty() { all.collect() } else { asked } {
        let config = config(&name)?;
        let model = train(&name, &config)?;
        let single = test(&model)?;
        // What is shipped is measured: half the bits, and no list, which is in the library already.
        let file = model.without_list().to_bytes_in(Precision::Half)?;
        let shipped = TrainedModel::from_bytes(&file, &name)?;
        let found = test(&shipped)?;
        let [bell, kneser] = [Smoothing::WittenBell, Smoothing::KneserNey]
            .map(|smoothing| best_ngram(&shipped.config, &shipped.lexicon()?, smoothing));
        let ([bell_order, kneser_order], [bell, kneser]) = {
            let (b, k) = (bell?, kneser?);
            ([b.0, k.0], [b.1, k.1])
        };
        println!(
            "{name}: {found:.4} nats in half precision, {single:.4} in single; Witten–Bell {bell_order} {bell:.4}, Kneser–Ney {kneser_order} {kneser:.4}"
        );
        std::fs::write(format!("{DATA}/models/{name}.safetensors"), file)?;
        note(&name, &shipped, &format!("{found:.3}\t{bell_order}\t{bell:.3}\t{kneser_order}\t{kneser:.3}"))?;
    }
    Ok(())
}

/// The settings of a model.
fn config(name: &str) -> Result<Config, Box<dyn std::error::Error>> {
    let tokens = name == "en-tokens";
    let code = if tokens { wug::DataConfig::BUNDLED } else { name };
    let language = find(code).ok_or_else(|| format!("there is no language `{code}`"))?;
    let request = TrainRequest {
        lexicon: Some(language.code().to_owned()),
        weighting: Some(if tokens { Weighting::Tokens } else { Weighting::Types }),
        ..TrainRequest::default()
    };
    let config = request.plan(None)?.config;
    Ok(if tokens { config.with_overrides(TOKENS)? } else { config })
}

/// Trains, or goes on where it stopped.
fn train(name: &str, config: &Config) -> Result<TrainedModel, Box<dyn std::error::Error>> {
    let folder = Path::new("runs/models").join(name);
    let file = folder.join("model.safetensors");
    if let Ok(model) = TrainedModel::load(&file)
        && model.provenance.words_seen >= config.train.words
    {
        return Ok(model);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut run = if folder.exists() {
        Run::resume(&folder, threads)?
    } else {
        Run::create(&folder, config, &config.data.read()?.0, threads)?
    };
    run.train(|_, event| {
        if let Event::Step(step) = event
            && let Some(report) = &step.report
        {
            println!("{name}: {} of {} words, bound {:.3}", step.words, step.total_words, report.bound);
        }
        ControlFlow::Continue(())
    })?;
    Ok(run.training().trained_model())
}

/// The cross entropy of the words that were held out, by weight.
fn test(model: &TrainedModel) -> Result<f64, Box<dyn std::error::Error>> {
    let data = &model.config.data;
    let test = model.lexicon()?.split(data.split, data.split_seed).test.weighted(data.weighting);
    let words: Vec<&str> = test.words().map(|word| word.text).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = ScoreSettings { execution: Execution { seed: 1, threads }, ..ScoreSettings::default() };
    let (mut sum, mut weight) = (0.0, 0.0);
    for (word, score) in test.words().zip(model.scores(&words, settings)?) {
        sum -= word.count as f64 * score?.log_probability;
        weight += word.count as f64;
    }
    Ok(sum / weight)
}

/// The best n-gram of the words that were learnt, on those that were held out.
fn best_ngram(
    config: &Config,
    lexicon: &Lexicon,
    smoothing: Smoothing,
) -> Result<(usize, f64), Box<dyn std::error::Error>> {
    let data = &config.data;
    let split = lexicon.split(data.split, data.split_seed);
    let (train, test) = (split.train.weighted(data.weighting), split.test.weighted(data.weighting));
    let fits =
        Ngrams::of(&train, MAX_ORDER, smoothing)?.fits(test.words().map(|word| (word.symbols, word.count)));
    let best = fits.iter().min_by(|a, b| a.cross_entropy.total_cmp(&b.cross_entropy)).ok_or("no n-gram")?;
    Ok((best.order, best.cross_entropy))
}

/// Enters a model's figures into the table.
fn note(name: &str, model: &TrainedModel, figures: &str) -> Result<(), Box<dyn std::error::Error>> {
    let path = format!("{DATA}/models.tsv");
    let table = std::fs::read_to_string(&path)?;
    let (header, rows) = table.split_once('\n').ok_or("the table has no header")?;
    let mut rows: BTreeMap<String, String> =
        rows.lines().map(|row| (row.split('\t').next().unwrap_or("").to_owned(), row.to_owned())).collect();
    let lexicon = model.lexicon()?;
    let row = format!(
        "{name}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{figures}",
        model.config.data.lexicon,
        model.config.data.weighting,
        lexicon.types(),
        lexicon.alphabet().letters().count(),
        model.config.model.state,
        model.parameters.len(),
        model.provenance.words_seen,
    );
    rows.insert(name.to_owned(), row);
    let rows: String = rows.into_values().flat_map(|row| [row, "\n".to_owned()]).collect();
    Ok(std::fs::write(&path, format!("{header}\n{rows}"))?)
}
