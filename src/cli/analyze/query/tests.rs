use super::*;

fn read_text(text: &str) -> Result<Option<Request>, Wrong> {
    read(&Line::Whole(text.as_bytes().to_vec()), None)
}

fn asked(text: &str) -> Asked {
    match read_text(text) {
        Ok(Some(Request::Search(asked))) => *asked,
        Ok(_) => panic!("{text} asks for no search"),
        Err(wrong) => panic!("{text}: {}", wrong.error),
    }
}

/// The id, the field and the beginning of the sentence that a wrong query gets.
fn check(text: &str, id: Option<Id>, field: Option<&str>, sentence: &str) {
    let Err(wrong) = read_text(text) else { panic!("{text} is read") };
    assert_eq!((&wrong.id, wrong.field.as_deref()), (&id, field), "{text}: {}", wrong.error);
    assert!(wrong.error.starts_with(sentence), "{text}: {}", wrong.error);
}

#[test]
fn what_is_left_out_is_as_usual() {
    let Asked { id, query, top } = asked(r#"{"id":"x","game":"hex:5","moves":null}"#);
    assert_eq!((id, top), (Id::Text("x".to_owned()), usize::MAX));
    assert_eq!(query.player().to_string(), "rave@10000");
    assert_eq!(query.budget, tesuji::search::Budget::Samples(10_000));
    assert_eq!((query.threads, query.every, query.seed), (1, None, Seed::new(1)));
    let hidden = asked(r#"{"id":"x","game":"phantom-go:5"}"#);
    assert_eq!(hidden.query.player().to_string(), "flat(sh)@10000");
}

#[test]
fn every_field_is_read() {
    let list = asked(
        r#"{"id":-7,"game":"hex:5","moves":["a1","b2"],"player":"uct","budget":"500ms","seed":3,
            "threads":2,"reportDuringSearchEvery":0.5,"top":4}"#,
    );
    assert_eq!((list.id, list.top, list.query.threads), (Id::Number(-7), 4, 2));
    assert_eq!(list.query.player().to_string(), "uct@500ms");
    assert_eq!(list.query.every, Some(Duration::from_millis(500)));
    assert_eq!(list.query.seed, Seed::new(3));
    let text =
        asked(r#"{"id":18446744073709551615,"game":"hex:5","moves":" a1, b2 ","seed":"3","budget":77}"#);
    // A player's own budget wins.
    let own = asked(r#"{"id":1,"game":"hex:5","player":"uct@9","budget":77}"#);
    assert_eq!(own.query.player().to_string(), "uct@9");
    assert_eq!(text.id, Id::Number(u64::MAX.into()));
    assert_eq!(text.query.position().position_text(), list.query.position().position_text());
    assert_eq!(text.query.seed, list.query.seed);
    assert_eq!(text.query.player().to_string(), "rave@77");
}

#[test]
fn searches_are_steered() {
    let asked = asked(
        r#"{"id":1,"game":"hex:4","player":"uct@90x1,50","moves":"d4 a4","only":["a1","b2","c3"],"avoid":"a1",
            "focus":"c3","focusBudget":"7x1,30"}"#,
    );
    let steering = &asked.query.steering;
    assert_eq!(steering.arm_texts(asked.query.position()), ["b2", "c3"]);
    assert_eq!(steering.focus().len(), 1);
    // It is the second move of its side.
    use tesuji::search::Budget::Samples;
    assert_eq!((asked.query.budget, asked.query.focus_budget), (Samples(50), Some(Samples(30))));
    let wrong = |fields: &str, field: &str, sentence: &str| {
        check(&format!(r#"{{"id":1,"game":"hex:2",{fields}}}"#), Some(Id::Number(1)), Some(field), sentence);
    };
    wrong(r#""only":"z9""#, "only", "'z9' is not a legal move");
    wrong(r#""only":7"#, "only", "'only' is a list of texts or one text, not a number");
    wrong(r#""only":[7]"#, "only", "'only' is a list of texts, and has a number");
    wrong(r#""only":[]"#, "only", "no move is left to search");
    wrong(r#""avoid":"a1 a2 b1 b2""#, "avoid", "no move is left to search: all 4 moves");
    wrong(r#""avoid":"a1","focus":"a1""#, "focus", "'a1' cannot be focused on");
    wrong(r#""focusBudget":5"#, "focusBudget", "'focusBudget' is only for queries with a 'focus'");
    wrong(r#""focus":"a1","focusBudget":0"#, "focusBudget", "'0' is not a budget");
}

#[test]
fn ids_are_written_as_they_came() {
    for id in [r#""x""#, "0", "-9223372036854775808", "18446744073709551615", r#""a\nb""#] {
        let read: Value = serde_json::from_str(id).unwrap();
        assert_eq!(serde_json::to_string(&Id::of(&read).unwrap()).unwrap(), id);
    }
    for none in ["1.5", "1e3", "true", "[1]", "{}", "null"] {
        assert_eq!(Id::of(&serde_json::from_str(none).unwrap()), None, "{none}");
    }
}

#[test]
fn actions_are_read() {
    let action = |text| read_text(text).ok().flatten().unwrap();
    assert!(matches!(action(r#"{"id":1,"action":"query_version"}"#), Request::Version { id: Id::Number(1) }));
    assert!(matches!(action(r#"{"id":1,"action":"terminate_all"}"#), Request::TerminateAll { .. }));
    let terminate = action(r#"{"id":1,"action":"terminate","terminateId":"x"}"#);
    assert!(matches!(terminate, Request::Terminate { target: Id::Text(text), .. } if text == "x"));
}

#[test]
fn what_is_wrong_is_said_of_the_field() {
    let x = || Some(Id::Text("x".to_owned()));
    check("{", None, None, "the line is not JSON: ");
    check("nonsense", None, None, "the line is not JSON, at column 2");
    check(r#"{"id":"x","game":"go"} {}"#, None, None, "the line is not JSON, at column ");
    check(&"[".repeat(100_000), None, None, "the line is not a JSON object");
    check(&format!(r#"{{"id":{}"#, "[".repeat(100_000)), None, None, "the line is not JSON, at column ");
    for other in ["[]", "7", "\"x\"", "null", "true"] {
        check(other, None, None, "the line is not a JSON object");
    }
    check("{}", None, Some("id"), "'id' is missing");
    check(r#"{"id":null,"game":"go"}"#, None, Some("id"), "'id' is missing");
    check(
        r#"{"id":1.5,"game":"go"}"#,
        None,
        Some("id"),
        "'id' is a text or a whole number of 64 bits, not 1.5",
    );
    check(r#"{"id":[1],"game":"go"}"#, None, Some("id"), "'id' is a text or a whole number");
    check(r#"{"id":"x"}"#, x(), Some("game"), "'game' is missing");
    check(r#"{"id":"x","game":9}"#, x(), Some("game"), "'game' is a text, not a number");
    check(r#"{"id":"x","game":"chess"}"#, x(), Some("game"), "'chess' is not a game");
    check(r#"{"id":"x","game":"hex:99"}"#, x(), Some("game"), "hex is not played on size '99'");
    check(
        r#"{"id":"x","game":"hex","gmae":1}"#,
        x(),
        Some("gmae"),
        "'gmae' is not a field: did you mean game?",
    );
    check(r#"{"id":"x","game":"hex","game":"go"}"#, x(), Some("game"), "'game' is given twice");
    check(
        r#"{"id":"x","game":"hex","terminateId":1}"#,
        x(),
        Some("terminateId"),
        "'terminateId' is only for",
    );
    check(r#"{"id":"x","game":"hex","player":"alphabeta"}"#, x(), Some("player"), "'alphabeta' is ");
    check(r#"{"id":"x","game":"hex","player":{}}"#, x(), Some("player"), "'player' is a text, not an object");
    check(
        r#"{"id":"x","game":"phantom-go:5","player":"rave"}"#,
        x(),
        Some("player"),
        "this player does not play",
    );
    check(r#"{"id":"x","game":"hex","budget":0}"#, x(), Some("budget"), "'0' is not a budget");
    check(r#"{"id":"x","game":"hex","budget":1.5}"#, x(), Some("budget"), "'1.5' is not a budget");
    check(
        r#"{"id":"x","game":"hex","budget":[]}"#,
        x(),
        Some("budget"),
        "'budget' is a number or a text, not a list",
    );
    check(r#"{"id":"x","game":"hex","seed":-1}"#, x(), Some("seed"), "'-1' is not a seed");
    check(
        r#"{"id":"x","game":"hex","threads":0}"#,
        x(),
        Some("threads"),
        "'threads' is a whole number from 1 to 1024",
    );
    check(r#"{"id":"x","game":"hex","top":"all"}"#, x(), Some("top"), "'top' is a whole number");
    check(
        r#"{"id":"x","game":"hex","moves":["zz"]}"#,
        x(),
        Some("moves"),
        "move 1: 'zz' is not a legal move here",
    );
    check(
        r#"{"id":"x","game":"hex","moves":"a1 a1"}"#,
        x(),
        Some("moves"),
        "move 2: 'a1' is not a legal move here",
    );
    check(
        r#"{"id":"x","game":"hex","moves":[1]}"#,
        x(),
        Some("moves"),
        "'moves' is a list of texts, and has a number",
    );
    check(
        r#"{"id":"x","game":"hex","moves":{}}"#,
        x(),
        Some("moves"),
        "'moves' is a list of texts or one text",
    );
    check(r#"{"id":"x","game":"hex","position":"?"}"#, x(), Some("position"), "'?' is not a position");
    for seconds in ["0", "-1", "1e-9", "1e9", "\"1\"", "true"] {
        let text = format!(r#"{{"id":"x","game":"hex","reportDuringSearchEvery":{seconds}}}"#);
        check(
            &text,
            x(),
            Some("reportDuringSearchEvery"),
            "'reportDuringSearchEvery' is a number of seconds",
        );
    }
    check(r#"{"id":"x","action":"stop"}"#, x(), Some("action"), "'stop' is not an action");
    check(r#"{"id":"x","action":"terminate"}"#, x(), Some("terminateId"), "'terminateId' is missing");
    check(
        r#"{"id":"x","action":"terminate_all","game":"go"}"#,
        x(),
        Some("game"),
        "'game' is not for this action",
    );
}

#[test]
fn lines_that_are_no_text_are_told_and_empty_ones_are_not() {
    assert!(matches!(read_text(" \r"), Ok(None)));
    let wrong = |line| read(&line, None).err().unwrap().error;
    assert_eq!(wrong(Line::Whole(vec![b'{', 0xff, b'}'])), "the line is not text in UTF-8");
    assert_eq!(wrong(Line::TooLong(b"{".to_vec())), "the line is too long: it may have 1048576 bytes");
}
