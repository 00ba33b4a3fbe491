//! Draws how often decisions are right against how sure they were: panels of curves from a table.
//!
//! ```text
//! cargo run --release -p tesuji-report --example reliability -- points.csv reliability.svg
//! ```
//!
//! The table has the columns panel, series, x (stated, %), y (right, %), low and high.

use std::error::Error;

use tesuji_report::figure::{Axis, Figure, Look, Marks, Panel, Point, Scale, Series};

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let [table, figure] = &files[..] else { return Err("give points.csv and the SVG file to write".into()) };
    let mut panels: Vec<Panel> = Vec::new();
    // The diagonal: as often right as stated.
    let stated = [80.0, 90.0, 95.0, 99.0];
    let diagonal = || Series {
        name: "as stated".to_owned(),
        colour: None,
        look: Look::Published,
        points: stated.map(|level| Point { x: level, y: level, ..Point::default() }).to_vec(),
    };
    for line in std::fs::read_to_string(table)?.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [panel, series, numbers @ ..] = &fields[..] else { return Err(line.into()) };
        let numbers = numbers.iter().map(|number| number.trim().parse()).collect::<Result<Vec<f64>, _>>()?;
        let [x, y, low, high] = numbers[..] else { return Err(line.into()) };
        let point = Point { x, y, interval: Some((low, high)), ..Point::default() };
        if panels.last().is_none_or(|last| last.title != *panel) {
            let axis =
                |label: &str| Axis { label: label.to_owned(), scale: Scale::Linear, ..Axis::default() };
            panels.push(Panel {
                title: (*panel).to_owned(),
                x: axis("stated, %"),
                y: axis("right, %"),
                marks: Marks::Lines(vec![diagonal()]),
                ..Panel::default()
            });
        }
        let Some(Panel { marks: Marks::Lines(all), .. }) = panels.last_mut() else { continue };
        match all.iter_mut().find(|other| other.name == *series) {
            Some(other) => other.points.push(point),
            None => {
                let (name, look) = ((*series).to_owned(), Look::Measured);
                all.push(Series { name, colour: None, look, points: vec![point] });
            }
        }
    }
    let figure_svg = Figure {
        title: "Searches that stop when they are sure".to_owned(),
        caption: "Right among those that stopped at the stated confidence. Error bars are 95 % intervals."
            .to_owned(),
        columns: panels.len().clamp(1, 3),
        panels,
        ..Figure::default()
    };
    std::fs::write(figure, figure_svg.svg())?;
    Ok(())
}
