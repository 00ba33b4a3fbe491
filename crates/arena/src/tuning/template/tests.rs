use proptest::prelude::*;

use super::*;

fn template(text: &str) -> Template {
    text.parse().unwrap()
}

const TEMPLATES: [&str; 8] = [
    "hybrid-shuss(t=?,lambda=?)@1000",
    "uct(c=?)",
    "rave( bias = ?1e-8..1e-2:log , amaf=?after|whole|playout )@100",
    "shuss(t=?,w=1)+rave(bias=?,amaf=?)",
    "sh(lambda=?)+uct(c=0.3)+prior(sh(lambda=?0.3..0.8),k=?)@50",
    "grave(ref=?1..100)",
    "turned(1,puct(c=?,prior=?uniform|amaf,temperature=?)@20)",
    "gumbel(m=?,noise=off)+gumbel-tree(visit=?)+net(mix=?)",
];

#[test]
fn canonical_texts_are_read_back() {
    for text in TEMPLATES {
        let template = template(text);
        assert_eq!(template.to_string().parse(), Ok(template.clone()), "{text}");
        assert!(template.default_text().parse::<Contestant>().is_ok());
    }
}

#[test]
fn defaults_leave_options_out() {
    let defaults = TEMPLATES.map(|text| template(text).default_text());
    assert_eq!(
        defaults,
        [
            "hybrid-shuss@1000",
            "uct",
            "rave@100",
            "shuss(w=1)+rave",
            "sh+uct(c=0.3)+prior(sh,k=64)@50",
            "grave",
            "turned(1,puct@20)",
            "gumbel(noise=off)+gumbel-tree+net",
        ]
    );
}

#[test]
fn names_differ() {
    let names = |text: &str| {
        template(text).parameters().iter().map(|one| one.name.clone()).collect::<Vec<String>>().join(" ")
    };
    assert_eq!(names(TEMPLATES[3]), "t bias amaf");
    assert_eq!(names("sh(lambda=?)+uct+prior(sh(lambda=?),k=8)"), "sh.lambda.1 sh.lambda.2");
    assert_eq!(names("shuss(lambda=?)+uct+prior(sh(lambda=?),k=8)"), "shuss.lambda sh.lambda");
}

#[test]
fn ranges_may_come_from_elsewhere() {
    let with = |text: &str, name: &str, range: &str| {
        Template::with_ranges(text, &BTreeMap::from([(name.to_owned(), range.parse().unwrap())]))
    };
    let range = |text, name, range| with(text, name, range).unwrap().parameters()[0].range.to_string();
    assert_eq!(range("uct(c=?)", "c", "0..3"), "0..3");
    assert_eq!(range("puct(c=?)", "puct.c", "1..3"), "1..3");
    assert_eq!(range("uct(c=?0.1..0.2)", "c", "0..3"), "0..3");
    assert_eq!(
        with("uct(c=?)", "d", "0..3").unwrap_err().to_string(),
        "there is a range of d, and no hole of this name: the holes are c"
    );
}

#[test]
fn the_start_is_the_default() {
    let start = |text: &str| template(text).start();
    assert_eq!(start("hybrid-shuss(t=?)"), Start::Outside);
    assert_eq!(start("uct(c=?0..1)"), Start::At(Point(vec![0.4])));
    assert_eq!(start("uct(c=?0.5..1)"), Start::Outside);
    assert_eq!(start("uct+nodes(n=?100..1000)"), Start::None);
    let Start::At(point) = start("rave(bias=?,amaf=?)") else { panic!("both have defaults in their ranges") };
    assert_eq!(template("rave(bias=?,amaf=?)").fill(&point), "rave(bias=1e-7,amaf=after)");
}

#[test]
fn whole_numbers_are_whole() {
    assert_eq!(template("grave(ref=?1..100)").to_string(), "grave(ref=?1..100:int)");
}

#[test]
fn what_is_no_template_is_explained() {
    for (text, reason) in [
        ("uct(c=0.3)@100", "'uct(c=0.3)@100' has no hole: write an option to tune as name=? or name=?1..100"),
        ("uct@?", "a hole is the value of an option, as in rave(bias=?): 'uct@?' is not"),
        ("uct(?)", "a hole is the value of an option, as in rave(bias=?): 'uct(?' is not"),
        ("c=?", "a hole is the value of an option, as in rave(bias=?): 'c=?' is not"),
        ("(c=?)", "a hole is the value of an option, as in rave(bias=?): '(c=?' is not"),
        ("utc(c=?)", "no part of players has the name 'utc', so it has no options to tune"),
        ("uct(d=?)", "uct has no option 'd': it has c"),
        ("uct+reuse(d=?)", "reuse has no option 'd': it has none"),
        (
            "eb-tc(eps=?)+uct",
            "eb-tc's option eps has no usual range: write one, as in eps=?1..100:log or eps=?a|b",
        ),
        ("uct(c=?-1..1)", "'-1' is not a value of uct's option c: it is a number from 0 to 1000000"),
        (
            "rave(amaf=?after|all)",
            "'all' is not a value of rave's option amaf: it is after or whole or playout",
        ),
        (
            "uct(c=?1..0)",
            "'1..0' is not a range: the first number must be less than the second, and both must be finite",
        ),
        (
            "grave(ref=?1.5..9)",
            "'1.5' is not a value of grave's option ref: it is a whole number from 0 to 1000000000",
        ),
    ] {
        assert_eq!(
            text.parse::<Template>().map_err(|error| error.to_string()),
            Err(reason.to_owned()),
            "{text}"
        );
    }
    for text in [
        "uct(c=?",
        "uct(c=?)+uct",
        "uct(c=?,c=?)",
        "uct(c=?))",
        "uct(c=?)@zero",
        "uct(c=??)",
        "uct(c=?\"0..1)",
        "puct(prior=?)",
    ] {
        assert!(text.parse::<Template>().is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn filled_templates_are_players(which in 0..TEMPLATES.len(), at in prop::collection::vec(0.0_f64..1.0, 4)) {
        let template = template(TEMPLATES[which]);
        let point = Point(at[..template.parameters().len().min(4)].to_vec());
        let text = template.fill(&point);
        prop_assert!(text.parse::<Contestant>().is_ok(), "{}", text);
        prop_assert_eq!(template.fill(&template.space().snap(&point)), text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z(),=?.|:0-9@+\" ]{0,30}") {
        if let Ok(template) = text.parse::<Template>() {
            prop_assert_eq!(template.to_string().parse(), Ok(template));
        }
    }
}
