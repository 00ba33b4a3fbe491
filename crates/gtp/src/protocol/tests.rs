use proptest::prelude::*;

use super::*;

/// All answers and errors of a stream.
fn read(bytes: &[u8]) -> Vec<Result<Response, Malformed>> {
    let mut reader = ResponseReader::default();
    reader.push(bytes);
    std::iter::from_fn(|| reader.next_response().transpose()).collect()
}

fn good(id: Option<u32>, text: &str) -> Result<Response, Malformed> {
    Ok(Response { id, result: Ok(text.to_owned()) })
}

fn problem(bytes: &[u8]) -> String {
    read(bytes)[0].as_ref().unwrap_err().to_string()
}

#[test]
fn answers_are_read() {
    let bad = |id, text: &str| Ok(Response { id, result: Err(text.to_owned()) });
    assert_eq!(read(b"=\n\n"), [good(None, "")]);
    assert_eq!(read(b"= \n\n"), [good(None, "")]);
    assert_eq!(read(b"=12\n\n"), [good(Some(12), "")]);
    assert_eq!(read(b"= 12\n\n"), [good(None, "12")]);
    assert_eq!(read(b"=3 E5\n\n"), [good(Some(3), "E5")]);
    assert_eq!(read(b"?3 illegal move\n\n"), [bad(Some(3), "illegal move")]);
    assert_eq!(read(b"=1 a\n b\n\n=2 c\n\n"), [good(Some(1), "a\n b"), good(Some(2), "c")]);
    assert_eq!(read(b"=1\n  A B # C\n\n"), [good(Some(1), "\n  A B # C")]);
    assert_eq!(read(b"\n\n \t\n=1 a\n\n\n\n"), [good(Some(1), "a")]);
    assert_eq!(read(b"\r\n\x07=1 a\tb\x7f\x01\r\n\r\n"), [good(Some(1), "a b")]);
    assert_eq!(read("=1 碁\n\n".as_bytes()), [good(Some(1), "碁")]);
}

#[test]
fn answers_that_are_not_whole_are_waited_for() {
    for part in ["", "=", "=1 E", "=1 E5\n", "garbage", "\n\n"] {
        assert_eq!(read(part.as_bytes()), [], "{part:?}");
    }
}

#[test]
fn other_text_is_an_error_with_a_reason() {
    assert_eq!(problem(b"Welcome!\n=1 a\n\n"), "it begins with neither = nor ?: 'Welcome!'");
    assert_eq!(problem(b" =1 a\n\n"), "it begins with neither = nor ?: ' =1 a'");
    assert_eq!(problem(b"=x\n\n"), "its id is no number: '=x'");
    assert_eq!(problem(b"=1x\n\n"), "its id is no number: '=1x'");
    assert_eq!(problem(b"=99999999999 x\n\n"), "its id is no number: '=99999999999 x'");
    assert_eq!(problem(b"=1 \xff\xfe\n\n"), "it is not UTF-8: '=1 \u{fffd}\u{fffd}'");
    // The next answer is found again.
    assert_eq!(read(b"Welcome!\n=1 a\n\n")[1], good(Some(1), "a"));
}

#[test]
fn endless_answers_are_given_up() {
    let endless = [&b"=1 "[..], &vec![b'x'; LONGEST_ANSWER]].concat();
    let text = problem(&endless);
    assert!(text.starts_with("it does not end: '=1 xxx"), "{text}");
    assert!(text.ends_with("x…'") && text.len() < 200, "{text}");
    let lines = [&b"=1 "[..], &b"x\n".repeat(LONGEST_ANSWER / 2)].concat();
    assert!(problem(&lines).starts_with("it does not end: '=1 x x"));
    // One just short of it is an answer.
    let long = [&b"=1 "[..], &vec![b'x'; LONGEST_ANSWER - 5], b"\n\n"].concat();
    assert!(read(&long)[0].is_ok());
}

#[test]
fn commands_are_read() {
    let parse = |line: &str| Request::parse(line).map(|request| request.to_string());
    assert_eq!(parse(" 7\tgenmove  b\r\n").as_deref(), Some("7 genmove b"));
    assert_eq!(parse("komi 7.5 # Chinese").as_deref(), Some("komi 7.5"));
    assert_eq!(parse("play b A1\nquit").as_deref(), Some("play b A1 quit"));
    assert_eq!(Request::parse("7 name").unwrap().id, Some(7));
    assert_eq!(Request::parse("+7 name").unwrap().id, None);
    for nothing in ["", " \t\r\n", "# name", "7", "7 # name"] {
        assert_eq!(Request::parse(nothing), None, "{nothing:?}");
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read(&bytes);
    }

    /// Bytes that often look like answers, and the same whichever way they come in.
    #[test]
    fn pieces_do_not_matter(
        bytes in prop::collection::vec(prop::sample::select(&b"=?12 \n\n\n\r\tx#\x00\xff\xc3\xa4"[..]), 0..100),
        size in 1_usize..10,
    ) {
        let mut reader = ResponseReader::default();
        let mut answers = Vec::new();
        for piece in bytes.chunks(size) {
            reader.push(piece);
            while let Some(answer) = reader.next_response().transpose() {
                answers.push(answer);
            }
        }
        prop_assert_eq!(answers, read(&bytes));
    }

    #[test]
    fn written_answers_are_read_back(
        id in prop::option::of(any::<u32>()),
        text in "([a-z=?#][ a-z=?#]{0,9}(\n[ a-z=?#]{1,9}){0,3}[a-z])?",
        is_good in any::<bool>(),
    ) {
        let response = Response { id, result: if is_good { Ok(text) } else { Err(text) } };
        prop_assert_eq!(read(response.to_string().as_bytes()), [Ok(response)]);
    }

    /// Whatever the text, it is written as one answer.
    #[test]
    fn written_answers_are_one(text in "(?s).{0,20}") {
        let response = Response { id: Some(1), result: Ok(text) };
        prop_assert_eq!(read(response.to_string().as_bytes()).len(), 1);
    }

    #[test]
    fn written_commands_are_read_back(line in "(?s).{0,20}") {
        if let Some(request) = Request::parse(&line) {
            prop_assert_eq!(Request::parse(&request.to_string()), Some(request));
        }
    }
}
