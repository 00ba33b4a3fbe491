//! `tesuji report`: everything in a store, as a page, figures and tables.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;
use tesuji_arena::Store;
use tesuji_report::Screen;
use tesuji_report::store::{Detail, StoreFilter, StoreReport};

use super::files;
use super::machine::Origin;

/// Make a page, figures and tables of everything in a store
///
/// Measured numbers are next to published ones, with intervals and a verdict. Each cell has
/// the command that plays it again. Without an option the tables are printed. A store can be
/// read while a run writes to it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tesuji report --html out
  tesuji report results.db --markdown results.md --csv results.csv
  tesuji report results.db --json")]
pub(super) struct Args {
    /// The store
    #[arg(value_name = "STORE", default_value = super::STORE)]
    store: PathBuf,
    /// Write the page into this folder, as index.html, and each figure as an SVG file
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Write Markdown into this file
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write a CSV file with one row for each cell, and FILE-ratings.csv with the ratings of tournaments
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The report, and where it was made.
#[derive(Serialize)]
struct Json<'a> {
    origin: &'a Origin,
    #[serde(flatten)]
    report: &'a StoreReport,
}

pub(super) fn run(args: Args, screen: &Screen) -> Result<()> {
    let store = Store::open_to_read(&args.store)?;
    let report = StoreReport::read(&store, &args.store.display().to_string(), &StoreFilter::default())?;
    let origin = Origin::here_and_now();
    let mut written = Vec::new();
    if let Some(folder) = &args.html {
        files::make_folder(folder)?;
        let page = folder.join("index.html");
        files::write(&page, report.html(&origin.line()))?;
        written.push(format!("Page: {}", page.display()));
        for figure in report.figures() {
            let file = folder.join(figure.name + ".svg");
            files::write(&file, figure.svg)?;
            written.push(format!("Figure: {}", file.display()));
        }
        if let Some(ratings) = report.ratings_csv() {
            let file = folder.join("ratings.csv");
            files::write(&file, ratings)?;
            written.push(format!("Ratings: {}", file.display()));
        }
    }
    if let Some(file) = &args.markdown {
        files::write(file, report.markdown())?;
        written.push(format!("Markdown: {}", file.display()));
    }
    if let Some(file) = &args.csv {
        files::write(file, report.csv())?;
        written.push(format!("Table: {}", file.display()));
        if let Some(ratings) = report.ratings_csv() {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let file = file.with_file_name(format!("{stem}-ratings.csv"));
            files::write(&file, ratings)?;
            written.push(format!("Ratings: {}", file.display()));
        }
    }
    if args.json {
        return super::print_json(&Json { origin: &origin, report: &report });
    }
    if written.is_empty() {
        super::print(&report.text(Detail::Tables, screen))?;
        return super::print(&super::show::headline(&report, screen));
    }
    super::print(&(written.join("\n") + "\n"))
}
