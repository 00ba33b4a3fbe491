//! From the words of a file to cells: every combination of the values, put into
//! the templates.

use tesuji_catalog::{BudgetSpec, GameSpec, PlayerError};
use tesuji_core::ParseTimeControlError;

use super::builder::{MOST_GAMES, Purpose};
use super::file::{File, GridFile, PairingFile, PublishedFile, QuickFile, RulesFile, SeedsFile, Whose};
use super::rules::RulesError;
use super::{
    CellFilter, Grid, GridEntry, MatchExperiment, Openings, Pairing, PatternError, QuickVersion, Rules,
    Seeds, labels,
};
use crate::definition::{Definition, ExperimentError};
use crate::published::{PublishedRate, Table};
use crate::values::ValueFile;
use tesuji_session::Contestant;

impl MatchExperiment {
    /// Reads an experiment from the text of its file.
    pub fn parse(definition: Definition) -> Result<MatchExperiment, ExperimentError> {
        MatchExperiment::parse_for(definition, Purpose::Play)
    }

    /// Reads an experiment that a store has. Networks of its players may be gone.
    pub(crate) fn parse_stored(definition: Definition) -> Result<MatchExperiment, ExperimentError> {
        MatchExperiment::parse_for(definition, Purpose::Read)
    }

    fn parse_for(definition: Definition, purpose: Purpose) -> Result<MatchExperiment, ExperimentError> {
        let file: File = definition.parse()?;
        let wrong = |reason: String| definition.wrong(reason);
        let rules = file.rules.rules().map_err(wrong)?;
        let begun = MatchExperiment::begin(definition.clone(), file.seed, file.games, rules);
        let begun = begun.map_err(|error| wrong(error.to_string()))?;
        let mut experiment = MatchExperiment {
            title: file.title,
            paper: file.paper,
            text: file.text.trim().to_owned(),
            command: file.command,
            quick: file.quick.as_ref().map(quick).transpose().map_err(wrong)?.map(Box::new),
            ..begun
        };
        if let Some(tournament) = &file.tournament {
            return match file.grid.is_empty() {
                true => tournament.finish(experiment, purpose).map_err(wrong),
                false => Err(wrong("it has either [[grid]] or [tournament]".to_owned())),
            };
        }
        for (number, grid) in (1..).zip(&file.grid) {
            let title = grid.title.clone().unwrap_or_default();
            let mut made = Grid { title, label: grid.label.clone().unwrap_or_default(), entries: Vec::new() };
            for values in combinations(grid) {
                let entry = add_cell(&mut experiment, grid, &values, purpose)
                    .map_err(|reason| wrong(format!("in grid {number}: {reason}")))?;
                made.entries.push(entry);
            }
            experiment.grids.push(made);
        }
        experiment.finish().map_err(|error| wrong(error.to_string()))
    }
}

impl RulesFile {
    /// The rules.
    pub(crate) fn rules(&self) -> Result<Rules, String> {
        let file = self;
        let openings = match (file.random_plies, &file.openings) {
            (None, None) => Openings::None,
            (Some(plies), None) => Openings::Random(plies),
            (None, Some(openings)) => Openings::Listed(openings.clone()),
            (Some(_), Some(_)) => return Err(RulesError::TwoKindsOfOpenings.to_string()),
        };
        let pairing = match file.pairing {
            PairingFile::Sides => Pairing::Sides,
            PairingFile::Seeds => Pairing::Seeds,
        };
        let clock = file.clock.as_ref().map(|clock| clock.parse()).transpose();
        Ok(Rules {
            pairing,
            seeds: match file.seeds {
                SeedsFile::Own => Seeds::Own,
                SeedsFile::Common => Seeds::Common,
            },
            openings,
            most_moves: file.most_moves,
            resign_below: file.resign_below,
            claim_above: file.claim_above,
            clock: clock.map_err(|error: ParseTimeControlError| error.to_string())?,
        })
    }
}

