//! Does a game keep the contract of [`Game`]?

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use tesuji_core::{Code, Game, Playout, Record, Rng, Seed, Silent, playout_by_move_lists};

use crate::networks::NetworkCheck;
use crate::statistics::{goodness_p_value, uniformity_p_value};

/// A tail probability that a right program meets about once in a million tests;
/// seeds are fixed, so a test that passes passes for ever.
const P_LIMIT: f64 = 1e-6;

/// The conformance suite: what it needs to know about a game, and how many positions
/// and playouts it checks.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The number of random games, by all legal moves, whose every position is checked.
    pub games: u64,
    /// The greatest length of such a game, in plies.
    pub longest: u32,
    /// The number of playouts that are replayed move by move.
    pub playouts: u64,
    /// The length at which playouts are cut off; `None` if they never are. The outcome
    /// of a playout that was cut off is not compared with the rules.
    pub playout_cap: Option<u32>,
    /// Whether playouts go on after the game is decided, as those of Hex do: they fill
    /// the board.
    pub fills_the_board: bool,
    /// The number of draws for each test of uniformity.
    pub draws: u64,
}

impl Default for Suite {
    fn default() -> Suite {
        Suite {
            games: 20,
            longest: 400,
            playouts: 50,
            playout_cap: None,
            fills_the_board: false,
            draws: 20_000,
        }
    }
}

impl Suite {
    /// Runs every check from this position and along random games from it.
    pub fn run<G: Game>(&self, start: &G) {
        self.positions(start);
        self.playouts(start);
        self.uniformity(start);
        self.garbage(start);
    }

    /// Checks the contract at every position of random games.
    pub fn positions<G: Game>(&self, start: &G) {
        let mut networks = NetworkCheck::new(start);
        for index in 0..self.games {
            let mut rng = Seed::new(1).child("conformance").child(index).rng();
            let mut position = start.clone();
            for _ in 0..self.longest {
                examine(&position);
                networks.examine(&position);
                let Some(&mv) = rng.choose(&position.moves()) else { break };
                examine_symmetries(&position, mv);
                let mut unchecked = position.clone();
                unchecked.play_unchecked(mv);
                position.play(mv).expect("a listed move is legal");
                assert_eq!(position.hash(), unchecked.hash());
                assert_eq!(position.position_text(), unchecked.position_text());
            }
        }
    }

    /// Replays playouts by the rules, move by move, from positions along random games.
    pub fn playouts<G: Game>(&self, start: &G) {
        let mut codes = Vec::new();
        for index in 0..self.playouts {
            let mut rng = Seed::new(2).child("playouts").child(index).rng();
            let mut position = start.clone();
            for _ in 0..index % 20 {
                let Some(&mv) = rng.choose(&position.search_moves()) else { break };
                position.play_unchecked(mv);
            }
            let before = position.position_text();
            let (mut again, mut unordered) = (rng.clone(), rng.clone());
            codes.clear();
            let playout = position.playout(&mut rng, &mut codes);
            assert_eq!(codes.len(), playout.plies as usize, "one code a ply");
            assert_eq!(position.position_text(), before, "a playout leaves the position alone");
            assert_eq!(position.playout(&mut again, &mut Silent), playout, "recording changes nothing");
            assert_eq!(rng, again, "recording leaves the generator where silence does");
            let mut set = CodeSet::default();
            assert_eq!(position.playout(&mut unordered, &mut set), playout, "order changes nothing");
            assert_eq!(rng, unordered, "an unordered record leaves the generator where silence does");
            assert_eq!(set.0, codes.iter().copied().collect(), "the same codes in any order");
            self.replay(position, &codes, playout);
        }
    }

    fn replay<G: Game>(&self, mut position: G, codes: &[Code], playout: Playout) {
        for &code in codes {
            if self.fills_the_board && position.outcome().is_some() {
                break;
            }
            let here = position.drawing();
            let mv = position.search_moves().into_iter().find(|&mv| position.code(mv) == code);
            let mv = mv.unwrap_or_else(|| panic!("the playout's code {code} is no search move at\n{here}"));
            position.play(mv).expect("a search move is legal");
        }
        if Some(playout.plies) != self.playout_cap {
            assert_eq!(
                position.outcome(),
                Some(playout.outcome),
                "outcome of the playout at\n{}",
                position.drawing()
            );
        }
    }

