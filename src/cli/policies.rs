//! `tesuji policies`: the ways of spending samples, and their options.

use anyhow::Result;
use serde::Serialize;
use tesuji::bandit::testbed::ValueRule;
use tesuji::bandit::{PolicyInfo, policies};
use tesuji_report::{Screen, Table};

use super::setting::Setting;

/// List the policies for spending samples, their options, and the settings of arms
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji policies
  tesuji policies --json
  tesuji bandit --arms N:80 --budget 2048 --policy sh --policy 'ucb(c=0.3)'")]
pub(super) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let all: Vec<Policy> = policies().iter().map(Policy::of).collect();
    if args.json {
        return super::print_json_list("policies", all);
    }
    let mut names = Table::new("Policies", ["policy", "what it does", "source"]);
    let mut options = Table::new("Options", ["policy", "option", "values", "default", "meaning"]);
    for policy in all {
        names.row([policy.name.into(), policy.meaning.into(), policy.source.into()]);
        for Setting { name, values, default, meaning } in policy.options {
            let default = default.unwrap_or("must be given").to_owned();
            options.row([policy.name.into(), name.into(), values, default, meaning.into()]);
        }
    }
    let mut settings = Table::new("Settings of arms", ["setting", "values of the arms"]);
    for rule in ValueRule::ALL {
        settings.row([format!("{}:n", rule.name()), rule.meaning().to_owned()]);
    }
    settings.row(["[0.5,0.4,…]".to_owned(), "the numbers in the list".to_owned()]);
    settings.row([
        "file:PATH".to_owned(),
        "the numbers in the file, with commas or line ends between them".to_owned(),
    ]);
    let example =
        screen.wrapped("Write sh, sh(lambda=0.7), sh(lambda=[0.3,0.5,0.7]), shuss(t=94), ucb(c=0.3).");
    super::print(&format!(
        "{}\n{}\n{}\n{example}\n",
        names.text(screen),
        options.text(screen),
        settings.text(screen)
    ))
}

/// A policy as `--json` prints it.
#[derive(Serialize)]
struct Policy {
    name: &'static str,
    meaning: &'static str,
    source: &'static str,
    options: Vec<Setting>,
}

impl Policy {
    fn of(info: &PolicyInfo) -> Policy {
        Policy {
            name: info.name,
            meaning: info.meaning,
            source: info.source,
            options: Setting::all(info.parameters),
        }
    }
}
