//! The sizes of boards that a game allows.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::goban::PointSet;

/// The board is too small or too large for the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{game} is not played on {asked}: {allowed}")]
pub struct SizeError {
    game: &'static str,
    asked: String,
    allowed: String,
}

impl SizeError {
    /// Accepts a size within the range; the error lists the allowed sizes.
    pub(crate) fn check_square(
        game: &'static str,
        size: usize,
        allowed: RangeInclusive<usize>,
    ) -> Result<(), SizeError> {
        if allowed.contains(&size) {
            return Ok(());
        }
        let (least, most) = allowed.into_inner();
        let allowed = format!("sizes go from {least} to {most}");
        Err(SizeError { game, asked: format!("a board of size {size}"), allowed })
    }

    /// Accepts the sizes of the Go family, as far as they fit these sets.
    pub(crate) fn check_goban<S: PointSet>(game: &'static str, size: usize) -> Result<(), SizeError> {
        SizeError::check_square(game, size, 2..=19)?;
        SizeError::check_square(game, size, 2..=S::LARGEST)
    }

    /// Accepts a width and a height within their ranges; the error lists the allowed
    /// ones.
    pub(crate) fn check_rectangle(
        game: &'static str,
        (width, height): (usize, usize),
        widths: RangeInclusive<usize>,
        heights: RangeInclusive<usize>,
    ) -> Result<(), SizeError> {
        if widths.contains(&width) && heights.contains(&height) {
            return Ok(());
        }
        let range = |range: RangeInclusive<usize>| format!("{} to {}", range.start(), range.end());
        let allowed = format!("the width goes from {}, the height from {}", range(widths), range(heights));
        Err(SizeError { game, asked: format!("a board of {width} by {height}"), allowed })
    }
}