    /// Checks that the first move of a playout is uniform over the search moves, and
    /// that the lengths and outcomes of playouts are distributed as those of the plain
    /// loop over move lists.
    pub fn uniformity<G: Game>(&self, start: &G) {
        let mut rng = Seed::new(3).child("uniformity").rng();
        let mut position = start.clone();
        for ply in 0..60 {
            if position.outcome().is_some() {
                break;
            }
            if ply % 6 == 0 {
                self.first_moves_are_uniform(&position, &mut rng);
            }
            let Some(&mv) = rng.choose(&position.search_moves()) else { break };
            position.play_unchecked(mv);
        }
        if !self.fills_the_board {
            self.like_the_plain_loop(start, &mut rng);
        }
    }

    /// Checks that the first move of a playout is uniform over the search moves of a
    /// position.
    pub fn first_moves_are_uniform<G: Game>(&self, position: &G, rng: &mut Rng) {
        let mut counts: BTreeMap<Code, u64> =
            position.search_moves().iter().map(|&mv| (position.code(mv), 0)).collect();
        let mut codes = Vec::new();
        for _ in 0..self.draws {
            codes.clear();
            position.playout(rng, &mut codes);
            let first = codes.first().expect("a game that is not over has a move");
            *counts.get_mut(first).expect("a playout begins with a search move") += 1;
        }
        if counts.len() > 1 {
            let p = uniformity_p_value(&counts.values().copied().collect::<Vec<_>>());
            assert!(p > P_LIMIT, "p = {p:e} at\n{}\n{counts:?}", position.drawing());
        }
    }

    /// Compares the distributions of the fast playout and of the plain loop: their
    /// lengths, in tenths of the plain loop's distribution, and their outcomes.
    pub fn like_the_plain_loop<G: Game>(&self, start: &G, rng: &mut Rng) {
        let n = (self.draws / 10).max(500) as usize;
        let key = |playout: Playout| (playout.plies, playout.outcome.reward(tesuji_core::Side::Black) as u32);
        let capped = |playout: Playout| match self.playout_cap {
            Some(cap) if playout.plies >= cap => Playout { plies: cap, outcome: tesuji_core::Outcome::Draw },
            _ => playout,
        };
        let mut plain: Vec<_> =
            (0..n).map(|_| key(capped(playout_by_move_lists(start, rng, &mut Silent)))).collect();
        let mut fast: Vec<_> = (0..n).map(|_| key(capped(start.playout(rng, &mut Silent)))).collect();
        plain.sort_unstable();
        fast.sort_unstable();
        // Two samples of equal size in common bins: Σ (a - b)² / (a + b) is χ²
        // with one degree of freedom less than bins (both totals are fixed), which
        // is the goodness of fit of each against their mean, added.
        let mut edges: Vec<_> = (1..10).map(|tenth| plain[tenth * n / 10]).collect();
        edges.dedup();
        let bin = |key: &(u32, u32)| edges.partition_point(|edge| edge <= key);
        let mut table = vec![[0_u64; 2]; edges.len() + 1];
        plain.iter().for_each(|key| table[bin(key)][0] += 1);
        fast.iter().for_each(|key| table[bin(key)][1] += 1);
        table.retain(|[a, b]| a + b > 0);
        if table.len() > 1 {
            // (a - b)²/(a + b) = ½ · (a - m)²/m · … with m = (a + b)/2: the pair
            // (a, m) contributes (a - b)²/(2(a + b)), so counts are doubled.
            let cells: Vec<_> = table.iter().map(|&[a, b]| (2 * a, (a + b) as f64)).collect();
            let p = goodness_p_value(&cells);
            assert!(p > P_LIMIT, "p = {p:e}: lengths and outcomes by plain loop and by playout {table:?}");
        }
    }

    /// Feeds random text to the parsers: they must not panic, and must print again what
    /// they accept.
    pub fn garbage<G: Game>(&self, start: &G) {
        let mut rng = Seed::new(4).child("garbage").rng();
        let mut position = start.clone();
        for _ in 0..10 {
            let Some(&mv) = rng.choose(&position.search_moves()) else { break };
            let move_text = position.move_text(mv);
            let position_text = position.position_text().unwrap_or_default();
            for _ in 0..200 {
                let text = mutated(&move_text, &mut rng);
                if let Ok(mv) = position.parse_move(&text) {
                    assert!(position.is_legal(mv), "'{text}'");
                }
                let text = mutated(&position_text, &mut rng);
                if let Ok(read) = position.parse_position(&text) {
                    examine(&read);
                }
            }
            position.play_unchecked(mv);
        }
    }
}

