//! Measures the tuner of `tesuji_arena::tuning` and its rivals on surfaces with a known best point.
//!
//! ```text
//! cargo run --release -p tesuji-report --example tuning_surfaces -- FOLDER [RUNS [MOST_GAMES [THREADS]]]
//! ```
//!
//! It writes `tuning-surfaces.csv` and `tuning-surfaces.svg` into the folder, and prints the games that
//! each method needs for a regret. With `draw` in place of RUNS, it reads the table that is there instead of
//! measuring. Equal numbers of runs give equal results on any number of threads.

use std::error::Error;
use std::path::Path;

use tesuji_arena::tuning::testbed::{
    MeasureRuns, Measurement, Regret, families, games_needed, measure, surfaces,
};
use tesuji_core::Seed;
use tesuji_report::figure::{Axis, Figure, Look, Marks, Panel, Point, Scale, Series};

/// The regrets whose price in games is printed.
const TARGETS: [f64; 2] = [0.02, 0.01];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = arguments.first() else { return Err("give the folder to write into".into()) };
    let folder = Path::new(folder);
    if arguments.get(1).is_some_and(|text| text == "draw") {
        let measured = read(&std::fs::read_to_string(folder.join("tuning-surfaces.csv"))?)?;
        std::fs::write(folder.join("tuning-surfaces.svg"), figure(&measured).svg())?;
        print_tables(&measured);
        return Ok(());
    }
    // Better now than after all runs.
    std::fs::create_dir_all(folder)?;
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |text| text.parse());
    let (runs, most, threads) = (number(1, 200)?, number(2, 16_384)?, number(3, 2)? as usize);
    let games: Vec<u64> = (7..).map(|power| 1 << power).take_while(|games| *games <= most).collect();
    let seed = Seed::new(5);
    let measured = measure(&families(), MeasureRuns { games: &games, runs, seed, threads });
    std::fs::write(folder.join("tuning-surfaces.csv"), csv(&measured))?;
    std::fs::write(folder.join("tuning-surfaces.svg"), figure(&measured).svg())?;
    print_tables(&measured);
    Ok(())
}

fn csv(measured: &[Measurement]) -> String {
    let mut text = "surface,family,games,method,runs,regret,standard_error\n".to_owned();
    for Measurement { surface, family, games, method, regret } in measured {
        let (runs, mean, error) = (regret.runs, regret.mean, regret.error);
        text += &format!("{surface},\"{family}\",{games},{method},{runs},{mean:.6},{error:.6}\n");
    }
    text
}

/// Reads what [`csv`] wrote.
fn read(text: &str) -> Result<Vec<Measurement>, Box<dyn Error>> {
    let surfaces: Vec<&'static str> = surfaces(Seed::new(1)).iter().map(|surface| surface.name).collect();
    let families: Vec<&'static str> = families().iter().map(|family| family.name).collect();
    let line = |line: &str| -> Option<Measurement> {
        let fields: Vec<&str> = line.split(',').collect();
        // The name of a family may have a comma.
        let [surface, family @ .., games, method, runs, mean, error] = &fields[..] else { return None };
        let family = family.join(",");
        Some(Measurement {
            surface: surfaces.iter().find(|name| *name == surface)?,
            family: families.iter().find(|name| **name == family.trim_matches('"'))?,
            games: games.parse().ok()?,
            method: (*method).to_owned(),
            regret: Regret { runs: runs.parse().ok()?, mean: mean.parse().ok()?, error: error.parse().ok()? },
        })
    };
    let all =
        text.lines().skip(1).map(|text| line(text).ok_or_else(|| format!("'{text}' is no line").into()));
    all.collect()
}

/// The names of families or of surfaces, in the order in which they were measured.
fn names(measured: &[Measurement], of: impl Fn(&Measurement) -> &'static str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for name in measured.iter().map(of) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The regrets of a family on a surface, by games.
fn curve(measured: &[Measurement], surface: &str, family: &str) -> Vec<(u64, f64)> {
    let of = measured.iter().filter(|one| one.surface == surface && one.family == family);
    of.map(|one| (one.games, one.regret.mean)).collect()
}

#[expect(clippy::print_stdout, reason = "an example is a program")]
fn print_tables(measured: &[Measurement]) {
    let (all_families, all_surfaces) =
        (names(measured, |one| one.family), names(measured, |one| one.surface));
    for target in TARGETS {
        println!(
            "games needed for a regret of {target}, and how many of them the tuner needs for one of the method's"
        );
        println!("{:26}{}", "", all_surfaces.iter().map(|name| format!("{name:>16}")).collect::<String>());
        for family in &all_families {
            let cell = |surface: &&str| {
                let needed = |family| games_needed(&curve(measured, surface, family), target);
                let text = match (needed(family), needed("tuner")) {
                    (Some(games), Some(ours)) => format!("{games:.0} ({:.2})", ours / games),
                    (Some(games), None) => format!("{games:.0}"),
                    (None, _) => "more".to_owned(),
                };
                format!("{text:>16}")
            };
            println!("{family:26}{}", all_surfaces.iter().map(cell).collect::<String>());
        }
        println!();
    }
}

fn figure(measured: &[Measurement]) -> Figure {
    let axis = |label: &str| Axis { label: label.to_owned(), scale: Scale::Log, ..Axis::default() };
    let panel = |surface: &'static str| {
        let of = |family: &'static str| {
            let of = measured.iter().filter(|one| one.surface == surface && one.family == family);
            let point = |one: &Measurement| Point {
                x: one.games as f64,
                y: one.regret.mean,
                error: Some(one.regret.error),
                ..Point::default()
            };
            let points = of.map(point).collect();
            Series { name: family.to_owned(), colour: None, look: Look::Measured, points }
        };
        let meanings = surfaces(Seed::new(1));
        let meaning = meanings.iter().find(|one| one.name == surface).map_or("", |one| one.meaning);
        Panel {
            title: surface.to_owned(),
            notes: vec![meaning.to_owned()],
            x: axis("games"),
            y: axis("regret (win rate)"),
            marks: Marks::Lines(names(measured, |one| one.family).into_iter().map(of).collect()),
        }
    };
    Figure {
        title: "Tuning: the regret of the recommended configuration".to_owned(),
        caption:
            "Error bars are one standard error. Uniform, halving and the oracles have the best number of \
                  candidates, or the best gains, for each surface and budget."
                .to_owned(),
        columns: 3,
        panels: names(measured, |one| one.surface).into_iter().map(panel).collect(),
        ..Figure::default()
    }
}
