//! As much of JSON Schema as the OpenAPI file uses; a word that is not known here is a fault,
//! so that nothing is taken for checked that is not.

use serde_json::Value;

use crate::client::DESCRIPTION;

/// What is wrong with a value, a line each.
pub(crate) fn faults(schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    let mut fault = |what: String| found.push(format!("{place}: {what}"));
    let words = schema.as_object().expect("a schema is an object");
    for (word, wanted) in words {
        match word.as_str() {
            "description" | "title" | "examples" => {}
            "$ref" => {
                let name = wanted.as_str().unwrap().rsplit('/').next().unwrap();
                faults(&DESCRIPTION["components"]["schemas"][name], value, place, found);
                return;
            }
            "anyOf" => {
                let fits = |schema: &Value| {
                    let mut none = Vec::new();
                    faults(schema, value, place, &mut none);
                    none.is_empty()
                };
                if !wanted.as_array().unwrap().iter().any(fits) {
                    fault(format!("{value} is none of {wanted}"));
                }
            }
            "type" => {
                let is = |kind: &Value| is_of(kind.as_str().unwrap(), value);
                if !wanted.as_array().map_or_else(|| is(wanted), |kinds| kinds.iter().any(is)) {
                    fault(format!("{value} is not of type {wanted}"));
                    return;
                }
            }
            "enum" => {
                if !wanted.as_array().unwrap().contains(value) {
                    fault(format!("{value} is none of {wanted}"));
                }
            }
            "minimum" | "maximum" => {
                let outside = |number: f64| {
                    let bound = wanted.as_f64().unwrap();
                    if word == "minimum" { number < bound } else { number > bound }
                };
                if value.as_f64().is_some_and(outside) {
                    fault(format!("{value} is outside {word} {wanted}"));
                }
            }
            // The one pattern there is.
            "pattern" => {
                assert_eq!(wanted, "^[XO.]*$");
                if !value.as_str().is_some_and(|text| text.chars().all(|letter| "XO.".contains(letter))) {
                    fault(format!("{value} does not fit {wanted}"));
                }
            }
            "required" => {
                for name in wanted.as_array().unwrap() {
                    if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
                        fault(format!("{name} is missing"));
                    }
                }
            }
            "properties" | "items" | "additionalProperties" => {}
            other => panic!("{other} is not known here"),
        }
    }
    if let (Some(items), Some(values)) = (words.get("items"), value.as_array()) {
        for (index, value) in values.iter().enumerate() {
            faults(items, value, &format!("{place}/{index}"), found);
        }
    }
    if let (Some(properties), Some(values)) = (words.get("properties"), value.as_object()) {
        for (name, value) in values {
            match properties.get(name) {
                Some(schema) => faults(schema, value, &format!("{place}/{name}"), found),
                None if words.get("additionalProperties") == Some(&Value::Bool(false)) => {
                    found.push(format!("{place}: {name} is not described"));
                }
                None => {}
            }
        }
    }
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("{other} is not known here"),
    }
}

#[test]
fn faults_are_found() {
    let game = |value: Value| {
        let mut found = Vec::new();
        faults(&serde_json::json!({ "$ref": "#/components/schemas/Outcome" }), &value, "", &mut found);
        found.len()
    };
    let good = serde_json::json!({ "winner": null, "text": "A draw", "margin": 0.5, "reason": "rules" });
    assert_eq!(game(good.clone()), 0);
    for (name, value) in
        [("winner", "red"), ("text", ""), ("margin", "much"), ("reason", "time"), ("colour", "red")]
    {
        let mut bad = good.clone();
        bad[name] = Value::from(value);
        assert_eq!(game(bad), usize::from(name != "text"), "{name}");
    }
    let mut bad = good;
    bad.as_object_mut().unwrap().remove("text");
    assert_eq!(game(bad), 1);
}
