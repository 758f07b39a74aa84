use super::*;

fn layout(text: &str, asked: &TableColumns) -> Result<Layout, String> {
    let mut table = Table::new(
        Input::from_reader("list", text.as_bytes().to_vec().leak() as &[u8]).unwrap(),
        asked.clone(),
    );
    table.look().map_err(|error| error.to_string())?;
    Ok(table.layout().unwrap().clone())
}

fn said(text: &str) -> String {
    layout(text, &TableColumns::default()).unwrap().to_string()
}

fn asked(word: Option<&str>, count: Option<&str>) -> TableColumns {
    TableColumns { word: word.map(Into::into), count: count.map(Into::into) }
}

#[test]
fn plain_lists_have_nothing_to_say() {
    for list in [
        "wug\nblick\n",
        "wug\t3\nblick\t1\n",
        "the 3\nof 2\n",
        "wug,3\nblick,4",
        "cat\tword\ncxt\tnonword\n",
        "word\n",
        "word\tword\n",
        "",
        "a\n\nb",
    ] {
        assert_eq!(said(list), "", "{list:?}");
    }
}

#[test]
fn what_was_found_out_is_said() {
    assert_eq!(said("word\ncat\ndog\n"), "line 1 is a header (`word`)");
    assert_eq!(
        said("\n1;cat;3,5\n2;dog;4,0\n3;rat;1,5\n"),
        "words are in column 2, counts in column 3, semicolons between columns"
    );
    assert_eq!(
        said("item,Word,freq\n1,cat,3\n2,\"dog\",4\n"),
        "line 1 is a header, words are in column 2 (`Word`), counts in column 3 (`freq`), commas between columns"
    );
    let windows = Input::from_reader("list", &b"M\xfcller\nGr\xf6\xdfe\n"[..]).unwrap();
    let mut table = Table::new(windows, TableColumns::default());
    table.look().unwrap();
    assert_eq!(table.note().unwrap(), "read as Windows-1252");
    let row = loop {
        if let Some(row) = table.next().unwrap().unwrap() {
            break row;
        }
    };
    assert_eq!(row.cells, ["Müller"]);
}

#[test]
fn columns_can_be_named_or_numbered() {
    let table = "Wort;Häufigkeit;Zipf\nHaus;12;3,1\nMaus;3;2,0\n";
    for (asked, word, count) in [
        (asked(None, None), 0, Some(1)),
        (asked(Some("wort"), Some("zipf")), 0, Some(2)),
        (asked(Some("1"), Some("2")), 0, Some(1)),
        (asked(Some("3"), None), 2, Some(1)),
    ] {
        let layout = layout(table, &asked).unwrap();
        assert_eq!((layout.word, layout.count), (word, count), "{asked:?}");
        assert!(!layout.to_string().is_empty());
    }
    let error = layout(table, &asked(Some("lemma"), None)).unwrap_err();
    assert_eq!(error, "list has no column `lemma`; it has columns 1 to 3: Wort, Häufigkeit, Zipf");
    let error = layout("a\nb\n", &asked(None, Some("2"))).unwrap_err();
    assert_eq!(error, "list has no column `2`; it has one column without names");
    // A name makes the first line a header.
    assert_eq!(layout("lemma,pos\ncat,noun\n", &asked(Some("Lemma"), None)).unwrap().header.unwrap().0, 1);
}

#[test]
fn headers_are_told_from_words() {
    for header in
        ["word\tkind\ncat\tword\n", "Wort,Anzahl\nHaus,3\n", "word,pseudoword\ncat,cet\n", "a,b\nwug,1.5\n"]
    {
        assert!(layout(header, &TableColumns::default()).unwrap().header.is_some(), "{header:?}");
    }
    for none in [
        "word\tword\ncxt\tnonword\n",
        "name\nada\n",
        "New York\nBoston\n",
        "wug,3\nblick,4\n",
        "form,word\nfarm,word\n",
    ] {
        assert!(layout(none, &TableColumns::default()).unwrap().header.is_none(), "{none:?}");
    }
}

#[test]
fn cells_are_split_as_spreadsheets_write_them() {
    let cells = |line, sign| split(line, Separator::Sign(sign)).map(|row| row.join("|"));
    assert_eq!(cells("a, b ,,c", ','), Some("a|b||c".into()));
    assert_eq!(cells("\"a,\"\"b\"\"\" , c,\"\"", ','), Some("a,\"b\"|c|".into()));
    assert_eq!(cells("'=wug,'tis,\"'-ness\"", ','), Some("=wug|'tis|-ness".into()));
    assert_eq!(cells("say \"a\";b", ';'), Some("say \"a\"|b".into()));
    for wrong in ["\"a", "\"a\"b,c", "a,\"b\"\""] {
        assert_eq!(cells(wrong, ','), None, "{wrong}");
    }
}
