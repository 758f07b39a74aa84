//! `wug train`, through the real command.

mod data;
mod grid;
mod kills;
mod mistakes;
mod paths;
mod rules;
mod travel;
mod trouble;

/// Asserts that all files of a run can be read.
#[cfg(unix)]
fn assert_whole(folder: &std::path::Path) {
    wug::train::Run::resume(folder, 1).expect("a whole checkpoint");
    let model = folder.join("model.safetensors");
    if model.exists() {
        wug::TrainedModel::load(&model).expect("a whole model");
    }
}
