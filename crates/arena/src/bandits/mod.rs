//! Experiments on bandits: panels of a figure, whose cells are a setting of arms, a policy and a
//! budget each.

mod campaign;
mod file;
mod run;

pub use campaign::{BanditCampaign, MeasureSummary};
pub use run::{BanditResults, MeasureError, MeasureSettings, MeasuredCell, MeasuredPanel};

use std::path::Path;

use tesuji_bandit::PolicySpec;
use tesuji_bandit::testbed::{ArmsSpec, ScoreModel};
use tesuji_core::Seed;

use self::file::{AxisFile, File, MapFile, PanelFile, SeriesFile};
use crate::definition::{Definition, ExperimentError};
use crate::published::{Published, Table};
use crate::values::ValueFile;

/// An experiment on bandits: a figure to be measured.
#[derive(Clone, Debug)]
pub struct BanditExperiment {
    /// The text of the experiment, as a store keeps it.
    pub definition: Definition,
    /// The title.
    pub title: String,
    /// The paper that it repeats: authors, title, year and figure.
    pub paper: String,
    /// An introduction for readers.
    pub text: String,
    /// The seed from which all random numbers are derived.
    pub seed: Seed,
    /// The number of runs of each cell.
    pub runs: u64,
    /// The number of runs of each cell in the smaller version of the experiment.
    pub quick_runs: u64,
    /// The number of panels in a row of the figure.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

/// A panel of the figure.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The title of the panel.
    pub title: String,
    /// Whether the panel has bars, lines or a map.
    pub shape: PanelShape,
    /// The label of the x axis.
    pub label: String,
    /// The cells, series by series.
    pub entries: Vec<BanditEntry>,
}

/// How a panel is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PanelShape {
    /// Groups of bars.
    Bars,
    /// Lines over the budget.
    Lines,
    /// A map: samples for each arm by numbers of arms. The first series is the yardstick.
    Map,
}

/// A cell of a figure on bandits: one number.
#[derive(Clone, Debug)]
pub struct BanditEntry {
    /// The name of the cell's series.
    pub series: String,
    /// The cell's place on the x axis, in words; in a map, the number of arms.
    pub group: String,
    /// The cell's place on the x axis as a number, for lines; in a map, the samples for each arm.
    pub x: f64,
    /// The setting of the arms.
    pub arms: ArmsSpec,
    /// The policy.
    pub policy: PolicySpec,
    /// The number of samples.
    pub budget: u64,
    /// The scores of the arms, if there are any.
    pub scores: Option<ScoreModel>,
    /// The published number, if there is one.
    pub published: Option<Published>,
}

impl BanditExperiment {
    /// Reads an experiment from the text of its file. Files of arms that it names are in `folder`.
    pub(crate) fn parse(definition: Definition, folder: &Path) -> Result<BanditExperiment, ExperimentError> {
        let wrong = |reason: String| definition.wrong(reason);
        let file: File = definition.parse()?;
        if file.runs < 2 || file.quick < 2 {
            return Err(wrong("runs and quick are at least 2".to_owned()));
        }
        let mut blocks = Vec::new();
        for panel in &file.panel {
            blocks.push(
                panels(panel, &definition)
                    .map_err(|reason| wrong(format!("in the panel '{}': {reason}", panel.title)))?,
            );
        }
        let columns = if blocks.len() > 1 { blocks.len() } else { blocks.first().map_or(1, Vec::len).min(2) };
        let mut experiment = BanditExperiment {
            title: file.title,
            paper: file.paper,
            text: file.text.trim().to_owned(),
            seed: Seed::new(file.seed),
            runs: file.runs,
            quick_runs: file.quick,
            columns,
            panels: row_by_row(blocks),
            definition: definition.clone(),
        };
        for entry in experiment.panels.iter_mut().flat_map(|panel| &mut panel.entries) {
            if let ArmsSpec::File(values) = &mut entry.arms {
                *values = folder.join(&values).to_string_lossy().into_owned();
            }
        }
        Ok(experiment)
    }

