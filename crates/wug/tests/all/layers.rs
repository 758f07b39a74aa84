//! The modules of the library are layers: each uses those below it and none above.

use std::fs;
use std::path::Path;

/// From the bottom up. `error` is made of the errors of all, and used by all.
const LAYERS: [&str; 18] = [
    "atomic_file",
    "bounded_file",
    "execution",
    "quantity",
    "suggest",
    "random",
    "lexicon",
    "vowels",
    "languages",
    "counts",
    "model",
    "config",
    "model_file",
    "fingerprint",
    "generate",
    "evaluate",
    "measure",
    "train",
];

/// Where the names are that the crate itself exports.
const EXPORTS: [(&str, &str); 12] = [
    ("AtomicFile", "atomic_file"),
    ("Config", "config"),
    ("DataConfig", "config"),
    ("EncodeError", "model_file"),
    ("Execution", "execution"),
    ("Lexicon", "lexicon"),
    ("ModelFileError", "model_file"),
    ("Provenance", "model_file"),
    ("StoredList", "model_file"),
    ("TrainedModel", "model_file"),
    ("Vowels", "vowels"),
    ("bundled_model", "generate"),
];

#[test]
fn no_module_uses_one_above_it() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let rank = |name: &str| {
        let name = EXPORTS.iter().find(|(export, _)| *export == name).map_or(name, |(_, module)| module);
        LAYERS.iter().position(|layer| *layer == name)
    };
    let (mut files, mut found, mut uses) = (vec![root.to_path_buf()], Vec::new(), 0);
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("a file").path()));
            continue;
        }
        let inside = path.strip_prefix(root).expect("a file of the library");
        let module =
            inside.iter().next().and_then(|name| name.to_str()).expect("a name").trim_end_matches(".rs");
        let is_test = inside.iter().any(|part| part == "tests" || part == "tests.rs");
        if is_test || ["lib", "error"].contains(&module) {
            continue;
        }
        let own = rank(module).unwrap_or_else(|| panic!("{module} has no layer: add it to LAYERS"));
        let text = fs::read_to_string(&path).expect("text");
        let code = text.split("#[cfg(test)]\nmod tests {").next().expect("text");
        let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for rest in code.split("crate::").skip(1) {
            for name in names(rest) {
                uses += 1;
                if rank(name).is_some_and(|other| other > own) {
                    found.push(format!("{} uses {name}", inside.display()));
                }
            }
        }
    }
    assert!(uses > 250, "{uses} uses");
    assert!(found.is_empty(), "{found:#?}");
}

/// The first names after `crate::`: one, or those at the top of braces.
fn names(rest: &str) -> Vec<&str> {
    let is_sign = |sign: char| !sign.is_alphanumeric() && sign != '_';
    let Some(inside) = rest.strip_prefix('{') else {
        return rest.split(is_sign).next().into_iter().collect();
    };
    let (mut depth, mut start, mut all) = (0, 0, Vec::new());
    for (place, sign) in inside.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                all.extend(inside[start..place].trim().split(is_sign).next());
                start = place + 1;
                if sign == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    all
}
