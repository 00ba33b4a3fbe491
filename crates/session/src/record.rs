//! Reading game records: the main line of an SGF file of Go or Hex.
//!
//! The main line is all that stands before the first closing bracket: a variation begins
//! with an opening one, and the first of several is the main one. So it is read from front to
//! back, without a tree, and no file is too deep.

use tesuji_catalog::{GameSpec, Shape};
use tesuji_core::{Side, shortened};

use crate::error::SessionError;
use crate::session::Session;

/// A property: its name and its values.
type Property = (String, Vec<String>);

/// The nodes of the main line of the first game.
fn main_line(text: &str) -> Result<Vec<Vec<Property>>, String> {
    let mut nodes: Vec<Vec<Property>> = Vec::new();
    let mut letters = text.chars().peekable();
    let mut name = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            ')' => break,
            '(' => name.clear(),
            ';' => {
                nodes.push(Vec::new());
                name.clear();
            }
            '[' => {
                let mut value = String::new();
                loop {
                    match letters.next() {
                        None => return Err(format!("the value of {} has no end", shortened(&name))),
                        Some(']') => break,
                        Some('\\') => value.extend(letters.next()),
                        Some(letter) => value.push(letter),
                    }
                }
                let Some(node) = nodes.last_mut() else {
                    return Err("the file has a value before the first node".to_owned());
                };
                // Another value of the same property where no name stands before it.
                match node.last_mut() {
                    Some((_, values)) if name.is_empty() => values.push(value),
                    _ => node.push((std::mem::take(&mut name), vec![value])),
                }
            }
            // Older files have small letters in names, which mean nothing.
            letter if letter.is_ascii_uppercase() => name.push(letter),
            _ => {}
        }
    }
    if nodes.is_empty() {
        return Err("the file has no SGF node".to_owned());
    }
    Ok(nodes)
}

fn value<'a>(node: &'a [Property], name: &str) -> Option<&'a str> {
    let property = node.iter().find(|(property, _)| property == name)?;
    property.1.first().map(|value| value.trim())
}

/// A point or move as our games write it.
fn written(text: &str, spec: &GameSpec) -> Result<String, String> {
    let (width, height) = spec.board();
    if spec.info().shape == Shape::Hexagons {
        return Ok(match text.trim() {
            "swap-pieces" | "swap-sides" => "swap".to_owned(),
            cell => cell.to_lowercase(),
        });
    }
    let wrong = || format!("'{}' is not a point of a board of size {width}", shortened(text));
    match text.trim().as_bytes() {
        [] => Ok("pass".to_owned()),
        // As older files write a pass.
        b"tt" if width <= 19 => Ok("pass".to_owned()),
        &[column, row] => {
            let (x, y) = (usize::from(column.wrapping_sub(b'a')), usize::from(row.wrapping_sub(b'a')));
            if x >= width || y >= height {
                return Err(wrong());
            }
            // Rows are counted from the top.
            Ok(spec.info().shape.cell(x, height - 1 - y))
        }
        _ => Err(wrong()),
    }
}

/// The points of a list that may be a rectangle, `cc:ee` for nine.
fn rectangle(text: &str) -> Vec<String> {
    let corners = text.split_once(':').map(|(first, last)| (first.trim().as_bytes(), last.trim().as_bytes()));
    let Some((&[left, top], &[right, bottom])) = corners else { return vec![text.to_owned()] };
    let rows =
        move |column: u8| (top..=bottom).map(move |row| [column, row].map(char::from).iter().collect());
    (left..=right).flat_map(rows).collect()
}

/// Komi in points and halves of them. Some write a comma; some count hundredths of stones, of
/// which one is two points.
fn in_points(text: &str) -> Option<f64> {
    let komi: f64 = text.replace(',', ".").parse().ok().filter(|komi: &f64| komi.is_finite())?;
    let komi = if komi.abs() >= 100.0 { komi / 50.0 } else { komi };
    Some((2.0 * komi).round() / 2.0)
}

impl Session {
    /// Takes over the main line of a game record, up to the position before this move
    /// (counted from 1) or to its end; who made that move is to move then. Size and komi are the
    /// record's where it has some. Where it cannot be played, everything stays as it was.
    pub fn load(&mut self, sgf: &str, before: Option<u32>) -> Result<(), SessionError> {
        let nodes = main_line(sgf).map_err(SessionError::Record)?;
        let mut loaded = Session::new(self.game().clone(), self.settings.clone())?;
        loaded.load_nodes(&nodes, before.map_or(usize::MAX, |before| before as usize))?;
        self.take_over(loaded);
        Ok(())
    }

