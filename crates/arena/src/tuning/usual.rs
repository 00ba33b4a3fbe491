//! The usual ranges of known parameters: what a hole without a range means.

use tesuji_core::spec::Parameter;

use super::Range;

/// Part, parameter, range. Each range contains the values that papers and our own experiments found
/// best in some game, and a factor of about ten on both sides.
static USUAL: &[(&str, &str, &str)] = &[
    ("uct", "c", "0.02..2:log"),
    ("h-mcts", "c", "0.02..2:log"),
    ("h-mcts", "b", "5..500:log:int"),
    ("puct", "c", "0.1..10:log"),
    ("puct", "temperature", "0.01..10:log"),
    ("rave", "bias", "1e-9..0.1:log"),
    ("grave", "bias", "1e-9..0.1:log"),
    ("hybrid-shuss", "bias", "1e-9..0.1:log"),
    ("grave", "ref", "1..1000:log:int"),
    ("gumbel-tree", "visit", "5..500:log"),
    ("gumbel-tree", "scale", "0.01..10:log"),
    ("prior", "k", "8..512:log:int"),
    ("net", "mix", "0..1"),
    ("hybrid-shuss", "t", "1..10000:log"),
    ("shuss", "t", "1..10000:log"),
    ("hybrid-shuss", "lambda", "0.2..0.9"),
    ("sh", "lambda", "0.2..0.9"),
    ("shuss", "lambda", "0.2..0.9"),
    ("gumbel", "lambda", "0.2..0.9"),
    ("sh", "w", "0..1"),
    ("shuss", "w", "0..1"),
    ("shuss", "delta", "0..4"),
    ("shuss", "sigma", "0.01..1:log"),
    ("shuss", "negligible", "0..0.8"),
    ("shuss", "prune", "1..10000:log"),
    ("shuss", "recall", "0..1"),
    ("gumbel", "m", "2..64:log:int"),
    ("gumbel", "visit", "5..500:log"),
    ("gumbel", "scale", "0.01..10:log"),
    ("gumbel", "logits", "0.1..10:log"),
    ("ucb", "c", "0.02..2:log"),
    ("ucb-sqrt", "c", "0.02..20:log"),
];

/// The usual range of a parameter of a part. Words that stand for others, such as `auto`, are left out.
/// `None` if the parameter has numbers as values, and nobody has said which are usual.
pub(super) fn usual(part: &str, parameter: &Parameter) -> Option<Range> {
    let known = USUAL.iter().find(|(owner, name, _)| *owner == part && *name == parameter.name);
    if let Some((.., text)) = known {
        return text.parse().ok();
    }
    if parameter.values.number.is_some() || parameter.values.list.is_some() {
        return None;
    }
    let words = parameter.values.words.iter().filter(|word| !["auto", "any"].contains(word));
    let words: Vec<String> = words.map(|word| (*word).to_owned()).collect();
    (words.len() > 1).then_some(Range::Words(words))
}

#[cfg(test)]
mod tests {
    use tesuji_bandit::policies;
    use tesuji_catalog::players;

    use super::*;

    #[test]
    fn parameters_allow_their_usual_ranges() {
        for (owner, name, text) in USUAL {
            let parts = players().iter().filter(|part| part.name == *owner).map(|part| part.parameters);
            let policies = policies().iter().filter(|policy| policy.name == *owner);
            let parameters = parts.chain(policies.map(|policy| policy.parameters)).flatten();
            let range: Range = text.parse().unwrap();
            let mut known = parameters.filter(|parameter| parameter.name == *name).peekable();
            assert!(known.peek().is_some(), "{owner}: {name}");
            for parameter in known {
                for step in 0..=20 {
                    let value = range.value(f64::from(step) / 20.0);
                    assert!(parameter.values.parse(&value).is_some(), "{owner}: {name}={value}");
                }
            }
        }
    }
}