fn quick(file: &QuickFile) -> Result<QuickVersion, String> {
    if !(1..=MOST_GAMES).contains(&file.games) {
        return Err(format!("quick's games are from 1 to {MOST_GAMES}"));
    }
    let budget = file.budget.as_ref().map(|budget| budget.value().parse()).transpose();
    let patterns = file.only.iter().map(|text| text.parse()).collect::<Result<_, PatternError>>();
    Ok(QuickVersion {
        games: file.games,
        budget: budget.map_err(|error: PlayerError| format!("quick: {error}"))?,
        cells: CellFilter(patterns.map_err(|error| format!("quick: {error}"))?),
    })
}

/// A value for each name.
type Values<'a> = Vec<(&'a str, &'a ValueFile)>;

/// The values in every combination, the last name going fastest.
fn combinations(grid: &GridFile) -> Vec<Values<'_>> {
    let mut all: Vec<Values<'_>> = vec![Vec::new()];
    for each in &grid.each {
        let mut longer = Vec::new();
        for values in &all {
            longer.extend(each.values.iter().map(|value| {
                let mut values = values.clone();
                values.push((each.name.as_str(), value));
                values
            }));
        }
        all = longer;
    }
    all
}

/// Whether `{name}` stands for a value as specs write it, or as people read it.
#[derive(Clone, Copy)]
enum As {
    Value,
    Label,
}

/// The template with values in the places of their names.
fn fill(template: &str, values: &Values<'_>, what: As) -> Result<String, String> {
    // Where there is nothing to put in, braces mean themselves: an engine's command may have some.
    if values.is_empty() {
        return Ok(template.to_owned());
    }
    let mut filled = template.to_owned();
    for (name, value) in values {
        let text = match what {
            As::Value => value.value(),
            As::Label => value.label(),
        };
        filled = filled.replace(&format!("{{{name}}}"), &text);
    }
    // Labels keep the name of the budget: the quick version of an experiment has another one.
    let rest = match what {
        As::Value => filled.clone(),
        As::Label => filled.replace(labels::BUDGET, ""),
    };
    match rest.find('{').and_then(|open| Some(&rest[open..=open + rest[open..].find('}')?])) {
        Some(left) => Err(format!("'{left}' in '{template}' stands for nothing")),
        None => Ok(filled),
    }
}

/// Adds the cell that a combination of values stands for. Returns its place in the table.
fn add_cell(
    experiment: &mut MatchExperiment,
    grid: &GridFile,
    values: &Values<'_>,
    purpose: Purpose,
) -> Result<GridEntry, String> {
    let value = |template: &str| fill(template, values, As::Value);
    let game: GameSpec = value(&grid.game)?.parse().map_err(|error| format!("{error}"))?;
    let budget: Option<BudgetSpec> = match &grid.budget {
        Some(text) => Some(value(&text.value())?.parse().map_err(|error| format!("{error}"))?),
        None => None,
    };
    let contestant = |template: &str| -> Result<Contestant, String> {
        let contestant: Contestant = value(template)?.parse().map_err(|error| format!("{error}"))?;
        Ok(match budget {
            Some(budget) => contestant.with_default_budget(budget),
            None => contestant,
        })
    };
    let (player, opponent) = (contestant(&grid.player)?, contestant(&grid.opponent)?);
    let label = |template: &Option<String>, otherwise: &str| match template {
        Some(template) => fill(template, values, As::Label),
        None => Ok(otherwise.to_owned()),
    };
    let row = label(&grid.row, &game.to_string())?;
    let column = label(&grid.column, &player.to_string())?;
    let panel = label(&grid.panel, &row)?;
    let published = match &grid.published {
        Some(file) => published(&experiment.definition, file, &game, values)?,
        None => None,
    };
    let cell = experiment.add_cell(game, player, opponent, purpose).map_err(|error| error.to_string())?;
    Ok(GridEntry { row, column, panel, budget, cell, published })
}

