use proptest::prelude::*;
use tesuji_bandit::policies;
use tesuji_core::Seed;
use tesuji_games::Breakthrough;
use tesuji_search::{Budget, LeafConfig, Limits, PlayerConfig, Root, TreeConfig};

use super::{PartKind, PlayerError, PlayerSpec, players};

fn spec(text: &str) -> PlayerSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn sentence(text: &str) -> String {
    match text.parse::<PlayerSpec>() {
        Ok(spec) => panic!("'{text}' is {spec}"),
        Err(error) => error.to_string(),
    }
}

/// Specs with every part in them, and what they are printed as.
const SPECS: &[(&str, &str)] = &[
    ("random", "random"),
    (" Greedy() @ 10", "greedy@10"),
    ("uct", "uct"),
    ("UCT(c=0.40)", "uct"),
    ("uct ( c = .31 )", "uct(c=0.31)"),
    ("uct(c=1e+3)", "uct(c=1000)"),
    ("uct+playout", "uct"),
    ("rave(bias=0.0000001,amaf=after)", "rave"),
    ("rave(amaf=whole,bias=1e-5)", "rave(bias=1e-5,amaf=whole)"),
    ("grave(ref=50)", "grave"),
    ("grave(ref=0,bias=0,amaf=whole)", "grave(ref=0,bias=0,amaf=whole)"),
    ("puct", "puct"),
    ("puct(c=auto,prior=auto,temperature=auto)", "puct"),
    ("puct(temperature=1,prior=uniform,c=2)", "puct(c=2,prior=uniform,temperature=1)"),
    ("puct(prior=leaf)+prior(sh,64)", "puct(prior=leaf)+prior(sh,64)"),
    ("voi-tree", "voi-tree"),
    ("voi-tree(bound=vct)", "voi-tree(bound=vct)"),
    ("voi-tree(bound=bct)", "voi-tree(bound=bct)"),
    ("SHOT", "shot"),
    ("h-mcts(B=50,c=0.8)", "h-mcts"),
    ("H-MCTS(C=0.4,B=100)", "h-mcts(b=100,c=0.4)"),
    ("sh + uct", "sh+uct"),
    ("sh(lambda=[0.3, 0.7])+rave", "sh(lambda=[0.3,0.7])+rave"),
    ("sh+shot", "sh+shot"),
    ("ect(stop=1e-6)+uct", "ect(stop=1e-6)+uct"),
    ("half-greedy+uct(c=1.4)", "half-greedy+uct(c=1.4)"),
    ("gumbel(m=16)+puct", "gumbel+puct"),
    ("flat( sh )", "flat(sh)"),
    ("flat(ucb(c=0.5))", "flat(ucb(c=0.5))"),
    ("flat(sh(lambda=[0.3,0.7],w=0))+prior(uniform,8)", "flat(sh(lambda=[0.3,0.7],w=0))+prior(uniform,8)"),
    ("uct(c=0.31)+prior(sh,64)", "uct(c=0.31)+prior(sh,64)"),
    ("uct+prior( sh(least=2,w=0) , 064 )", "uct+prior(sh(w=0,least=2),64)"),
    ("uct+prior(Literal,64,count=simulations)", "uct+prior(literal,64)"),
    ("uct+prior(uniform,k=32,count=playouts)", "uct+prior(uniform,32,count=playouts)"),
    ("uct+prior(uniform,32,playouts)", "uct+prior(uniform,32,count=playouts)"),
    ("uct+trees(8)+nodes(1000)+solver+reuse", "uct+reuse+solver+nodes(1000)+trees(8)"),
    ("uct+until(95%)+solver", "uct+solver+until(95%)"),
    ("flat(sh)+until(0.995, within=0.020)", "flat(sh)+until(99.5%,within=0.02)"),
    ("uct+until(level=0.9,within=2%)", "uct+until(90%,within=0.02)"),
    ("uct+until(80%,0.05)@9", "uct+until(80%,within=0.05)@9"),
    ("uct+no-transpositions", "uct+no-transpositions"),
    ("uct+nodes(n=10000000)", "uct"),
    ("hybrid-shuss(t=512)", "shuss(t=512,score=amaf)+rave"),
    ("hybrid-shuss", "shuss(score=amaf)+rave"),
    ("shuss(t=calibrated,ranks=left,own=on)+uct", "shuss(ranks=left,own=on)+uct"),
    (
        "hybrid-shuss(t=adaptive,lambda=[0.3,0.7],bias=1e-5)+solver",
        "shuss(t=adaptive,lambda=[0.3,0.7],score=amaf)+rave(bias=1e-5)+solver",
    ),
    ("shuss(score=amaf,t=512)+rave(bias=1e-7)+playout", "shuss(t=512,score=amaf)+rave"),
    ("shuss(t=64)+rave @ 1.5 S", "shuss(t=64)+rave@1.5s"),
    ("shuss(t=64,score=prior)+uct+prior(sh,16)", "shuss(t=64,score=prior)+uct+prior(sh,16)"),
    ("rave@10000", "rave@10000"),
    ("rave@0.5s", "rave@500ms"),
];

