//! Tables as spreadsheets and other programs write them, and our own.

use crate::harness::{Place, feed};

/// The words and counts of a table, and what is said of it.
fn read(table: &[u8], more: &[&str]) -> (Vec<(String, u64)>, String) {
    let report = feed(&[&["lexicon", "-", "--format", "json"], more].concat(), table).json();
    let pair =
        |row: &serde_json::Value| (row["word"].as_str().unwrap().to_owned(), row["count"].as_u64().unwrap());
    let words = report["most_frequent"].as_array().unwrap().iter().map(pair).collect();
    (words, report["summary"]["table"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn tables_of_every_kind_are_read() {
    let expected = [("Größe".to_owned(), 35), ("Haus".to_owned(), 20)];
    let table = "Nr;Wort;Anzahl pro Million;Anzahl\n1;Größe;9,1;3,5\n2;Haus;8;2,0\n";
    let windows: Vec<u8> = table.chars().map(|sign| sign as u8).collect();
    let utf16: Vec<u8> =
        "\u{feff}".chars().chain(table.chars()).flat_map(|sign| (sign as u16).to_le_bytes()).collect();
    for (bytes, encoding) in
        [(table.as_bytes(), ""), (&windows, ", read as Windows-1252"), (&utf16, ", read as UTF-16")]
    {
        let (words, said) = read(bytes, &[]);
        assert_eq!(words, expected);
        assert_eq!(
            said,
            format!(
                "line 1 is a header, words are in column 2 (`Wort`), counts in column 4 (`Anzahl`), semicolons between columns{encoding}, \
                 counts have decimals and are taken times 10"
            )
        );
    }
    let (words, _) = read(table.as_bytes(), &["--count-column", "3"]);
    assert_eq!(words, [("Größe".to_owned(), 91), ("Haus".to_owned(), 80)]);
    let (words, _) = read(table.as_bytes(), &["--word-column", "nr", "--count-column", "anzahl"]);
    assert_eq!(words[0].0, "1");
    feed(&["lexicon", "-", "--word-column", "lemma"], table.as_bytes()).fails_in_one_line(
        1,
        &["standard input has no column `lemma`", "Nr, Wort, Anzahl pro Million, Anzahl"],
    );
}

#[test]
fn what_one_command_writes_the_others_read() {
    let place = Place::new();
    const WORDS: [&str; 12] = [
        "house", "mouse", "table", "chair", "stone", "plant", "river", "horse", "bread", "water", "night",
        "green",
    ];
    let rows = WORDS.iter().zip(1..).map(|(word, item)| format!("{item},\"{word}\"\r\n"));
    place.write("stimuli.csv", ["item,word\r\n".to_owned()].into_iter().chain(rows).collect::<String>());
    let ended = place.wug(&["match", "stimuli.csv", "--candidates", "1000", "-o", "pairs.csv"]);
    ended.tells(
        0,
        &["stimuli.csv: line 1 is a header, words are in column 2 (`word`), commas between columns"],
    );
    assert!(place.read("pairs.csv").starts_with("\u{feff}word,pseudoword,".as_bytes()));
    let report = place.wug(&["check", "pairs.csv", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!((&report["words"]["count"], &report["nonwords"]["count"]), (&12.into(), &12.into()));
    assert_eq!(report["kinds"], "list");
    // The words of the pairs by default, the pseudowords by their name; scores can be scored again.
    let words = |arguments: &[&str]| -> Vec<String> {
        let ended = place.wug(&[&["score", "--columns", "word"], arguments].concat());
        ended.succeeds().stdout.lines().skip(1).map(str::to_owned).collect()
    };
    let own = words(&["-i", "pairs.csv"]);
    assert_eq!(own, WORDS);
    let pseudowords = words(&["-i", "pairs.csv", "--word-column", "pseudoword"]);
    assert!(pseudowords.len() == 12 && pseudowords.iter().all(|word| !own.contains(word)));
    place.wug(&["score", "-i", "pairs.csv", "-o", "scores.tsv"]).tells(0, &["line 1 is a header"]);
    assert_eq!(words(&["-i", "scores.tsv"]), own);
    let text = place.text("scores.tsv");
    assert!(text.starts_with("word\t") && text.lines().count() == 13, "{text}");
}
