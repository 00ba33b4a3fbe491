//! The tables of a store. `docs/store.md` describes them.

/// In the head of every store, so that other databases are not taken for one: "tesu".
pub(super) const APPLICATION: i32 = 0x7465_7375;

/// Raised with every change of the tables, and of the words in them.
pub(super) const VERSION: i32 = 3;

/// The oldest version that is read, and made [`VERSION`] when it is written.
pub(super) const OLDEST: i32 = 1;

/// Makes version 1 version 2, which has the scores of engines, and games lost on time. The
/// view is made anew after it. Version 3 adds [`PAUSED`].
pub(super) const FROM_1: &str = "
ALTER TABLE plays ADD COLUMN player_score TEXT NOT NULL DEFAULT '';
ALTER TABLE plays ADD COLUMN opponent_score TEXT NOT NULL DEFAULT '';
DROP VIEW results;
";

/// Reads version 1 as version 2 where it cannot be changed: what is temporary is found first.
pub(super) const READ_1: &str = "
CREATE TEMP VIEW plays AS SELECT *, '' AS player_score, '' AS opponent_score FROM main.plays;
";

/// Reads version 2 as version 3 where it cannot be changed: it has no paused games.
pub(super) const READ_2: &str = "
CREATE TEMP VIEW paused AS
SELECT experiment, cell, game_index, plies, moves AS state FROM main.games WHERE false;
";

/// The games that were begun and are not over. Version 3 added them.
///
/// A game is here or in `games`, never in both. Its `state` is a [`PausedGame`] as JSON.
///
/// [`PausedGame`]: crate::PausedGame
pub(super) const PAUSED: &str = "
CREATE TABLE paused (
    experiment TEXT NOT NULL,
    cell TEXT NOT NULL,
    game_index INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (experiment, cell, game_index),
    FOREIGN KEY (experiment, cell) REFERENCES cells
) STRICT, WITHOUT ROWID;
";

/// The tables of [`VERSION`], except for [`PAUSED`].
///
/// `games` has what is a function of the game's address and nothing else, so that two
/// stores can be compared to the byte; what depends on the day is in `plays`.
pub(super) const TABLES: &str = "
CREATE TABLE experiments (
    experiment TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    definition TEXT NOT NULL,
    beside TEXT NOT NULL
) STRICT;
CREATE TABLE cells (
    experiment TEXT NOT NULL REFERENCES experiments,
    cell TEXT NOT NULL,
    id TEXT NOT NULL,
    game TEXT NOT NULL,
    player TEXT NOT NULL,
    opponent TEXT NOT NULL,
    reproducible INTEGER NOT NULL,
    PRIMARY KEY (experiment, cell)
) STRICT, WITHOUT ROWID;
CREATE TABLE games (
    experiment TEXT NOT NULL,
    cell TEXT NOT NULL,
    game_index INTEGER NOT NULL,
    side TEXT NOT NULL,
    winner TEXT,
    points REAL NOT NULL,
    reason TEXT NOT NULL,
    plies INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    player_samples INTEGER NOT NULL,
    opponent_samples INTEGER NOT NULL,
    moves TEXT NOT NULL,
    PRIMARY KEY (experiment, cell, game_index),
    FOREIGN KEY (experiment, cell) REFERENCES cells
) STRICT, WITHOUT ROWID;
CREATE TABLE plays (
    experiment TEXT NOT NULL,
    cell TEXT NOT NULL,
    game_index INTEGER NOT NULL,
    build TEXT NOT NULL,
    began INTEGER NOT NULL,
    seconds REAL NOT NULL,
    player_seconds REAL NOT NULL,
    opponent_seconds REAL NOT NULL,
    player_engine TEXT NOT NULL,
    opponent_engine TEXT NOT NULL,
    player_score TEXT NOT NULL DEFAULT '',
    opponent_score TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (experiment, cell, game_index),
    FOREIGN KEY (experiment, cell, game_index) REFERENCES games
) STRICT, WITHOUT ROWID;
CREATE TABLE voids (
    experiment TEXT NOT NULL,
    cell TEXT NOT NULL,
    game_index INTEGER NOT NULL,
    at INTEGER NOT NULL,
    contestant TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    moves TEXT NOT NULL,
    stderr TEXT NOT NULL,
    FOREIGN KEY (experiment, cell) REFERENCES cells
) STRICT;
CREATE TABLE regrets (
    experiment TEXT NOT NULL REFERENCES experiments,
    cell TEXT NOT NULL,
    runs INTEGER NOT NULL,
    build TEXT NOT NULL,
    measured TEXT NOT NULL,
    PRIMARY KEY (experiment, cell, runs, build)
) STRICT;
";

/// What most people want of them.
pub(super) const VIEW: &str = "
CREATE VIEW results AS
SELECT cells.id || '-' || game_index AS id, experiments.name AS experiment, cells.game, cells.player,
    cells.opponent, game_index, side, winner, points, reason, plies, opening, player_samples,
    opponent_samples, seconds, player_seconds, opponent_seconds, player_engine, opponent_engine, player_score,
    opponent_score, build, began, moves
FROM games
JOIN cells USING (experiment, cell)
JOIN experiments USING (experiment)
LEFT JOIN plays USING (experiment, cell, game_index)
ORDER BY experiments.name, cells.cell, game_index;
";