/// Keeps which codes were played.
#[derive(Default)]
struct CodeSet(BTreeSet<Code>);

impl Record for CodeSet {
    const KEEPS: bool = true;
    const ORDERED: bool = false;

    fn push(&mut self, code: Code) {
        self.0.insert(code);
    }
}

/// The contract at one position.
fn examine<G: Game>(position: &G) {
    let moves = position.moves();
    let here = || format!("{}\n{}", position.position_text().unwrap_or_default(), position.drawing());
    assert_eq!(moves.is_empty(), position.outcome().is_some(), "no moves exactly when over: {}", here());
    assert_eq!(position.n_moves(), moves.len() as u64, "{}", here());
    let mut texts = BTreeSet::new();
    let mut codes = BTreeSet::new();
    for &mv in &moves {
        assert!(position.is_legal(mv), "{mv:?} at {}", here());
        let text = position.move_text(mv);
        assert_eq!(position.parse_move(&text), Ok(mv), "{text} at {}", here());
        assert!(texts.insert(text.clone()), "{text} listed twice at {}", here());
        assert!((position.code(mv) as usize) < position.n_codes(), "code of {text} at {}", here());
        assert!(codes.insert(position.code(mv)), "code of {text} is another's at {}", here());
    }
    let search_moves = position.search_moves();
    assert_eq!(search_moves.is_empty(), moves.is_empty(), "{}", here());
    let mut rest = moves.iter();
    assert!(
        search_moves.iter().all(|mv| rest.any(|legal| legal == mv)),
        "search moves out of order: {}",
        here()
    );
    assert_eq!(position.hash(), position.recomputed_hash(), "hash at {}", here());
    if let Some(text) = position.position_text() {
        let read = position.parse_position(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.position_text(), Some(text.clone()));
        assert_eq!(read.to_move(), position.to_move(), "{text}");
        assert_eq!(read.hash(), position.hash(), "hash of {text} as read");
        assert_eq!(read.outcome(), position.outcome(), "{text}");
    }
}

/// A move and then a symmetry is the symmetry and then the move's image.
fn examine_symmetries<G: Game>(position: &G, mv: G::Move) {
    for &symmetry in position.symmetries() {
        let image = position.transformed(symmetry);
        let texts = |game: &G, moves: Vec<G::Move>| {
            moves.iter().map(|&mv| game.move_text(mv)).collect::<BTreeSet<_>>()
        };
        let images = position.moves().iter().map(|&mv| position.transformed_move(mv, symmetry)).collect();
        assert_eq!(
            texts(&image, images),
            texts(&image, image.moves()),
            "{symmetry:?}\n{}",
            position.drawing()
        );
        assert_eq!(image.hash(), image.recomputed_hash());
        let mut left = image.clone();
        left.play(position.transformed_move(mv, symmetry)).expect("the image of a legal move is legal");
        let mut right = position.clone();
        right.play_unchecked(mv);
        let right = right.transformed(symmetry);
        assert_eq!(left.position_text(), right.position_text());
        assert_eq!(left.hash(), right.hash());
        assert_eq!(left.outcome(), right.outcome());
        let back = image.transformed(symmetry.inverse());
        assert_eq!(back.position_text(), position.position_text());
    }
}

/// A text with one to four bytes' worth of damage, or a wholly random one.
pub(crate) fn mutated(text: &str, rng: &mut Rng) -> String {
    const ALPHABET: &[char] = &[
        'a', 'b', 'w', 'x', 'z', 'A', '0', '1', '2', '8', '9', '/', '-', ' ', '.', '=', '\u{e9}', '\u{0}',
        '界', '+',
    ];
    let mut chars: Vec<char> = text.chars().collect();
    if rng.below(10) == 0 {
        chars = (0..rng.below(40)).map(|_| *rng.choose(ALPHABET).expect("not empty")).collect();
    }
    for _ in 0..=rng.below(4) {
        let letter = *rng.choose(ALPHABET).expect("not empty");
        let at = rng.below(chars.len() as u32 + 1) as usize;
        match rng.below(3) {
            0 => chars.insert(at, letter),
            1 if at < chars.len() => chars[at] = letter,
            _ if at < chars.len() => drop(chars.remove(at)),
            _ => {}
        }
    }
    chars.into_iter().collect()
}