#[test]
fn canonical_texts_are_read_as_printed() {
    for (text, canonical) in SPECS {
        assert_eq!(spec(text).to_string(), *canonical);
        assert_eq!(spec(canonical), spec(text));
        assert_eq!(spec(canonical).config().check(), Ok(()));
    }
}

#[test]
fn every_spec_can_play() {
    let position = Breakthrough::new(3, 4).unwrap();
    for (text, _) in SPECS {
        let mut player = spec(text).config().player();
        let report = player.search(&position, &Limits::samples(100), Seed::new(1), None);
        assert!(report.chosen.is_some_and(|arm| arm < report.arms.len()), "{text}");
    }
}

#[test]
fn specs_are_what_they_say() {
    let text = "shuss(t=512,score=amaf)+rave+prior(sh,16)+reuse+no-transpositions@2m";
    let PlayerConfig::Search(search) = spec(text).config().clone() else { panic!("a search") };
    assert!(matches!(&search.root, Root::Policy(policy) if policy.score() == Some("amaf")));
    assert!(matches!(search.tree, TreeConfig::Rave { bias: 1e-7, .. }));
    assert!(matches!(search.leaf, LeafConfig::Prior { playouts: 16, .. }));
    let options = search.options;
    assert!(options.reuse && !options.transpositions && !options.solver);
    assert_eq!(spec(text).budget_at(0), Some(Budget::Time(std::time::Duration::from_secs(120))));
    assert_eq!(spec("uct").budget(), None);
    let hurried = spec(text).with_budget("100".parse().unwrap());
    assert_eq!(hurried.budget_at(40), Some(Budget::Samples(100)));
    assert_eq!(hurried.without_budget().config(), spec(text).config());
}