    fn load_nodes(&mut self, nodes: &[Vec<Property>], before: usize) -> Result<(), SessionError> {
        let refused = |reason: String| Err(SessionError::Record(reason));
        let root = &nodes[0];
        let number = match self.game().info().name {
            "go" => "1",
            "hex" => "11",
            other => return refused(format!("SGF has no format for {other}")),
        };
        let given = value(root, "GM").unwrap_or("1");
        if given != number {
            return refused(format!(
                "it is a game of type {given} (GM), and {} is type {number}",
                self.game().info().name
            ));
        }
        if let Some(size) = value(root, "SZ") {
            let (width, height) = size.split_once(':').unwrap_or((size, size));
            let Some((width, height)) = width.trim().parse().ok().zip(height.trim().parse().ok()) else {
                return refused(format!("its size '{}' is not a number", shortened(size)));
            };
            self.set_board(width, height)?;
        } else {
            // What the format says of Go.
            let (width, height) = if number == "1" { (19, 19) } else { self.game().board() };
            self.set_board(width, height)?;
        }
        if let Some(komi) = value(root, "KM").filter(|komi| !komi.is_empty()) {
            match in_points(komi) {
                Some(komi) => self.set_komi(komi)?,
                None => return refused(format!("its komi '{}' is not a number", shortened(komi))),
            }
        }
        let mut made = 0;
        for node in nodes {
            for (name, values) in node {
                let side = match name.as_str() {
                    "B" | "AB" => Side::Black,
                    "W" | "AW" => Side::White,
                    "AE" => {
                        return refused("it removes stones (AE), which is not supported".to_owned());
                    }
                    _ => continue,
                };
                if name.len() == 1 {
                    made += 1;
                    if made >= before {
                        self.give_turn(side)?;
                        return Ok(());
                    }
                }
                let stones = match name.len() {
                    1 => values[..1].to_vec(),
                    _ => values.iter().flat_map(|text| rectangle(text)).collect(),
                };
                for text in stones {
                    let mv = written(&text, self.game()).map_err(SessionError::Record)?;
                    self.play(side, &mv)?;
                }
            }
            // Who is to move after stones were set.
            let next = value(node, "PL").and_then(|text| match text.chars().next()?.to_ascii_lowercase() {
                'b' => Some(Side::Black),
                'w' => Some(Side::White),
                _ => None,
            });
            if let Some(side) = next {
                self.give_turn(side)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Session, Settings};

    fn loaded(game: &str, sgf: &str, before: Option<u32>) -> Result<(String, String), String> {
        let game: tesuji_catalog::GameSpec = game.parse().unwrap();
        let mut session = Session::new(game.clone(), Settings::usual(&game, 1)).unwrap();
        session.load(sgf, before).map_err(|error| error.to_string())?;
        let moves: Vec<String> = session.moves().map(|(side, mv)| format!("{}{mv}", side.letter())).collect();
        Ok((session.game().to_string(), moves.join(" ")))
    }

    #[test]
    fn main_lines_are_played() {
        let (game, moves) =
            loaded("go:19", "(;GM[1]SZ[9]KM[6.5]C[a \\] bracket];B[ee](;W[gc];B[])(;W[aa]))", None).unwrap();
        assert_eq!((game.as_str(), moves.as_str()), ("go:9(komi=6.5)", "be5 wg7 bpass"));
        let (_, moves) = loaded("go:9", "(;SZ[9]AB[cc][gg];W[ee];B[tt])", None).unwrap();
        assert_eq!(moves, "bc7 bg3 we5 bpass");
        let (_, moves) = loaded("go:9", "(;SZ[9]AB[aa:ba]AW[cc];W[ee])", None).unwrap();
        assert_eq!(moves, "ba9 bb9 wc7 we5");
        for (komi, game) in [("375", "go:9"), ("6,5", "go:9(komi=6.5)"), ("3.75", "go:9(komi=4)")] {
            assert_eq!(loaded("go:9", &format!("(;SZ[9]KM[{komi}])"), None).unwrap().0, game);
        }
        let (_, moves) = loaded("hex:5", "(;GM[11]SZ[5];B[c3];W[a1])", None).unwrap();
        assert_eq!(moves, "bc3 wa1");
    }

    #[test]
    fn one_may_stop_before_a_move() {
        let sgf = "(;SZ[9];B[ee];W[cc];B[gg])";
        assert_eq!(loaded("go:9", sgf, Some(1)).unwrap().1, "");
        assert_eq!(loaded("go:9", sgf, Some(3)).unwrap().1, "be5 wc7");
        assert_eq!(loaded("go:9", sgf, Some(99)).unwrap().1, "be5 wc7 bg3");
    }

    #[test]
    fn who_made_the_move_is_to_move_before_it() {
        let game: tesuji_catalog::GameSpec = "go:9".parse().unwrap();
        let mut session = Session::new(game.clone(), Settings::usual(&game, 1)).unwrap();
        session.load("(;SZ[9]AB[cc]AW[aa][bb];W[ee])", Some(1)).unwrap();
        assert_eq!(session.position().to_move(), tesuji_core::Side::White);
        session.load("(;SZ[9]AB[cc][dd]PL[W])", None).unwrap();
        session.set_komi(0.5).unwrap();
        assert_eq!(session.position().to_move(), tesuji_core::Side::White);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (game, sgf, words) in [
            ("go:9", "", "no SGF node"),
            ("go:9", "(;SZ[9];B[ee", "has no end"),
            ("go:9", "(;SZ[9];B[zz])", "not a point"),
            ("go:9", "(;SZ[9];B[ee];W[ee])", "there is a stone"),
            ("go:9", "(;SZ[99])", "99"),
            ("go:9", "(;SZ[x])", "not a number"),
            ("go:9", "(;GM[11])", "type 11"),
            ("go:9", "(;SZ[9]KM[x])", "komi"),
            ("domineering", "(;GM[1])", "SGF has no format for domineering"),
            ("go:9", "[x]", "before the first node"),
        ] {
            let error = loaded(game, sgf, None).unwrap_err();
            assert!(error.contains(words), "{sgf}: {error}");
        }
        // A file of brackets alone, and one with a very long main line, are no trouble.
        assert!(loaded("go:9", &"(".repeat(1_000_000), None).is_err());
        assert!(loaded("go:9", &"(;".repeat(500_000), None).is_ok());
    }

    #[test]
    fn a_record_that_fails_changes_nothing() {
        let game: tesuji_catalog::GameSpec = "go:9".parse().unwrap();
        let mut session = Session::new(game.clone(), Settings::usual(&game, 1)).unwrap();
        session.play(tesuji_core::Side::Black, "e5").unwrap();
        session.load("(;SZ[13];B[aa];W[aa])", None).unwrap_err();
        assert_eq!(session.game(), &game);
        assert_eq!(session.ply(), 1);
    }
}
