//! One position as a picture: an SVG text that needs no other file, for notebooks and pages.
//!
//! The picture has its own light ground, so that it can be read on any page. Stones are black
//! and white; the last move has a red ring, and a move that is only proposed is a pale stone
//! with a dashed ring.

use maud::{Markup, html};
use tesuji_catalog::{GameSpec, MoveNames, Shape};
use tesuji_core::{Outcome, Side};
use tesuji_search::Board;

/// The width of a cell.
const UNIT: f64 = 40.0;
/// The radius of a hexagon.
const RADIUS: f64 = UNIT * 0.577_350_269_189_625_8;
/// The distance between two rows of hexagons.
const STEP: f64 = UNIT * 0.866_025_403_784_438_6;
/// The room for coordinates on each side.
const MARGIN: f64 = 34.0;
/// The room for the line below the board.
const CAPTION: f64 = 26.0;

const GROUND: &str = "#f4f2ee";
const INK: &str = "#333333";
const BLACK: &str = "#1d1d1f";
const WHITE: &str = "#fdfdfd";
const RED: &str = "#d1344b";

/// Whose eyes see the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// Somebody who sees everything.
    Spectator,
    /// A side, which in a phantom game sees only what it knows.
    Side(Side),
}

/// What is drawn.
#[derive(Clone, Copy)]
pub struct BoardPicture<'a> {
    /// The game.
    pub spec: &'a GameSpec,
    /// The position.
    pub board: &'a dyn Board,
    /// Whose eyes see it.
    pub viewer: Viewer,
    /// The last move, if it may be shown.
    pub last: Option<&'a str>,
    /// A move of the side to move that is proposed and not played.
    pub proposed: Option<&'a str>,
}