/// The published rate of a cell, if there is one. In addition to the grid's own names,
/// `{game.name}` stands for the game's name and `{game.board}` for its board, such as 9x9.
fn published(
    definition: &Definition,
    file: &PublishedFile,
    game: &GameSpec,
    values: &Values<'_>,
) -> Result<Option<PublishedRate>, String> {
    let (width, height) = game.board();
    let name = game.to_string();
    let name = name.split([':', '(']).next().unwrap_or_default();
    let fill = |template: &str| {
        let known = template.replace("{game.name}", name);
        fill(&known.replace("{game.board}", &format!("{width}x{height}")), values, As::Value)
    };
    let table = Table::parse(definition.load(&file.file)?);
    let row: Vec<(&str, String)> = file
        .row
        .iter()
        .map(|(column, template)| Ok((column.as_str(), fill(template)?)))
        .collect::<Result<_, String>>()?;
    let column = fill(&file.column)?;
    let columns = row.iter().map(|(column, _)| *column).chain([column.as_str()]).chain(file.white.as_deref());
    if let Some(missing) = columns.into_iter().find(|column| !table.has(column)) {
        return Err(format!("{} has no column '{missing}'", file.file));
    }
    let of = |share: f64| if file.of == Whose::Opponent { 1.0 - share } else { share };
    // As White half of the games are played.
    let white = file.white.as_ref().and_then(|white| table.find(&row, white));
    Ok(table.find(&row, &column).map(|printed| PublishedRate {
        rate: of(printed / file.full),
        games: file.games,
        as_white: white.map(|printed| of(printed / (file.full / 2.0))),
        is_comparable: true,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title='t'\nseed=1\ngames=10\nquick={games=2,budget=50,only=['hex:5']}\n";

    fn parse(rest: &str) -> Result<MatchExperiment, String> {
        parse_text(&format!("{HEAD}{rest}"))
    }

    fn parse_text(text: &str) -> Result<MatchExperiment, String> {
        let table = "game,board,t=0,t=inf\nhex,5x5,20,\nnohex,4x4,30,60.5\n";
        let definition =
            Definition::built_in("e", text, &[("p.csv", table)]).map_err(|error| error.to_string())?;
        MatchExperiment::parse(definition).map_err(|error| error.to_string())
    }

    const GRID: &str = "[[grid]]\ntitle='T'\ngame='{game}'\nplayer='hybrid-shuss(t={t})'\nopponent='rave'\nbudget=100\n\
        row='{game}'\ncolumn='{t}'\nlabel='t'\n\
        each=[{name='game',values=['hex:5','nohex:4']},{name='t',values=[0,{label='∞',value='inf'}]}]\n\
        published={file='p.csv',row={game='{game.name}',board='{game.board}'},column='t={t}',full=100,games=500}\n";

    #[test]
    fn a_grid_is_every_combination() {
        let experiment = parse(GRID).unwrap();
        let keys: Vec<&str> = experiment.cells.iter().map(|cell| cell.key.as_str()).collect();
        assert_eq!(
            keys,
            [
                "hex:5: shuss(t=0,score=amaf)+rave@100 against rave@100",
                "hex:5: shuss(t=inf,score=amaf)+rave@100 against rave@100",
                "nohex:4: shuss(t=0,score=amaf)+rave@100 against rave@100",
                "nohex:4: shuss(t=inf,score=amaf)+rave@100 against rave@100"
            ]
        );
        let entries = &experiment.grids[0].entries;
        assert_eq!((entries[1].row(), entries[1].column()), ("hex:5".to_owned(), "∞".to_owned()));
        let rates: Vec<Option<f64>> =
            entries.iter().map(|entry| entry.published.map(|published| published.rate)).collect();
        assert_eq!(rates, [Some(0.2), None, Some(0.3), Some(0.605)]);
    }

    #[test]
    fn what_was_played_with_other_networks_is_read_and_not_played() {
        for net in ["net(1000000)", "net(\"gone.onnx\",06c0ed09)"] {
            let grid = format!("[[grid]]\ngame='hex:7'\nplayer='puct+{net}@8'\nopponent='random'\n");
            let text = format!("title='t'\nseed=1\ngames=10\n{grid}");
            let refused = parse_text(&text).unwrap_err();
            assert!(refused.contains("in grid 1: ") && refused.contains("does not play hex:7"), "{refused}");
            let definition = Definition::built_in("e", &text, &[]).unwrap();
            let read = MatchExperiment::parse_stored(definition).unwrap();
            assert_eq!(read.cells[0].key, format!("hex:7: puct+{net}@8 against random"));
        }
    }

    #[test]
    fn quick_is_less_of_the_same() {
        let quick = parse(GRID).unwrap().quickened();
        assert_eq!(quick.games, 2);
        let keys: Vec<&str> = quick.cells.iter().map(|cell| cell.key.as_str()).collect();
        assert_eq!(
            keys,
            [
                "hex:5: shuss(t=0,score=amaf)+rave@50 against rave@50",
                "hex:5: shuss(t=inf,score=amaf)+rave@50 against rave@50"
            ]
        );
        assert_eq!(quick.grids[0].entries.len(), 2);
        assert!(!quick.grids[0].entries[0].published.unwrap().is_comparable);
        assert_eq!(quick.address, parse(GRID).unwrap().address);
    }

    #[test]
    fn equal_cells_are_played_once() {
        let experiment = parse(&format!("{GRID}{GRID}")).unwrap();
        assert_eq!((experiment.cells.len(), experiment.grids.len()), (4, 2));
        assert_eq!(experiment.grids[1].entries[3].cell, 3);
    }

    #[test]
    fn the_address_depends_on_what_games_depend_on() {
        let address = |text: &str| parse(text).unwrap().address;
        assert_eq!(address(GRID), address(&GRID.replace("title='T'", "title='U'")));
        assert_ne!(address(GRID), address(&format!("rules={{most_moves=9}}\n{GRID}")));
        let clock = |clock: &str| address(&format!("rules={{clock='{clock}'}}\n{GRID}"));
        assert_ne!(address(GRID), clock("1m"));
        assert_ne!(clock("60s+3x5s"), clock("60s+5s/3"));
        assert_eq!(clock("60s"), clock("1m"));
        assert_eq!(clock("unlimited"), address(GRID));
    }

    #[test]
    fn games_with_a_clock_do_not_come_out_again() {
        assert!(parse(GRID).unwrap().cells[0].is_reproducible());
        assert!(!parse(&format!("rules={{clock='1m'}}\n{GRID}")).unwrap().cells[0].is_reproducible());
    }

    #[test]
    fn refusals_say_where() {
        let refusal = |rest: &str| parse(rest).unwrap_err();
        assert_eq!(
            refusal(&GRID.replace("'rave'", "'rave({q})'")),
            "cannot read the experiment e: in grid 1: '{q}' in 'rave({q})' stands for nothing"
        );
        assert!(refusal(&GRID.replace("budget=100\n", "")).contains("has no budget: write "));
        assert!(
            refusal(&GRID.replace("column='t={t}'", "column='u={t}'")).contains("p.csv has no column 'u=0'")
        );
        assert!(refusal(&GRID.replace("'nohex:4'", "'chess'")).contains("'chess' is not a game"));
        assert!(refusal(&format!("rules={{resign_below=2}}\n{GRID}")).contains("resign_below is a share"));
        assert!(
            refusal(&format!("rules={{clock='soon'}}\n{GRID}")).contains("'soon' is not a clock: write 10m")
        );
        assert!(
            refusal(&format!("rules={{clock='1m',pairing='seeds'}}\n{GRID}"))
                .contains("games of seeds have no clock")
        );
        assert!(refusal("colour=1\ngrid=[]").contains("unknown field `colour`"));
        assert!(refusal("grid=[]").contains("it has no cells"));
        let quick =
            |quick: &str| parse_text(&format!("title='t'\nseed=1\ngames=1\nquick={{{quick}}}\n{GRID}"));
        assert!(quick("games=1,budget=99999999").unwrap_err().contains("quick: "));
        assert!(quick("games=1,only=['chess']").unwrap_err().contains("quick: no cell has the words"));
        assert!(quick("games=0").unwrap_err().contains("quick's games are from 1"));
        assert!(quick("games=1,only=['']").unwrap_err().contains("quick: '' chooses nothing"));
    }
}
