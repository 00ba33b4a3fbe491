//! `tesuji players`: what can search, part by part, and what a spec means.

use anyhow::Result;
use serde::Serialize;
use tesuji::bandit::policies;
use tesuji::catalog::{PartInfo, PartKind, PlayerPart, PlayerSpec, players};
use tesuji_report::{Screen, Table};

use super::setting::Setting;

/// List the parts of players and their options, or explain one player
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A player to explain, such as 'sh+uct@10000'
    #[arg(value_name = "PLAYER")]
    player: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
A player is random, greedy, or ROOT+TREE+LEAF+OPTIONS, of which only the tree must be there; @ and a
number of samples or a time say how much it may think:
  uct   sh+uct   hybrid-shuss(t=512)   uct(c=0.31)+prior(sh,64)   flat(sh)   rave+solver@10000

Examples:
  tesuji players
  tesuji players 'hybrid-shuss(t=512)@10000'
  tesuji players --json | jq '.parts[].name'";

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    match args.player {
        Some(text) => explain(&text.parse()?, args.json, screen),
        None => list(args.json, screen),
    }
}

fn list(json: bool, screen: &Screen) -> Result<()> {
    let parts: Vec<Part> = players().iter().map(Part::of).collect();
    let roots: Vec<&str> = policies().iter().map(|policy| policy.name).collect();
    if json {
        return super::print_json(&All { roots, parts });
    }
    let mut text = String::new();
    for (kind, title) in [
        (PartKind::Player, "Players by themselves"),
        (PartKind::Tree, "Trees: which moves are tried between the root and the leaf"),
        (PartKind::Leaf, "Leaves: how a new position is valued"),
        (PartKind::Option, "Options of the whole search"),
        (PartKind::Alias, "Aliases: the papers' names for a root and a tree together"),
    ] {
        let mut table = Table::new(title, ["part", "what it does", "source"]);
        for part in parts.iter().filter(|part| part.kind == kind.to_string()) {
            let meaning = match &part.stands_for {
                Some(triple) => format!("{}: {} is {triple}", part.meaning, part.example),
                None => part.meaning.to_owned(),
            };
            table.row([part.written.into(), meaning, part.source.into()]);
        }
        text += &format!("{}\n", table.text(screen));
    }
    let mut options = Table::new("Options of the parts", ["part", "option", "values", "default", "meaning"]);
    for part in &parts {
        for Setting { name, values, default, meaning } in &part.options {
            let default = default.unwrap_or("must be given").to_owned();
            options.row([part.name.into(), (*name).into(), values.clone(), default, (*meaning).into()]);
        }
    }
    let notes = format!(
        "
Roots, which spend the samples on the moves, are the policies (see tesuji policies):
{}.
Without one, the root is as the rest of the tree.

Write ROOT+TREE+LEAF+OPTIONS, of which only the tree must be there:
uct, sh+uct, hybrid-shuss(t=512), uct(c=0.31)+prior(sh,64), flat(sh), rave+solver+trees(8).
How much a player may think comes last, in samples or as a time: uct@10000, uct@500ms, uct@1.5s, uct@2m.
",
        roots.join(", ")
    );
    super::print(&format!("{text}{}{}", options.text(screen), screen.wrapped(&notes)))
}

fn explain(spec: &PlayerSpec, json: bool, screen: &Screen) -> Result<()> {
    let explained = Explained::of(spec);
    if json {
        return super::print_json(&explained);
    }
    let mut parts = Table::new(explained.player.clone(), ["", "part", "what it does", "source"]);
    let mut options = Table::new("Options", ["part", "option", "value", "meaning"]);
    let mut n_options = 0;
    for part in &explained.parts {
        parts.row([part.kind.clone(), part.text.clone(), part.meaning.into(), part.source.into()]);
        for Value { name, value, meaning } in &part.options {
            n_options += 1;
            options.row([part.kind.clone(), (*name).into(), value.clone(), (*meaning).into()]);
        }
    }
    let budget = match &explained.budget {
        Some(budget) if budget.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("Budget: {budget} samples a move.")
        }
        Some(budget) => format!("Budget: {budget} a move."),
        None => "Budget: left open; add @10000 for samples or @1.5s for a time.".to_owned(),
    };
    let options = if n_options == 0 { String::new() } else { format!("{}\n", options.text(screen)) };
    super::print(&format!("{}\n{options}{budget}\n", parts.text(screen)))
}

/// What there is, as `--json` prints it.
#[derive(Serialize)]
struct All {
    /// The policies, which `tesuji policies` explains.
    roots: Vec<&'static str>,
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    name: &'static str,
    kind: String,
    written: &'static str,
    meaning: &'static str,
    source: &'static str,
    options: Vec<Setting>,
    example: &'static str,
    /// What the example of an alias is printed as.
    stands_for: Option<String>,
}

impl Part {
    fn of(info: &PartInfo) -> Part {
        let triple = || info.example.parse::<PlayerSpec>().map(|spec| spec.to_string()).ok();
        Part {
            name: info.name,
            kind: info.kind().to_string(),
            written: info.written,
            meaning: info.meaning,
            source: info.source,
            options: Setting::all(info.parameters),
            example: info.example,
            stands_for: if info.kind() == PartKind::Alias { triple() } else { None },
        }
    }
}

/// A player taken apart, as `--json` prints it.
#[derive(Serialize)]
struct Explained {
    /// The canonical spec.
    player: String,
    parts: Vec<ExplainedPart>,
    /// As specs write it; nothing where it is left open.
    budget: Option<String>,
}

#[derive(Serialize)]
struct ExplainedPart {
    kind: String,
    /// Empty where the root is as the tree.
    text: String,
    meaning: &'static str,
    source: &'static str,
    options: Vec<Value>,
}

#[derive(Serialize)]
struct Value {
    name: &'static str,
    value: String,
    meaning: &'static str,
}

impl Explained {
    fn of(spec: &PlayerSpec) -> Explained {
        let part = |part: PlayerPart| ExplainedPart {
            kind: part.kind.to_string(),
            text: part.text,
            meaning: part.meaning,
            source: part.source,
            options: (part.options.into_iter())
                .map(|(parameter, value)| Value {
                    name: parameter.name,
                    value: value.to_string(),
                    meaning: parameter.meaning,
                })
                .collect(),
        };
        let player = spec.to_string();
        let budget = player.split_once('@').map(|(_, budget)| budget.to_owned());
        Explained { parts: spec.parts().into_iter().map(part).collect(), player, budget }
    }
}
