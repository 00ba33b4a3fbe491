//! Specs to test each policy with.

use tesuji_bandit::{PolicySpec, policies};

/// Parameters worth testing, for every policy of the table.
fn texts(name: &str) -> &'static [&'static str] {
    match name {
        "uniform" => &["uniform"],
        "sh" => &[
            "sh",
            "sh(lambda=0.7,w=0)",
            "sh(lambda=[0.3,0.9],w=0.5,uniforming=on)",
            "sh(keep=[100,20,5],least=1)",
            "sh(ranks=all)",
        ],
        "shuss" => &[
            "shuss",
            "shuss(lambda=0.5,ranks=left,negligible=0)",
            "shuss(t=0)",
            "shuss(t=100,prune=50)",
            "shuss(t=inf)",
            "shuss(t=adaptive,sigma=0.2)",
        ],
        "gumbel" => &["gumbel", "gumbel(m=4,scale=0.1,logits=30,least=1)"],
        "anytime-sh" => &["anytime-sh"],
        "shot" => &["shot"],
        "ucb" => &["ucb(c=0.3)", "ucb(c=0)", "ucb(c=2,recommend=visits)"],
        "ucb1" => &["ucb1", "ucb1(recommend=visits)"],
        "vct" => &["vct", "vct(stop=1e-3)", "vct(form=perfect)", "vct(form=blinkered,stop=1e-5)"],
        "ect" => &["ect", "ect(stop=1e-3)", "ect(form=perfect,stop=1e-5)", "ect(form=blinkered)"],
        "bct" => &["bct", "bct(stop=1e-3)", "bct(form=perfect)", "bct(form=blinkered)"],
        "half-greedy" => &["half-greedy", "half-greedy(greed=0)", "half-greedy(greed=1)"],
        "ucb-sqrt" => &["ucb-sqrt", "ucb-sqrt(c=0.1)"],
        "voi" => &["voi", "voi(stop=1e-3)"],
        "successive-rejects" => &["successive-rejects"],
        "ucb-e" => &["ucb-e(a=2)", "ucb-e(a=0)"],
        "ugapeb" => &["ugapeb(a=2)", "ugapeb(a=0)"],
        "ttts" => &["ttts", "ttts(beta=1)"],
        "ocba" => &["ocba", "ocba(first=1,step=10)", "ocba(first=50)"],
        "lil-ucb" => &["lil-ucb", "lil-ucb(delta=0.1,stop=on)"],
        "cr-c" => &["cr-c", "cr-c(equal=off)"],
        "cr-a" => &["cr-a", "cr-a(equal=off)"],
        "eb-tc" => &["eb-tc", "eb-tc(eps=0,beta=ids)", "eb-tc(eps=0.2,beta=0.9,stop=0.1)"],
        "sh-ada-var" => &["sh-ada-var", "sh-ada-var(delta=0.9)"],
        "bracketing-sh" => &["bracketing-sh"],
        other => panic!("there are no examples of {other}: add some here"),
    }
}

/// All examples of all policies.
pub(crate) fn specs() -> Vec<PolicySpec> {
    let texts = policies().iter().flat_map(|info| texts(info.name));
    texts.map(|text| text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))).collect()
}
