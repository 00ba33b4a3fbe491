//! `tesuji policies`: the ways of spending samples, their options, and what a spec means.

use anyhow::Result;
use serde::Serialize;
use tesuji::bandit::testbed::ValueRule;
use tesuji::bandit::{PolicyInfo, PolicySpec, policies};
use tesuji::core::in_shell;
use tesuji::core::spec::{Call, Parameter};
use tesuji_report::{Screen, Table};

use super::setting::Setting;

/// List the policies for spending samples and the kinds of arms, or explain one policy
#[derive(clap::Args)]
#[command(after_help = "\
docs/which-policy.md says which one to use, by numbers of arms and of samples.

Examples:
  tesuji policies
  tesuji policies sh
  tesuji policies 'sh(lambda=0.7)' --json
  tesuji bandit --arms N:80 --budget 2048 --policy sh --policy 'ucb(c=0.3)'")]
pub(super) struct Args {
    /// A policy to explain, such as sh or 'sh(lambda=0.7)'
    #[arg(value_name = "POLICY")]
    policy: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    if let Some(text) = &args.policy {
        let explained = ExplainedPolicy::of_text(text)?;
        return match args.json {
            true => super::print_json(&explained),
            false => super::print(&explained.text(screen)),
        };
    }
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

/// One policy, as `--json` prints it.
#[derive(Serialize)]
struct ExplainedPolicy {
    /// The canonical spec, or the name alone if an option must still be given.
    policy: String,
    meaning: &'static str,
    source: &'static str,
    options: Vec<ExplainedOption>,
    example: String,
}

#[derive(Serialize)]
struct ExplainedOption {
    name: &'static str,
    /// `None` if the option must still be given.
    value: Option<String>,
    values: String,
    meaning: &'static str,
}

impl ExplainedPolicy {
    /// Explains a policy with its options. The name alone is enough, even of a policy with an
    /// option that must be given.
    fn of_text(text: &str) -> Result<ExplainedPolicy> {
        let name = text.trim().to_lowercase();
        let needs_more = |info: &&PolicyInfo| {
            info.name == name && info.parameters.iter().any(|parameter| parameter.default.is_none())
        };
        if let Some(info) = policies().iter().find(needs_more) {
            let missing = info.parameters.iter().filter(|parameter| parameter.default.is_none());
            let missing: Vec<String> = missing.map(|parameter| format!("{}=…", parameter.name)).collect();
            let values = info.parameters.iter().map(|parameter| parameter.default.map(str::to_owned));
            let written = format!("{name}({})", missing.join(","));
            return Ok(ExplainedPolicy::new(info, name, &written, values));
        }
        let spec: PolicySpec = text.parse()?;
        let (written, info) = (spec.to_string(), spec.info());
        let arguments = Call::parse(&written).and_then(|call| call.resolve(info.parameters));
        let arguments = arguments.expect("a policy is read as it is printed");
        let values = arguments.iter().map(|(_, value)| Some(value.to_string()));
        Ok(ExplainedPolicy::new(info, written.clone(), &written, values))
    }

    /// `values` are those of the options, in their order.
    fn new(
        info: &PolicyInfo,
        policy: String,
        written: &str,
        values: impl Iterator<Item = Option<String>>,
    ) -> ExplainedPolicy {
        let option = |(parameter, value): (&'static Parameter, _)| ExplainedOption {
            name: parameter.name,
            value,
            values: parameter.values.to_string(),
            meaning: parameter.meaning,
        };
        ExplainedPolicy {
            policy,
            meaning: info.meaning,
            source: info.source,
            options: info.parameters.iter().zip(values).map(option).collect(),
            example: format!("tesuji bandit --arms N:80 --budget 2048 --policy {}", in_shell(written)),
        }
    }

    fn text(&self, screen: &Screen) -> String {
        let mut policy = Table::new(self.policy.clone(), ["what it does", "source"]);
        policy.row([self.meaning, self.source].map(str::to_owned));
        let mut options = Table::new("Options", ["option", "value", "allowed values", "meaning"]);
        for ExplainedOption { name, value, values, meaning } in &self.options {
            let value = value.clone().unwrap_or_else(|| "must be given".to_owned());
            options.row([(*name).into(), value, values.clone(), (*meaning).into()]);
        }
        let options =
            if options.is_empty() { "It has no options.\n".to_owned() } else { options.text(screen) };
        format!("{}\n{options}\nExample: {}\n", policy.text(screen), self.example)
    }
}
