//! `tesuji players`: what can search, part by part, and what a spec means.

use anyhow::Result;
use serde::Serialize;
use tesuji::bandit::policies;
use tesuji::catalog::{PartInfo, PartKind, PlayerPart, PlayerSpec, players};
use tesuji_report::{Screen, Table};
use tesuji_session::{Contestant, ContestantForm};

use super::contestants::{self, is_human};
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
A player is random, greedy, or ROOT+TREE+LEAF+OPTIONS; only the tree is required.
After @ comes its budget for a move, as a number of samples or as a time:
  uct   sh+uct   hybrid-shuss(t=512)   uct(c=0.31)+prior(sh,64)   rave@10000
`tesuji play` and `tesuji match` accept engines and portfolios too.

Examples:
  tesuji players
  tesuji players 'hybrid-shuss(t=512)@10000'
  tesuji players human
  tesuji players --json | jq '.parts[].name'";

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let Some(text) = args.player else { return list(args.json, screen) };
    let explained = Explained::of_text(&text)?;
    if args.json {
        return super::print_json(&explained);
    }
    super::print(&explained.text(screen))
}

/// A person, whom `tesuji play` knows.
const HUMAN: ContestantForm = ContestantForm {
    name: contestants::HUMAN,
    written: contestants::HUMAN,
    meaning: "you, or whoever types the moves; only in `tesuji play`",
    example: contestants::HUMAN,
};

fn list(json: bool, screen: &Screen) -> Result<()> {
    let forms = [HUMAN].into_iter().chain(ContestantForm::ALL).map(Part::of_form);
    let parts: Vec<Part> = players().iter().map(Part::of).chain(forms).collect();
    let roots: Vec<&str> = policies().iter().map(|policy| policy.name).collect();
    if json {
        return super::print_json(&All { roots, parts });
    }
    let mut text = String::new();
    for (kind, title) in [
        (
            PartKind::Player,
            "Players by themselves, and who else can play in `tesuji play` and `tesuji match`",
        ),
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
    fn of_form(form: ContestantForm) -> Part {
        Part {
            name: form.name,
            kind: PartKind::Player.to_string(),
            written: form.written,
            meaning: form.meaning,
            source: "",
            options: Vec::new(),
            example: form.example,
            stands_for: None,
        }
    }

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
    /// As specs write it; `None` if it is left open.
    budget: Option<String>,
    /// What the parts mean together.
    #[serde(skip)]
    notes: Vec<String>,
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
    /// Explains whoever can play.
    fn of_text(text: &str) -> Result<Explained> {
        if is_human(text) {
            return Ok(Explained::form(&HUMAN, HUMAN.name.to_owned()));
        }
        let contestant = contestants::contestant(text)?;
        let form = |name| ContestantForm::ALL.into_iter().find(|form| form.name == name);
        Ok(match &contestant {
            Contestant::Player(spec) => Explained::player(spec),
            Contestant::Engine(_) => Explained::with_form(form("gtp"), &contestant, None),
            Contestant::Portfolio(portfolio) => {
                Explained::with_form(form("portfolio"), &contestant, Some(&portfolio.book()?.player()))
            }
            Contestant::Turned(_, spec) => Explained::with_form(form("turned"), &contestant, Some(spec)),
        })
    }

    /// A contestant of this form, and the player inside it.
    fn with_form(
        form: Option<ContestantForm>,
        contestant: &Contestant,
        player: Option<&PlayerSpec>,
    ) -> Explained {
        let form = form.expect("every form is in the table");
        let mut explained = Explained::form(&form, contestant.to_string());
        if let Some(spec) = player {
            let inner = Explained::player(spec);
            explained.parts.extend(inner.parts);
            (explained.budget, explained.notes) = (inner.budget, inner.notes);
        }
        explained
    }

    fn form(form: &ContestantForm, player: String) -> Explained {
        let part = ExplainedPart {
            kind: PartKind::Player.to_string(),
            text: form.written.to_owned(),
            meaning: form.meaning,
            source: "",
            options: Vec::new(),
        };
        Explained { player, parts: vec![part], budget: None, notes: Vec::new() }
    }

    fn player(spec: &PlayerSpec) -> Explained {
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
        Explained {
            player: spec.to_string(),
            parts: spec.parts().into_iter().map(part).collect(),
            budget: spec.budget().map(|budget| budget.to_string()),
            notes: spec.notes(),
        }
    }

    /// The player for a terminal.
    fn text(&self, screen: &Screen) -> String {
        let has_sources = self.parts.iter().any(|part| !part.source.is_empty());
        let columns = ["", "part", "what it does"].into_iter().chain(has_sources.then_some("source"));
        let mut parts = Table::new(self.player.clone(), columns);
        let mut options = Table::new("Options", ["part", "option", "value", "meaning"]);
        for part in &self.parts {
            let cells = [part.kind.clone(), part.text.clone(), part.meaning.into()];
            parts.row(cells.into_iter().chain(has_sources.then(|| part.source.into())));
            for Value { name, value, meaning } in &part.options {
                options.row([part.kind.clone(), (*name).into(), value.clone(), (*meaning).into()]);
            }
        }
        let mut text = parts.text(screen) + "\n";
        if !options.is_empty() {
            text += &(options.text(screen) + "\n");
        }
        let searches = self.parts.iter().any(|part| part.kind == PartKind::Tree.to_string());
        let budget = match &self.budget {
            Some(budget) if !searches => format!("It needs no budget: @{budget} changes nothing."),
            Some(budget) => format!("Budget: {}.", budget_words(budget)),
            None if searches => "Budget: left open; add @10000 for samples or @1.5s for a time.".to_owned(),
            None => "It needs no budget.".to_owned(),
        };
        let notes: String = self.notes.iter().map(|note| format!("{note}\n")).collect();
        text + &screen.wrapped(&format!("{notes}{budget}\n"))
    }
}

/// A budget in words: `20000x10,5000` is "20000 samples a move for 10 moves, then 5000 samples a move".
fn budget_words(budget: &str) -> String {
    let amount = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("{text} samples a move"),
        false => format!("{text} a move"),
    };
    let step = |step: &str| match step.split_once('x') {
        Some((text, "1")) => format!("{} for 1 move", amount(text)),
        Some((text, moves)) => format!("{} for {moves} moves", amount(text)),
        None => amount(step),
    };
    let steps: Vec<String> = budget.split(',').map(step).collect();
    steps.join(", then ")
}