impl BoardPicture<'_> {
    /// Returns the picture as an SVG text.
    pub fn svg(&self) -> String {
        let (width, height) = self.size();
        let (last, proposed) = (self.cells(self.last), self.cells(self.proposed));
        let caption = self.caption();
        let ghosts = match self.spec.info().names {
            // A piece that moves is drawn where it goes.
            MoveNames::FromTo => &proposed[proposed.len().saturating_sub(1)..],
            MoveNames::Cell | MoveNames::Domino => &proposed[..],
        };
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (number(width)) " " (number(height)) }
                width=(number(width)) height=(number(height)) role="img" font-family="sans-serif" {
                title { (self.spec) ": " (caption) }
                rect width=(number(width)) height=(number(height)) fill=(GROUND) {}
                (self.ground())
                (self.labels())
                @for (x, y) in self.all() {
                    @if let Some(side) = self.piece(x, y) { (self.stone((x, y), side, "1")) }
                }
                @for &cell in ghosts { (self.stone(cell, self.board.to_move(), "0.45")) }
                @for &cell in &last { (self.ring(cell, "none")) }
                @for &cell in &proposed { (self.ring(cell, "5 3")) }
                text x=(number(width / 2.0)) y=(number(height - 9.0)) font-size="14" text-anchor="middle" fill=(INK) {
                    (caption)
                }
            }
        }
        .into_string()
    }

    /// The line below the board: whose turn it is, or how the game ended.
    fn caption(&self) -> String {
        let state = match self.board.outcome() {
            Some(Outcome::Win(side)) => format!("{side} has won"),
            Some(Outcome::Draw) => "a draw".to_owned(),
            None => format!("{} to move", self.board.to_move()),
        };
        let text = match self.viewer {
            Viewer::Side(side) if self.spec.info().is_hidden => format!("{state}; what {side} knows"),
            _ if self.spec.info().is_hidden => format!("{state}; all stones"),
            _ => state,
        };
        let mut letters = text.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    }

    fn piece(&self, x: usize, y: usize) -> Option<Side> {
        match self.viewer {
            Viewer::Spectator => self.board.piece_at(x, y),
            Viewer::Side(side) => self.board.known_at(side, x, y),
        }
    }

    fn all(&self) -> impl Iterator<Item = (usize, usize)> {
        let (columns, rows) = self.spec.board();
        (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)))
    }

    fn shape(&self) -> Shape {
        self.spec.info().shape
    }

    fn size(&self) -> (f64, f64) {
        let (columns, rows) = self.spec.board();
        let (columns, rows) = (columns as f64, rows as f64);
        let (width, height) = match self.shape() {
            Shape::Hexagons => ((columns + (rows - 1.0) / 2.0) * UNIT, (rows - 1.0) * STEP + 2.0 * RADIUS),
            Shape::Goban | Shape::Squares => (columns * UNIT, rows * UNIT),
        };
        (width + 2.0 * MARGIN, height + 2.0 * MARGIN + CAPTION)
    }

    /// The centre of a cell.
    fn centre(&self, (x, y): (usize, usize)) -> (f64, f64) {
        let (_, rows) = self.spec.board();
        let (x, row) = (x as f64, y as f64);
        match self.shape() {
            Shape::Hexagons => (MARGIN + (x + row / 2.0 + 0.5) * UNIT, MARGIN + RADIUS + row * STEP),
            Shape::Goban | Shape::Squares => {
                (MARGIN + (x + 0.5) * UNIT, MARGIN + (rows as f64 - row - 0.5) * UNIT)
            }
        }
    }

    /// The cells that a move names.
    fn cells(&self, mv: Option<&str>) -> Vec<(usize, usize)> {
        let Some(mv) = mv else { return Vec::new() };
        let words = mv.split(|letter: char| !letter.is_ascii_alphanumeric());
        // A capture is written with an x between two cells.
        let words = words.flat_map(|word| word.split('x'));
        words.filter_map(|word| self.all().find(|&(x, y)| self.shape().cell(x, y) == word)).collect()
    }

    /// What lies under the stones.
    fn ground(&self) -> Markup {
        let (columns, rows) = self.spec.board();
        match self.shape() {
            Shape::Goban => {
                let (left, bottom) = self.centre((0, 0));
                let (right, top) = self.centre((columns - 1, rows - 1));
                let edge = UNIT / 2.0;
                html! {
                    rect x=(number(left - edge)) y=(number(top - edge)) width=(number(right - left + UNIT))
                        height=(number(bottom - top + UNIT)) rx="4" fill="#e8c58a" {}
                    @for column in 0..columns {
                        @let x = number(self.centre((column, 0)).0);
                        line x1=(x) x2=(x) y1=(number(top)) y2=(number(bottom)) stroke="#7a5c2e" {}
                    }
                    @for row in 0..rows {
                        @let y = number(self.centre((0, row)).1);
                        line x1=(number(left)) x2=(number(right)) y1=(y) y2=(y) stroke="#7a5c2e" {}
                    }
                    @for cell in self.all().filter(|&cell| self.is_star(cell)) {
                        @let (x, y) = self.centre(cell);
                        circle cx=(number(x)) cy=(number(y)) r="3.4" fill="#7a5c2e" {}
                    }
                }
            }
            Shape::Hexagons => html! {
                @for (side, points) in self.edges() {
                    polyline points=(points) fill="none" stroke="#8a8a8a" stroke-width="11" stroke-linejoin="round" {}
                    polyline points=(points) fill="none" stroke=(colour(side)) stroke-width="8" stroke-linejoin="round" {}
                }
                @for cell in self.all() {
                    polygon points=(self.hexagon(cell)) fill="#f1e6d0" stroke="#9a8866" {}
                }
            },
            Shape::Squares => html! {
                @for (column, row) in self.all() {
                    @let (x, y) = self.centre((column, row));
                    rect x=(number(x - UNIT / 2.0)) y=(number(y - UNIT / 2.0)) width=(UNIT) height=(UNIT)
                        fill=(if (column + row) % 2 == 0 { "#d9c7a3" } else { "#f1e6d0" }) stroke="#9a8866" {}
                }
            },
        }
    }

    fn hexagon(&self, cell: (usize, usize)) -> String {
        let (x, y) = self.centre(cell);
        let (half, side) = (UNIT / 2.0, RADIUS);
        let corners = [
            (0.0, -side),
            (half, -side / 2.0),
            (half, side / 2.0),
            (0.0, side),
            (-half, side / 2.0),
            (-half, -side / 2.0),
        ];
        points(corners.map(|(dx, dy)| (x + dx, y + dy)))
    }

    /// The four edges of a board of hexagons: Black's are the top and the bottom.
    fn edges(&self) -> Vec<(Side, String)> {
        let (columns, rows) = self.spec.board();
        let (half, side) = (UNIT / 2.0, RADIUS);
        let along = |cells: Vec<(usize, usize)>, corners: &[(f64, f64)]| {
            let corner = |cell, &(dx, dy): &(f64, f64)| {
                let (x, y) = self.centre(cell);
                (x + dx, y + dy)
            };
            points(cells.into_iter().flat_map(|cell| corners.iter().map(move |offset| corner(cell, offset))))
        };
        let row = |y: usize| (0..columns).map(|x| (x, y)).collect::<Vec<_>>();
        let column = |x: usize| (0..rows).map(|y| (x, y)).collect::<Vec<_>>();
        let (top, low) = (-side / 2.0, side / 2.0);
        vec![
            (Side::White, along(column(0), &[(-half, top), (-half, low)])),
            (Side::White, along(column(columns - 1), &[(half, top), (half, low)])),
            (Side::Black, along(row(0), &[(-half, top), (0.0, -side), (half, top)])),
            (Side::Black, along(row(rows - 1), &[(-half, low), (0.0, side), (half, low)])),
        ]
    }

    /// Whether a crossing of a goban has a dot.
    fn is_star(&self, (x, y): (usize, usize)) -> bool {
        let (columns, rows) = self.spec.board();
        let is_middle = |at: usize, length: usize| 2 * at + 1 == length;
        let is_line = |at: usize, length: usize| {
            let edge = if length < 13 { 2 } else { 3 };
            length >= 7 && (at == edge || at + edge + 1 == length || (length >= 13 && is_middle(at, length)))
        };
        (is_middle(x, columns) && is_middle(y, rows)) || (is_line(x, columns) && is_line(y, rows))
    }

    /// The coordinates: letters along the first row, numbers along the first column.
    fn labels(&self) -> Markup {
        let (columns, rows) = self.spec.board();
        let name = |cell: (usize, usize)| self.shape().cell(cell.0, cell.1);
        let below = match self.shape() {
            Shape::Hexagons => -RADIUS - 10.0,
            Shape::Goban | Shape::Squares => UNIT / 2.0 + 18.0,
        };
        let label = |x: f64, y: f64, text: String| {
            html! {
                text x=(number(x)) y=(number(y)) font-size="14" text-anchor="middle" fill="#6b6b6b" { (text) }
            }
        };
        html! {
            @for column in 0..columns {
                @let (x, y) = self.centre((column, 0));
                (label(x, y + below, name((column, 0)).trim_end_matches(char::is_numeric).to_owned()))
            }
            @for row in 0..rows {
                @let (x, y) = self.centre((0, row));
                (label(x - UNIT / 2.0 - 16.0, y + 5.0, (row + 1).to_string()))
            }
        }
    }

    fn stone(&self, cell: (usize, usize), side: Side, opacity: &str) -> Markup {
        let (x, y) = self.centre(cell);
        html! {
            @if self.spec.info().names == MoveNames::Domino {
                rect x=(number(x - 16.0)) y=(number(y - 16.0)) width="32" height="32" rx="4" fill=(colour(side))
                    stroke=(INK) opacity=(opacity) {}
            } @else {
                circle cx=(number(x)) cy=(number(y)) r="15.5" fill=(colour(side)) stroke=(INK) opacity=(opacity) {}
            }
        }
    }

    fn ring(&self, cell: (usize, usize), dashes: &str) -> Markup {
        let (x, y) = self.centre(cell);
        html! {
            circle cx=(number(x)) cy=(number(y)) r="9" fill="none" stroke=(RED) stroke-width="3"
                stroke-dasharray=(dashes) {}
        }
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::Black => BLACK,
        Side::White => WHITE,
    }
}