    /// The experiment's name.
    pub fn name(&self) -> &str {
        &self.definition.name
    }
}

/// A block of panels is a column; a figure is read row by row.
fn row_by_row(blocks: Vec<Vec<Panel>>) -> Vec<Panel> {
    let n_rows = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let mut columns: Vec<_> = blocks.into_iter().map(Vec::into_iter).collect();
    let mut panels = Vec::new();
    for _ in 0..n_rows {
        panels.extend(columns.iter_mut().filter_map(Iterator::next));
    }
    panels
}

/// A place on the x axis.
struct Place {
    label: String,
    /// What stands for `{x}`.
    value: String,
    x: f64,
    arms: ArmsSpec,
    budget: u64,
}

fn panels(file: &PanelFile, definition: &Definition) -> Result<Vec<Panel>, String> {
    if let Some(map) = &file.map {
        let has_more = file.budget.is_some() || file.published.is_some() || file.groups.is_some();
        if has_more || file.bars.is_some() || file.lines.is_some() {
            return Err("a map has arms and series, and nothing else".to_owned());
        }
        return file.arms.iter().map(|arms| map_panel(file, map, arms)).collect();
    }
    if file.series.iter().any(|series| series.most_arms.is_some()) {
        return Err("most_arms belongs to maps".to_owned());
    }
    let settings: Vec<ArmsSpec> = file
        .arms
        .iter()
        .map(|arms| arms.parse().map_err(|error| format!("{error}")))
        .collect::<Result<_, _>>()?;
    let published = match &file.published {
        Some(published) => {
            let table = Table::parse(definition.load(&published.file)?);
            let columns = file.series.iter().filter_map(|series| series.published.as_ref());
            if let Some(missing) = columns.chain([&published.x]).find(|column| !table.has(column)) {
                return Err(format!("{} has no column '{missing}'", published.file));
            }
            Some(table)
        }
        None => None,
    };
    let one = |title: String, shape: PanelShape, label: &str, places: &[Place]| -> Result<Panel, String> {
        let mut entries = Vec::new();
        for series in &file.series {
            for place in places {
                let mut entry = entry(series, place)?;
                if let (Some(table), Some(about), Some(column)) =
                    (&published, &file.published, &series.published)
                    && about.arms == entry.arms.to_string()
                {
                    let value = table.number(&about.x, place.x, column);
                    entry.published = value.map(|value| Published { value, runs: about.runs });
                }
                entries.push(entry);
            }
        }
        Ok(Panel { title, shape, label: label.to_owned(), entries })
    };
    let budget = || file.budget.ok_or_else(|| "bars need a budget".to_owned());
    match (file.groups.as_deref(), &file.bars, &file.lines) {
        (Some("arms"), None, None) => {
            let budget = budget()?;
            let place = |(index, arms): (usize, &ArmsSpec)| Place {
                label: arms.to_string(),
                value: String::new(),
                x: index as f64,
                arms: arms.clone(),
                budget,
            };
            let places: Vec<Place> = settings.iter().enumerate().map(place).collect();
            Ok(vec![one(file.title.clone(), PanelShape::Bars, "arms", &places)?])
        }
        (None, Some(axis), None) => {
            let budget = budget()?;
            let panel = |arms: &ArmsSpec| {
                let places = (axis.values.iter().enumerate())
                    .map(|(index, value)| Place {
                        label: value.label(),
                        value: value.value(),
                        x: index as f64,
                        arms: arms.clone(),
                        budget,
                    })
                    .collect::<Vec<_>>();
                one(titled(&file.title, arms), PanelShape::Bars, &axis.label, &places)
            };
            settings.iter().map(panel).collect()
        }
        (None, None, Some(axis)) if file.budget.is_none() => {
            let panel = |arms: &ArmsSpec| {
                let places = budgets(axis, arms)?;
                one(titled(&file.title, arms), PanelShape::Lines, &axis.label, &places)
            };
            settings.iter().map(panel).collect()
        }
        _ => {
            Err("it has either bars with a budget, or lines over budgets, or groups = \"arms\" with a budget, or \
                 a map"
                .to_owned())
        }
    }
}

