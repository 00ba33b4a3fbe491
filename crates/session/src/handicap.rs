//! Handicap stones, where the protocol's specification has them.

use tesuji_core::Side;

use crate::error::SessionError;
use crate::session::{Session, is_go};

/// The most stones with a place of their own on a board of this size; none on small ones.
fn most(size: usize) -> u32 {
    match size {
        ..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    }
}

/// The points of `n` stones, as (x, y) from 0; the specification's order.
fn points(size: usize, stones: u32) -> Vec<(usize, usize)> {
    let low = if size < 13 { 2 } else { 3 };
    let (high, middle) = (size - 1 - low, size / 2);
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let stones = stones as usize;
    let mut points: Vec<(usize, usize)> = corners.into_iter().take(stones.min(4)).collect();
    if stones > 4 {
        points.extend(&sides[..(stones - 4) / 2 * 2]);
    }
    // An odd number beyond four has the centre.
    if stones > 4 && stones % 2 == 1 {
        points.push((middle, middle));
    }
    points
}

impl Session {
    fn check_empty_goban(&self) -> Result<usize, SessionError> {
        if !is_go(self.game()) {
            return Err(SessionError::Handicap(format!("{} has no handicap stones", self.game())));
        }
        if self.ply() > 0 {
            return Err(SessionError::Handicap(
                "board not empty: handicap stones come before the first move".to_owned(),
            ));
        }
        Ok(self.game().board().0)
    }

    /// Places black stones on the fixed points, and names them. White is to move then.
    pub fn place_handicap(&mut self, stones: u32) -> Result<Vec<String>, SessionError> {
        let size = self.check_empty_goban()?;
        let most = most(size);
        if most == 0 {
            return Err(SessionError::Handicap(format!(
                "invalid number of stones: a board of size {size} has no handicap points"
            )));
        }
        if !(2..=most).contains(&stones) {
            return Err(SessionError::Handicap(format!(
                "invalid number of stones: a board of size {size} takes 2 to {most}, not {stones}"
            )));
        }
        let shape = self.game().info().shape;
        let names: Vec<String> = points(size, stones).into_iter().map(|(x, y)| shape.cell(x, y)).collect();
        self.set_handicap(&names)?;
        Ok(names)
    }

    /// Places handicap stones that the host may choose: fewer than were asked for, if there are no
    /// more points.
    pub fn place_free_handicap(&mut self, stones: u32) -> Result<Vec<String>, SessionError> {
        let size = self.check_empty_goban()?;
        self.place_handicap(if stones < 2 { stones } else { stones.min(most(size)) })
    }

    /// Places black stones on these points, two at least.
    pub fn set_handicap(&mut self, points: &[String]) -> Result<(), SessionError> {
        self.check_empty_goban()?;
        let wrong =
            |reason: &dyn std::fmt::Display| SessionError::Handicap(format!("bad vertex list: {reason}"));
        if points.len() < 2 {
            return Err(wrong(&"a handicap has at least two stones"));
        }
        for (placed, point) in points.iter().enumerate() {
            let played = match point.eq_ignore_ascii_case("pass") {
                true => Err(wrong(&"a pass is not a stone")),
                false => self.play(Side::Black, point).map_err(|error| wrong(&error)),
            };
            if played.is_err() {
                self.undo(placed as u32)?;
                return played;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Session, Settings};

    fn placed(game: &str, stones: u32) -> Result<String, String> {
        let game: tesuji_catalog::GameSpec = game.parse().unwrap();
        let mut session = Session::new(game.clone(), Settings::usual(&game, 1)).unwrap();
        session.place_handicap(stones).map(|names| names.join(" ")).map_err(|error| error.to_string())
    }

    #[test]
    fn stones_stand_where_the_specification_has_them() {
        let nineteen = "d4 q16 d16 q4 d10 q10 k4 k16 k10";
        assert_eq!(placed("go:19", 9).unwrap(), nineteen);
        assert_eq!(placed("go:19", 8).unwrap(), &nineteen[..nineteen.len() - 4]);
        assert_eq!(placed("go:19", 7).unwrap(), "d4 q16 d16 q4 d10 q10 k10");
        assert_eq!(placed("go:19", 5).unwrap(), "d4 q16 d16 q4 k10");
        assert_eq!(placed("go:19", 3).unwrap(), "d4 q16 d16");
        assert_eq!(placed("go:9", 2).unwrap(), "c3 g7");
        assert_eq!(placed("go:13", 5).unwrap(), "d4 k10 d10 k4 g7");
    }

    #[test]
    fn there_are_not_always_so_many() {
        assert!(placed("go:19", 1).unwrap_err().contains("2 to 9"));
        assert!(placed("go:8", 5).unwrap_err().contains("2 to 4"));
        assert!(placed("go:5", 2).unwrap_err().contains("no handicap points"));
        assert!(placed("hex:7", 2).unwrap_err().contains("no handicap stones"));
    }
}