/// A coordinate: a tenth of a unit cannot be seen.
fn number(value: f64) -> String {
    format!("{:.1}", value)
}

fn points(all: impl IntoIterator<Item = (f64, f64)>) -> String {
    let point = |(x, y): (f64, f64)| format!("{},{}", number(x), number(y));
    all.into_iter().map(point).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(game: &str, moves: &[&str], viewer: Viewer, proposed: Option<&str>) -> String {
        let spec: GameSpec = game.parse().unwrap();
        let mut board = spec.start().unwrap();
        moves.iter().for_each(|mv| drop(board.play(mv).unwrap()));
        BoardPicture { spec: &spec, board: &*board, viewer, last: moves.last().copied(), proposed }.svg()
    }

    #[test]
    fn every_game_has_a_picture_with_its_stones_and_its_last_move() {
        for info in tesuji_catalog::games() {
            let spec: GameSpec = info.name.parse().unwrap();
            let mut board = spec.start().unwrap();
            let first = board.move_text(board.search_moves()[0]);
            board.play(&first).unwrap();
            let stones = |side: Side| {
                let (columns, rows) = spec.board();
                (0..rows * columns)
                    .filter(|at| board.piece_at(at % columns, at / columns) == Some(side))
                    .count()
            };
            let svg = picture(info.name, &[&first], Viewer::Spectator, None);
            for side in Side::BOTH {
                let drawn = svg.matches(&format!("fill=\"{}\" stroke=\"{INK}\"", colour(side))).count();
                assert_eq!(drawn, stones(side), "{}: {side}", info.name);
            }
            let rings = svg.matches(&format!("stroke=\"{RED}\"")).count();
            assert_eq!(rings, first.split(['-', 'x']).count(), "{}: {first}", info.name);
        }
    }

    #[test]
    fn a_side_is_shown_what_it_knows() {
        let stone = format!("fill=\"{BLACK}\" stroke=\"{INK}\"");
        let all = picture("dark-hex:3", &["b2"], Viewer::Spectator, None);
        assert!(all.contains(&stone) && all.contains("White to move; all stones"), "{all}");
        let spec: GameSpec = "dark-hex:3".parse().unwrap();
        let mut board = spec.start().unwrap();
        board.play("b2").unwrap();
        let viewer = Viewer::Side(Side::White);
        let seen = BoardPicture { spec: &spec, board: &*board, viewer, last: None, proposed: None }.svg();
        assert!(!seen.contains(&stone) && seen.contains("what White knows"), "{seen}");
    }

    #[test]
    fn proposed_moves_are_pale_and_marked() {
        let svg = picture("breakthrough:4", &[], Viewer::Spectator, Some("a2-a3"));
        assert_eq!(svg.matches("opacity=\"0.45\"").count(), 1);
        assert_eq!(svg.matches("stroke-dasharray=\"5 3\"").count(), 2);
        // A pass is on no cell.
        let svg = picture("go:5", &[], Viewer::Spectator, Some("pass"));
        assert!(!svg.contains("5 3"));
    }
}