/// The map of one kind of arms, such as `N:{n}`.
fn map_panel(file: &PanelFile, map: &MapFile, arms: &str) -> Result<Panel, String> {
    if !arms.contains("{n}") {
        return Err(format!("'{arms}' has no {{n}}, which stands for the number of arms of a map"));
    }
    if let Some(samples) = map.samples.iter().find(|samples| !(samples.is_finite() && **samples > 0.0)) {
        return Err(format!("{samples} samples for each arm are impossible: it is a number above 0"));
    }
    let mut entries = Vec::new();
    for series in &file.series {
        for &n in map.arms.iter().filter(|n| series.most_arms.is_none_or(|most| **n <= most)) {
            let setting: ArmsSpec =
                arms.replace("{n}", &n.to_string()).parse().map_err(|error| format!("{error}"))?;
            for &samples in &map.samples {
                let budget = ((n as f64 * samples).round() as u64).max(1);
                let place = Place {
                    label: n.to_string(),
                    value: String::new(),
                    x: samples,
                    arms: setting.clone(),
                    budget,
                };
                entries.push(entry(series, &place)?);
            }
        }
    }
    let kind = arms.split(':').next().unwrap_or(arms);
    let title = file.title.replace("{arms}", kind);
    Ok(Panel { title, shape: PanelShape::Map, label: "samples for each arm".to_owned(), entries })
}

/// The places of lines: budgets, less the offset.
fn budgets(axis: &AxisFile, arms: &ArmsSpec) -> Result<Vec<Place>, String> {
    let place = |value: &ValueFile| {
        let x: u64 =
            value.value().parse().map_err(|_| format!("'{}' is not a number of samples", value.value()))?;
        Ok(Place {
            label: value.label(),
            value: value.value(),
            x: x as f64,
            arms: arms.clone(),
            budget: x + axis.offset,
        })
    };
    axis.values.iter().map(place).collect()
}

fn titled(title: &str, arms: &ArmsSpec) -> String {
    title.replace("{arms}", &arms.to_string())
}

