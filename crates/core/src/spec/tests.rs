use super::*;

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "lambda",
        meaning: "the share kept",
        default: Some("0.5"),
        values: Values { words: &[], number: Some(Interval::FRACTION), list: Some(Interval::FRACTION) },
    },
    Parameter {
        name: "t",
        meaning: "the weight of the score",
        default: None,
        values: Values { words: &["adaptive"], number: Some(Interval::UP_TO_INFINITY), list: None },
    },
];

fn printed(text: &str) -> Result<String, String> {
    let call = Call::parse(text).map_err(|error| error.to_string())?;
    let arguments = call.resolve(PARAMETERS).map_err(|error| error.to_string())?;
    Ok(format!("{}{arguments}", call.name))
}

#[test]
fn what_is_printed_is_canonical() {
    assert_eq!(printed("X(t=0512.0)").as_deref(), Ok("x(t=512)"));
    assert_eq!(printed("x( T = inf , lambda=.5)").as_deref(), Ok("x(t=inf)"));
    assert_eq!(printed("x(t=inf,lambda=0.50)").as_deref(), Ok("x(t=inf)"));
    assert_eq!(printed("x(lambda=[0.3, 0.7],t=adaptive)").as_deref(), Ok("x(lambda=[0.3,0.7],t=adaptive)"));
    assert_eq!(printed("x(t=0.000001)").as_deref(), Ok("x(t=1e-6)"));
    assert_eq!(printed("x(t=-0)").as_deref(), Ok("x(t=0)"));
}

#[test]
fn values_are_set_without_text() {
    let mut arguments = Call::parse("x(t=512)").unwrap().resolve(PARAMETERS).unwrap();
    assert!(arguments.is_default("lambda") && !arguments.is_default("t") && !arguments.is_default("u"));
    for (name, value) in [("t", Value::Word("adaptive")), ("lambda", Value::List(vec![0.3, 0.7]))] {
        assert_eq!(arguments.set("x", name, value), Ok(()));
    }
    assert_eq!(arguments.to_string(), "(lambda=[0.3,0.7],t=adaptive)");
    let mut zero = arguments.clone();
    assert_eq!(zero.set("x", "t", Value::Number(-0.0)), Ok(()));
    assert_eq!(zero.to_string(), "(lambda=[0.3,0.7],t=0)");
    let mut refusal = |name, value| arguments.set("x", name, value).unwrap_err().to_string();
    assert_eq!(refusal("u", Value::Number(1.0)), "x has no option 'u': its options are lambda, t");
    assert_eq!(
        refusal("t", Value::Number(-1.0)),
        "'-1' is not a value of x's option t: it is adaptive or a number from 0 to inf"
    );
    for (name, value) in [
        ("t", Value::Word("off")),
        ("t", Value::Number(f64::NAN)),
        ("t", Value::List(vec![1.0])),
        ("lambda", Value::List(vec![])),
        ("lambda", Value::Number(1.0)),
    ] {
        assert!(!refusal(name, value.clone()).is_empty(), "{name}={value}");
    }
    assert_eq!(arguments.to_string(), "(lambda=[0.3,0.7],t=adaptive)", "a refusal changes nothing");
}

#[test]
fn refusals_are_sentences() {
    let refusal = |text| printed(text).unwrap_err();
    assert_eq!(
        refusal("x"),
        "x needs t, the weight of the score: adaptive or a number from 0 to inf, as in x(t=…)"
    );
    assert_eq!(refusal("x(t=1,u=2)"), "x has no option 'u': its options are lambda, t");
    assert_eq!(refusal("x(t=1,t=2)"), "x's option t is given twice");
    assert_eq!(refusal("x(t=1"), "'x(t=1' is not understood: the bracket is not closed at the end");
    assert_eq!(
        refusal("x(1)"),
        "'x(1)' is not understood: options are written name=value, with commas between them"
    );
    assert_eq!(refusal("x(t=[1)"), "'x(t=[1)' is not understood: brackets do not match");
    for bad in ["nan", "1e999", "+1", "-1", "", "infinity", "-inf", "[1]", "1 2"] {
        assert!(printed(&format!("x(t={bad})")).is_err(), "{bad}");
    }
}
