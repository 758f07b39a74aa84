//! The guide to training names every setting with its default, and every preset; the map from the paper to the code
//! names things that exist.

use std::collections::BTreeMap;

use wug::Config;

const GUIDE: &str = include_str!("../../../../docs/training.md");

/// The settings in the tables under `### [section]`, with what stands in the column of defaults.
fn documented() -> BTreeMap<String, String> {
    let mut settings = BTreeMap::new();
    let mut section = "";
    for line in GUIDE.lines() {
        if line.starts_with('#') {
            section =
                line.strip_prefix("### `[").and_then(|rest| rest.strip_suffix("]`")).unwrap_or_default();
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let key = cells.get(1).and_then(|cell| cell.strip_prefix('`')?.strip_suffix('`'));
        if let (false, Some(key), Some(default)) = (section.is_empty(), key, cells.get(2)) {
            settings.insert(format!("{section}.{key}"), default.trim_matches('`').to_owned());
        }
    }
    settings
}

fn flatten(prefix: &str, table: &toml::Table, settings: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::Table(inner) => flatten(&key, inner, settings),
            value => drop(settings.insert(key, value.to_string())),
        }
    }
}

#[test]
fn every_setting_is_documented_with_its_default() {
    let mut expected = BTreeMap::new();
    let defaults: toml::Table = Config::default().to_toml().parse().expect("TOML");
    flatten("", &defaults, &mut expected);
    assert_eq!(documented(), expected);
}

#[test]
fn every_preset_is_documented() {
    let (_, presets) = GUIDE.split_once("## Presets").expect("a section on presets");
    for name in Config::presets() {
        let (base, suffix) = name.rsplit_once('-').unwrap_or((name, ""));
        let listed = presets.contains(&format!("`{name}`"))
            || presets.contains(&format!("`{base}`")) && presets.contains(&format!("`-{suffix}`"));
        assert!(listed, "{name}");
    }
}

/// The row of a measure says what the library says of it, and every column that follows from one is named.
#[test]
fn every_column_is_documented() {
    let guide = include_str!("../../../../docs/statistics.md");
    for measure in wug::measure::MEASURES {
        let column = wug::measure::Column::of(measure);
        let row = format!("| `{}` | {}", column.name(), column.about().replace('|', "\\|"));
        assert!(guide.contains(&row), "no row begins with {row}");
    }
    for column in wug::measure::Column::all() {
        assert!(guide.contains(&format!("`{}`", column.name())), "{}", column.name());
    }
    for column in wug::measure::Column::all_matched() {
        assert!(guide.contains(&format!("`{}`", column.criterion_name())), "{}", column.criterion_name());
    }
}

#[test]
fn every_keyword_of_a_constraint_is_documented() {
    let guide = include_str!("../../../../docs/sampling.md");
    let stub = include_str!("../../../../python/wug/_lib.pyi");
    for keyword in wug::generate::KEYWORDS {
        let name = keyword.name.replace('-', "_");
        assert!(stub.contains(&format!("    {name}: ")), "Python's stub lacks {name}");
        let lines = keyword.several == wug::generate::Several::Lines;
        let option = if lines { "`--without-file".to_owned() } else { format!("`--{}", keyword.name) };
        assert!(guide.contains(&option), "docs/sampling.md lacks {option}");
    }
}

/// Every `[`name`](../file.rs)` of the map must be a function, type or trait of that file.
#[test]
fn the_map_from_the_paper_names_what_exists() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/");
    let map = std::fs::read_to_string(format!("{root}paper-to-code.md")).expect("the map");
    let mut places = 0;
    for entry in map.split("[`").skip(1) {
        let (name, rest) = entry.split_once("`](").expect("a link");
        let (path, _) = rest.split_once(')').expect("a link");
        let text = std::fs::read_to_string(format!("{root}{path}")).unwrap_or_else(|_| panic!("{path}"));
        let defined = ["fn", "struct", "trait", "enum"].iter().any(|kind| {
            ["(", "<", ":", ";", " "].iter().any(|after| text.contains(&format!("{kind} {name}{after}")))
        });
        assert!(defined, "{name} is not in {path}");
        places += 1;
    }
    assert!(places > 30, "{places} places");
}

/// Each walk through the code leads through at most ten files, and names what is in them.
#[test]
fn walks_are_short() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let text = std::fs::read_to_string(format!("{root}ARCHITECTURE.md")).expect("the document");
    let (_, walks) = text.split_once("## Three walks").expect("the chapter");
    let (walks, _) = walks.split_once("\n## ").expect("another chapter");
    let walks: Vec<&str> = walks.split("\n\n**").skip(1).collect();
    assert_eq!(walks.len(), 3);
    for walk in walks {
        let files: Vec<&str> = walk.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!((6..=10).contains(&files.len()), "{files:?}");
        let texts: Vec<String> =
            files.iter().map(|file| std::fs::read_to_string(format!("{root}{file}")).expect(file)).collect();
        for name in walk
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|name| name.chars().all(|c| c.is_alphanumeric() || "_:".contains(c)))
        {
            let last = name.rsplit("::").next().expect("a name");
            assert!(texts.iter().any(|text| text.contains(last)), "{name} is in none of {files:?}");
        }
    }
}

/// Whoever extends the library touches the files that the guide names: each of them exists, and what it is said to hold is in one.
#[test]
fn the_guide_to_extensions_names_what_exists() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/");
    let guide = std::fs::read_to_string(format!("{docs}extending.md")).expect("the guide");
    for chapter in guide.split("\n## ").skip(1) {
        let files: Vec<&str> =
            chapter.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()).collect();
        assert!(!files.is_empty(), "{chapter}");
        assert!(
            files.iter().all(|file| std::path::Path::new(&format!("{docs}{file}")).exists()),
            "{files:?}"
        );
    }
    // The places where a constraint is known by its kind: no front end is one.
    let root = format!("{docs}../crates");
    let elsewhere = ["wug-cli/src/commands/sample.rs", "wug-python/src/making.rs", "wug-web/src/words.rs"];
    for file in elsewhere {
        let text = std::fs::read_to_string(format!("{root}/{file}")).expect(file);
        assert!(!text.contains("Constraint::"), "{file} knows a kind of constraint");
    }
}
