//! Tries settings: trains and prints the cross entropy of test words by the particle filter.
use std::time::Instant;
use wug::evaluate::{Estimate, particle_filter};
use wug::lexicon::{Filter, SplitKind, bundled};
use wug::model::ModelConfig;
use wug::train::{TrainConfig, Trainer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut table = toml::Table::new();
    let (mut threads, mut tests, mut particles) = (2, 2000, 1000);
    for argument in std::env::args().skip(1) {
        let (key, value) = argument.split_once('=').ok_or("key=value")?;
        match key {
            "threads" => threads = value.parse()?,
            "tests" => tests = value.parse()?,
            "particles" => particles = value.parse()?,
            _ => {
                let value: toml::Table = format!("x = {value}").parse()?;
                let mut at = &mut table;
                let parts: Vec<&str> = key.split('.').collect();
                for part in &parts[..parts.len() - 1] {
                    at =
                        at.entry(*part).or_insert(toml::Table::new().into()).as_table_mut().ok_or("table")?;
                }
                at.insert(parts[parts.len() - 1].into(), value["x"].clone());
            }
        }
    }
    let model: ModelConfig = table.remove("model").unwrap_or(toml::Table::new().into()).try_into()?;
    let train: TrainConfig = table.remove("train").unwrap_or(toml::Table::new().into()).try_into()?;
    let (lexicon, _) = bundled()?.into_lexicon(&Filter::PAPER)?;
    let split = lexicon.split(SplitKind::Tokens, 1);
    let test: Vec<_> = wug::lexicon::AliasTable::new(split.test.counts())?.draws(7).take(tests).collect();
    let words: Vec<&[u16]> = test.iter().map(|&id| lexicon.vocabulary().symbols(id as u32)).collect();
    let mut trainer = Trainer::new(&model, &train, split.train, threads)?;
    let start = Instant::now();
    let (mut sum, mut count) = (0.0, 0);
    while !trainer.is_done() {
        let report = trainer.step()?;
        sum += report.bound;
        count += 1;
        if trainer.progress.step.is_multiple_of(train.steps().div_ceil(8))
            || trainer.progress.step == train.steps()
        {
            let seconds = start.elapsed().as_secs_f64();
            let seen = trainer.progress.step * train.batch as u64;
            eprintln!(
                "{seen} words, {seconds:.0} s, {:.0} words/s, bound {:.3}, norm {:.2}",
                seen as f64 / seconds,
                sum / count as f64,
                report.norm
            );
            (sum, count) = (0.0, 0);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let begin = Instant::now();
    let log_p =
        particle_filter(trainer.model(), &trainer.parameters(), &words, particles, 3, threads, &mut |_| ())?;
    let minus: Vec<f64> = log_p.iter().map(|x| -x.mean).collect();
    let e = Estimate::of(&minus);
    println!(
        "H {:.3} ± {:.3} | train {seconds:.0} s | eval {:.1} s | {}",
        e.mean,
        e.error,
        begin.elapsed().as_secs_f64(),
        std::env::args().skip(1).collect::<Vec<_>>().join(" ")
    );
    Ok(())
}