fn entry(series: &SeriesFile, place: &Place) -> Result<BanditEntry, String> {
    let policy = series.policy.replace("{x}", &place.value);
    let policy = policy.parse().map_err(|error: tesuji_bandit::PolicyError| error.to_string())?;
    let scores = series.score_noise.map(|noise| ScoreModel {
        noise,
        slope: series.score_slope.unwrap_or(1.0),
        rate: series.score_rate,
        uneven: series.score_uneven.unwrap_or(0.0),
    });
    Ok(BanditEntry {
        series: series.name.clone(),
        group: place.label.clone(),
        x: place.x,
        arms: place.arms.clone(),
        policy,
        budget: place.budget,
        scores,
        published: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title='t'\npaper='p'\ntext='x'\nseed=1\nruns=10\nquick=2\n";

    fn parse(panel: &str) -> Result<BanditExperiment, String> {
        let parsed = Definition::built_in("e", &format!("{HEAD}{panel}"), &[("f", "n,uct\n32,.5\n")])
            .and_then(|definition| BanditExperiment::parse(definition, Path::new("")));
        parsed.map_err(|error| error.to_string())
    }

    #[test]
    fn bars_and_lines_become_cells() {
        let experiment = parse(
            "[[panel]]\ntitle='SH {arms}'\narms=['1:20','A:20']\nbudget=64\n\
             bars={label='l',values=[0.5,{label='seven',value='0.7'}]}\n\
             series=[{name='a',policy='sh(lambda={x})'}]\n\
             [[panel]]\ntitle='U {arms}'\narms=['1:20','A:20']\n\
             lines={label='n',values=[32,64],offset=20}\n\
             series=[{name='b',policy='uniform',published='uct'}]\n\
             published={file='f',x='n',arms='A:20',runs=7}",
        )
        .unwrap();
        let titles: Vec<&str> = experiment.panels.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!((experiment.columns, titles), (2, vec!["SH 1:20", "U 1:20", "SH A:20", "U A:20"]));
        let bars = &experiment.panels[0].entries;
        assert_eq!(bars[1].policy.to_string(), "sh(lambda=0.7)");
        assert_eq!((bars[1].group.as_str(), bars[1].budget), ("seven", 64));
        let lines = &experiment.panels[3].entries;
        assert_eq!((lines[0].budget, lines[0].x), (52, 32.0));
        assert_eq!(lines[0].published, Some(Published { value: 0.5, runs: 7 }));
        assert_eq!(lines[1].published, None);
        assert_eq!(experiment.panels[1].entries[0].published, None);
        assert_eq!(experiment.panels.iter().map(|panel| panel.entries.len()).sum::<usize>(), 8);
    }

    #[test]
    fn maps_have_every_number_of_arms_with_every_number_of_samples() {
        let map = |rest: &str| {
            parse(&format!(
                "[[panel]]\ntitle='M {{arms}}'\narms=['1:{{n}}','A:{{n}}']\n\
                 map={{arms=[5,80],samples=[0.5,2]}}\n{rest}"
            ))
        };
        let series = "series=[{name='sh',policy='sh'},{name='slow',policy='ttts',most_arms=20}]";
        let experiment = map(series).unwrap();
        let titles: Vec<&str> = experiment.panels.iter().map(|panel| panel.title.as_str()).collect();
        assert_eq!(titles, ["M 1", "M A"]);
        let cells: Vec<(String, &str, f64, u64)> = experiment.panels[0]
            .entries
            .iter()
            .map(|entry| (entry.arms.to_string(), entry.group.as_str(), entry.x, entry.budget))
            .collect();
        let expected = [("1:5", 0.5, 3), ("1:5", 2.0, 10), ("1:80", 0.5, 40), ("1:80", 2.0, 160)];
        let expected = expected.map(|(arms, x, budget)| (arms.to_owned(), arms.split_at(2).1, x, budget));
        assert_eq!(cells[..4], expected);
        // Two cells of the slow policy.
        assert_eq!(cells.len(), 6);
        assert!(map(&format!("budget=3\n{series}")).unwrap_err().contains("a map has arms and series"));
        let refusal = parse("[[panel]]\ntitle='T'\narms=['1:5']\nmap={arms=[5],samples=[1]}\nseries=[]");
        assert!(refusal.unwrap_err().contains("'1:5' has no {n}"));
        let refusal = parse("[[panel]]\ntitle='T'\narms=['1:{n}']\nmap={arms=[5],samples=[0]}\nseries=[]");
        assert!(refusal.unwrap_err().contains("0 samples for each arm are impossible"));
    }

    #[test]
    fn refusals_say_where() {
        let refusal = |panel: &str| parse(panel).unwrap_err();
        let panel = "[[panel]]\ntitle='T'\narms=['1:20']\nbudget=64\n";
        assert_eq!(
            refusal(&format!(
                "{panel}bars={{label='l',values=[2]}}\nseries=[{{name='a',policy='sh(lambda={{x}})'}}]"
            )),
            "cannot read the experiment e: in the panel 'T': '2' is not a value of sh's option lambda: it is \
             a number above 0 and below 1 or a list [a,b,…], each a number above 0 and below 1"
        );
        assert!(refusal(&format!("{panel}series=[]")).contains("either bars with a budget"));
        assert!(refusal(&format!("{panel}colour=3\nseries=[]")).contains("line 11: unknown field `colour`"));
    }
}