#[test]
fn every_policy_is_a_root_and_every_part_has_an_example() {
    for policy in policies() {
        let needed = policy.parameters.iter().filter(|parameter| parameter.default.is_none());
        let needed: Vec<String> = needed.map(|parameter| format!("{}=1", parameter.name)).collect();
        let policy = format!("{}({})", policy.name, needed.join(","));
        for text in [format!("{policy}+uct"), format!("flat({policy})"), format!("uct+prior({policy},8)")] {
            assert_eq!(spec(&text).to_string().parse(), Ok(spec(&text)));
        }
    }
    for info in players() {
        assert!(info.example.to_lowercase().contains(info.name), "{}", info.example);
        assert!(info.written.starts_with(info.name) && !info.meaning.ends_with('.'));
        let spec = spec(info.example);
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
}

/// Only a tree may have the name of a policy: what comes after it tells which is meant.
#[test]
fn names_are_unique() {
    let is_tree =
        |name: &str| players().iter().any(|info| info.name == name && info.kind() == PartKind::Tree);
    let mut names: Vec<&str> = players().iter().map(|info| info.name).collect();
    names.extend(policies().iter().map(|info| info.name).filter(|name| !is_tree(name)));
    // A word that prior takes in the place of a policy.
    names.push("literal");
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
}

/// The alias has some of the options of the policy it stands for.
#[test]
fn an_alias_takes_what_its_policy_takes() {
    let alias = players().iter().find(|info| info.name == "hybrid-shuss").unwrap();
    let shuss = policies().iter().find(|info| info.name == "shuss").unwrap();
    for name in ["t", "lambda"] {
        let [ours, theirs] = [alias.parameters, shuss.parameters]
            .map(|parameters| parameters.iter().find(|parameter| parameter.name == name).unwrap());
        assert_eq!((ours.default, &ours.values), (theirs.default, &theirs.values));
    }
}

#[test]
fn parts_explain_a_player() {
    let parts = spec("ucb(c=0.5)+grave").parts();
    let texts: Vec<(PartKind, &str)> = parts.iter().map(|part| (part.kind, part.text.as_str())).collect();
    assert_eq!(
        texts,
        [(PartKind::Root, "ucb(c=0.5)"), (PartKind::Tree, "grave"), (PartKind::Leaf, "playout")]
    );
    let options: Vec<String> =
        parts[1].options.iter().map(|(parameter, value)| format!("{}={value}", parameter.name)).collect();
    assert_eq!(options, ["ref=50", "bias=1e-7", "amaf=after"]);
    for (text, _) in SPECS {
        let parts = spec(text).parts();
        assert!(parts.is_sorted_by_key(|part| part.kind), "{text}");
        // Together they are the spec, but for what stands there by default.
        let shown = parts.iter().filter(|part| !["", "playout"].contains(&part.text.as_str()));
        let joined: Vec<&str> = shown.map(|part| part.text.as_str()).collect();
        let canonical = spec(text).without_budget().to_string();
        assert!(joined.join("+") == canonical || canonical.starts_with("flat("), "{canonical}: {joined:?}");
    }
}

#[test]
fn an_error_names_the_wrong_word_and_what_is_allowed() {
    let unknown = sentence("sh+xyz(a=1)");
    assert!(
        unknown.starts_with(
            "'xyz' is not a player or a part of one: a player is random, greedy, or has a tree, "
        ),
        "{unknown}"
    );
    let trees = || players().iter().filter(|info| info.kind() == PartKind::Tree);
    assert!(trees().all(|info| unknown.contains(info.name)), "{unknown}");
    assert!(unknown.ends_with("; `tesuji players` lists all parts"), "{unknown}");
    assert!(sentence("shh+uct").ends_with(": did you mean sh?"));
    assert!(sentence("raev").ends_with(": did you mean rave?"));
    const ORDER: &str = "a player is written ROOT+TREE+LEAF+OPTIONS, as in sh+uct+prior(sh,64)+reuse";
    const BUDGET: &str = "it is a number of samples from 1 to 16777216, or a time above 0 and up to a day such as 500ms, 1.5s or 2m";
    const NET: &str = "it is written net, net(RELEASE), net(\"FILE\") or net(\"FILE\",DIGEST), with a release from 1 and \
        the first 8 hexadecimal digits of the file's digest, as in puct+net";
    const PRIOR: &str = "it is written prior(POLICY,K), as in uct(c=0.31)+prior(sh,64)";
    for (text, expected) in [
        ("sh", "sh is only a root: write sh+uct, or flat(sh) for no tree".to_owned()),
        ("sh+prior(sh,8)", "sh is only a root: write sh+uct, or flat(sh) for no tree".to_owned()),
        ("shuss(t=5)@100", "shuss(t=5) is only a root: write shuss(t=5)+uct, or flat(shuss(t=5)) for no tree".to_owned()),
        ("prior(sh,64)", "'prior' needs a tree before it, as in uct(c=0.31)+prior(sh,64)".to_owned()),
        ("reuse", "'reuse' needs a tree before it, as in uct+reuse".to_owned()),
        ("uct+rave", "'uct' and 'rave' are two trees: a player has only one".to_owned()),
        ("flat(sh)+uct", "'flat' and 'uct' are two trees: a player has only one".to_owned()),
        ("hybrid-shuss(t=1)+uct", "'rave' and 'uct' are two trees: a player has only one".to_owned()),
        ("sh+ucb1+uct", "'sh' and 'ucb1' are two roots: a player has only one".to_owned()),
        ("sh+flat(sh)", "'sh' and 'flat' are two roots: a player has only one".to_owned()),
        ("uct+playout+playout", "'playout' and 'playout' are two leaves: a player has only one".to_owned()),
        ("uct+reuse+solver+reuse", "'reuse' is given twice".to_owned()),
        ("uct+sh", format!("'sh' does not come after 'uct': {ORDER}")),
        ("reuse+uct", format!("'uct' does not come after 'reuse': {ORDER}")),
        ("random+reuse", "'random' is a complete player and takes no other parts".to_owned()),
        ("uct+greedy", "'greedy' is a complete player and takes no other parts".to_owned()),
        ("random(c=1)", "random has no option 'c': it has none".to_owned()),
        ("uct(d=1)", "uct has no option 'd': its only option is c".to_owned()),
        ("uct(c=-1)", "'-1' is not a value of uct's option c: it is a number from 0 to 1000000".to_owned()),
        ("gumbel+gumbel-tree(visit=2000000)+net", "'2000000' is not a value of gumbel-tree's option visit: it is a number from 0 to 1000000".to_owned()),
        ("uct(0.4)", "'uct(0.4)' is not understood: options are written name=value, with commas between them".to_owned()),
        ("hybrid-shuss(t=much)", "'much' is not a value of hybrid-shuss's option t: it is calibrated or adaptive or a number from 0 to inf".to_owned()),
        ("ucb+uct", "ucb needs c, how much is explored: a number of at least 0, as in ucb(c=…)".to_owned()),
        ("uct+prior(sh,0)", "'0' is not a value of prior's option k: it is a whole number from 1 to 1000000".to_owned()),
        ("uct+prior(sh)", format!("'prior(sh)' is not understood: {PRIOR}")),
        ("uct+prior", format!("'prior' is not understood: {PRIOR}")),
        ("uct+prior(sh,8,playouts,9)", format!("'prior(sh,8,playouts,9)' is not understood: {PRIOR}")),
        ("flat", "'flat' is not understood: it is written flat(POLICY), as in flat(sh)".to_owned()),
        ("uct+until", "'until' is not understood: it is written until(LEVEL), as in sh+uct+until(95%,within=0.02)".to_owned()),
        ("uct+until(95)", "'95' is not a value of until's option level: it is a number above 0.5 and below 1".to_owned()),
        ("uct+until(95%,within=0.6)", "'0.6' is not a value of until's option within: it is a number from 0 to 0.5".to_owned()),
        ("uct+trees(1)", "'1' is not a value of trees's option k: it is a whole number from 2 to 1024".to_owned()),
        ("uct+nodes", "'nodes' is not understood: it is written nodes(N), as in uct+nodes(1000000)".to_owned()),
        ("puct+net(0)", format!("'net(0)' is not understood: {NET}")),
        ("puct+net(1.0)", format!("'net(1.0)' is not understood: {NET}")),
        ("puct+net(4294967296)", format!("'net(4294967296)' is not understood: {NET}")),
        ("puct+net(\"x\",06c0)", format!("'net(\"x\",06c0)' is not understood: {NET}")),
        ("uct+reuse(on)", "'reuse(on)' is not understood: it is written reuse, as in uct+reuse".to_owned()),
        ("uct(c=1", "'uct(c=1' is not a player: brackets do not match".to_owned()),
        ("uct(c=1)x", "'uct(c=1)x' is not understood: the bracket is not closed at the end".to_owned()),
        ("uct@", format!("'' is not a budget: {BUDGET}")),
        ("uct@0", format!("'0' is not a budget: {BUDGET}")),
        ("uct@1@2", format!("'1@2' is not a budget: {BUDGET}")),
        ("puct(prior=leaf)", "'puct(prior=leaf)' is impossible: puct(prior=leaf) needs a leaf with several playouts or a network, as in puct(prior=leaf)+prior(sh,64) or puct+net".to_owned()),
        ("sh+uct+trees(4)", "'sh+uct+trees(4)' is impossible: sh at the root does not go with several trees: they are for trees without a policy at the root".to_owned()),
        ("puct+net+trees(4)", "'puct+net+trees(4)' is impossible: a network says the same in every tree, so several trees would all be alike: they need playouts too, as in puct+net(mix=0.5)+trees(8)".to_owned()),
        ("sh(keep=[3],lambda=0.7)+uct", "'sh(keep=[3],lambda=0.7)' is impossible: the cuts are given by lambda or by keep, not by both".to_owned()),
    ] {
        assert_eq!(sentence(text), expected);
    }
    for text in ["", "+", "uct+", "+uct", "@100", "()", "flat(sh)(x)"] {
        assert!(text.parse::<PlayerSpec>().is_err(), "{text}");
    }
    assert!(matches!("".parse::<PlayerSpec>(), Err(PlayerError::Unknown { .. })));
    assert!(sentence("flat(xyz)").starts_with("'xyz' is not a policy: there are uniform, "));
    assert!(sentence(&"x".repeat(100_000)).len() < 1000);
}

/// Texts that are nearly specs, so that the parser is reached past its first word.
fn nearly() -> impl Strategy<Value = String> {
    let mut words =
        vec!["+", "@", "(", ")", "[", "]", ",", "=", " ", "64", "0.4", "1e-7", "inf", "ms", "-", "é", "\0"];
    words.extend(players().iter().map(|info| info.name));
    words.extend(players().iter().flat_map(|info| info.parameters).map(|parameter| parameter.name));
    words.extend(policies().iter().map(|info| info.name));
    prop::collection::vec(prop::sample::select(words), 0..12).prop_map(|words| words.concat())
}

/// A spec with some characters left out, doubled, or changed for others.
fn mutated() -> impl Strategy<Value = String> {
    let texts: Vec<&str> = SPECS.iter().map(|(text, _)| *text).collect();
    let change = (
        any::<prop::sample::Index>(),
        0..3,
        prop::sample::select("+@()[],=. 059ack".chars().collect::<Vec<_>>()),
    );
    (prop::sample::select(texts), prop::collection::vec(change, 1..4)).prop_map(|(text, changes)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (at, what, new) in changes {
            if characters.is_empty() {
                break;
            }
            let at = at.index(characters.len());
            match what {
                0 => drop(characters.remove(at)),
                1 => characters.insert(at, new),
                _ => characters[at] = new,
            }
        }
        characters.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn garbage_is_refused_in_one_line_and_what_is_read_is_printed(text in prop_oneof![nearly(), mutated(), ".*"]) {
        match text.parse::<PlayerSpec>() {
            Ok(spec) => {
                prop_assert_eq!(spec.config().check(), Ok(()));
                prop_assert!(!spec.parts().is_empty());
                let printed = spec.to_string();
                prop_assert_eq!(printed.parse::<PlayerSpec>().map(|spec| spec.to_string()), Ok(printed.clone()));
                prop_assert_eq!(printed.parse(), Ok(spec));
            }
            Err(error) => {
                let sentence = error.to_string();
                prop_assert!(!sentence.contains('\n') && sentence.chars().count() < 900, "{}", sentence);
            }
        }
    }

    #[test]
    fn every_number_is_read_back(c in 0.0..1e6, bias in 0.0..1.0, reference in 0..1_000_000_000_u32) {
        for text in [format!("uct(c={c})"), format!("grave(ref={reference},bias={bias:e})")] {
            let spec = spec(&text);
            prop_assert_eq!(spec.to_string().parse(), Ok(spec));
        }
    }
}
