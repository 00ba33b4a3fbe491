//! A complete small game: Nim. `docs/adding-a-game.md` walks through it.
//!
//! `cargo run --example nim` plays random games of it and searches it, and `cargo
//! test --example nim` runs the conformance suite that every game has to pass.

use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::ControlFlow;

use tesuji::catalog::{PlayerError, PlayerSpec};
use tesuji::core::{
    Code, Game, MoveId, Outcome, PackedMove, ParsePositionError, Seed, Side, Silent, zobrist,
};
use tesuji::search::{Limits, Report};

/// The number of heaps, and the most tokens a heap can have.
const HEAPS: usize = 3;
const MOST: u8 = 7;

/// A position of Nim: take tokens from one heap; whoever takes the last wins.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Nim {
    heaps: [u8; HEAPS],
    to_move: Side,
    hash: u64,
}

/// Take this many tokens from this heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Take {
    heap: u8,
    tokens: u8,
}

impl Nim {
    fn new(heaps: [u8; HEAPS], to_move: Side) -> Nim {
        assert!(heaps.iter().all(|&tokens| tokens <= MOST), "a heap has at most {MOST} tokens");
        let mut nim = Nim { heaps, to_move, hash: 0 };
        nim.hash = nim.recomputed_hash();
        nim
    }

    /// The key of "this heap has this number of tokens".
    fn key(heap: usize, tokens: u8) -> u64 {
        zobrist::key((heap * (MOST as usize + 1)) as u32 + u32::from(tokens))
    }
}

impl PackedMove for Take {
    fn pack(self) -> MoveId {
        MoveId::of_bytes(self.heap, self.tokens)
    }

    fn unpack(id: MoveId) -> Take {
        let (heap, tokens) = id.bytes();
        Take { heap, tokens }
    }
}

impl Game for Nim {
    type Move = Take;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = self.heaps == [0; HEAPS];
        over.then_some(Outcome::Win(!self.to_move))
    }

    fn try_for_each_move<B>(&self, mut visit: impl FnMut(Take) -> ControlFlow<B>) -> ControlFlow<B> {
        for (heap, &most) in (0..).zip(&self.heaps) {
            for tokens in 1..=most {
                visit(Take { heap, tokens })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn play_unchecked(&mut self, mv: Take) {
        let heap = usize::from(mv.heap);
        self.hash ^= Nim::key(heap, self.heaps[heap]);
        self.heaps[heap] -= mv.tokens;
        self.hash ^= Nim::key(heap, self.heaps[heap]);
        self.hash ^= zobrist::turn(self.to_move) ^ zobrist::turn(!self.to_move);
        self.to_move = !self.to_move;
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn recomputed_hash(&self) -> u64 {
        let keys = self.heaps.iter().enumerate().map(|(heap, &tokens)| Nim::key(heap, tokens));
        keys.fold(zobrist::turn(self.to_move), |hash, key| hash ^ key)
    }

    fn n_codes(&self) -> usize {
        2 * HEAPS * MOST as usize
    }

    fn code(&self, mv: Take) -> Code {
        let index = usize::from(mv.heap) * MOST as usize + usize::from(mv.tokens) - 1;
        (index * 2 + self.to_move.index()) as Code
    }

    fn move_text(&self, mv: Take) -> String {
        format!("{}x{}", (b'a' + mv.heap) as char, mv.tokens)
    }

    fn position_text(&self) -> Option<String> {
        let heaps = self.heaps.map(|tokens| tokens.to_string()).join("/");
        Some(format!("{heaps} {}", self.to_move.letter()))
    }

    fn parse_position(&self, text: &str) -> Result<Nim, ParsePositionError> {
        let error = |reason: &str| ParsePositionError::new(text, reason);
        let (heaps, side) =
            text.trim().split_once(' ').ok_or_else(|| error("the side to move is missing"))?;
        let to_move = match side.trim() {
            "b" => Side::Black,
            "w" => Side::White,
            _ => return Err(error("the side to move is b or w")),
        };
        let heaps: Option<Vec<u8>> =
            heaps.split('/').map(|tokens| tokens.parse().ok().filter(|&tokens| tokens <= MOST)).collect();
        let heaps = heaps.and_then(|heaps| heaps.try_into().ok());
        Ok(Nim::new(heaps.ok_or_else(|| error("there are three heaps of 0 to 7 tokens"))?, to_move))
    }

    fn drawing(&self) -> String {
        let mut text = String::new();
        for (name, &tokens) in ('a'..).zip(&self.heaps) {
            let _ = writeln!(text, "{name} {}", "o".repeat(tokens.into()));
        }
        text
    }
}

/// What a player, such as `"uct+solver"`, finds with this number of samples.
fn search(nim: &Nim, player: &str, samples: u64) -> Result<Report<Take>, PlayerError> {
    let player: PlayerSpec = player.parse()?;
    let mut player = player.config().player();
    Ok(player.search(nim, &Limits::samples(samples), Seed::new(1).child("search"), None).typed())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Nim::new([3, 5, 7], Side::Black);
    let mut rng = Seed::new(1).child("nim").rng();
    let playouts = 100_000;
    let wins = (0..playouts).filter(|_| {
        let playout = start.playout(&mut rng, &mut Silent);
        playout.outcome == Outcome::Win(Side::Black)
    });
    let share = wins.count() as f64 / f64::from(playouts);
    let mut out = std::io::stdout();
    writeln!(out, "{}Black begins and wins {share:.3} of random games", start.drawing())?;

    let report = search(&start, "uct+solver", 10_000)?;
    let mv = report.mv().ok_or("the game has begun, so there is a move")?;
    let proof = report.stop.map_or_else(|| "nothing is proved".to_owned(), |stop| stop.to_string());
    writeln!(out, "uct+solver plays {} after {} samples: {proof}", start.move_text(mv), report.spent)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji::core::perft;
    use tesuji::games::misere;
    use tesuji_testkit::conformance::Suite;
    use tesuji_testkit::perft_file;
    use tesuji_testkit::reference::{self, Reference};

    /// The rules as plainly as possible: heaps of tokens in a vector.
    #[derive(Clone)]
    struct SlowNim {
        heaps: Vec<usize>,
        to_move: Side,
    }

    impl Reference for SlowNim {
        fn to_move(&self) -> Side {
            self.to_move
        }

        fn outcome(&self) -> Option<Outcome> {
            if self.heaps.iter().sum::<usize>() > 0 {
                return None;
            }
            Some(Outcome::Win(!self.to_move))
        }

        fn legal_moves(&self) -> Vec<String> {
            let names = ["a", "b", "c"];
            let mut moves = Vec::new();
            for (name, tokens) in names.iter().zip(&self.heaps) {
                moves.extend((1..=*tokens).map(|taken| format!("{name}x{taken}")));
            }
            moves
        }

        fn play(&mut self, mv: &str) {
            let (name, taken) = mv.split_once('x').expect("a move");
            let heap = ["a", "b", "c"].iter().position(|heap| *heap == name).expect("a heap");
            self.heaps[heap] -= taken.parse::<usize>().expect("a number");
            self.to_move = !self.to_move;
        }
    }

    #[test]
    fn conforms() {
        let start = Nim::new([3, 5, 7], Side::Black);
        Suite::default().run(&start);
        Suite::default().run(&misere(start));
    }

    #[test]
    fn agrees_with_the_slow_rules() {
        let slow = SlowNim { heaps: vec![3, 5, 7], to_move: Side::Black };
        reference::agrees_along_random_games(&Nim::new([3, 5, 7], Side::Black), &slow, 50, 20);
    }

    #[test]
    fn perft_counts() {
        // A whole game: every way to take two heaps of one and one of two tokens.
        let file = "112 : 4 11 18 12 0";
        perft_file::check(file, u64::MAX, |_| {
            let slow = SlowNim { heaps: vec![1, 1, 2], to_move: Side::Black };
            (Nim::new([1, 1, 2], Side::Black), slow)
        });
        assert_eq!(perft(&Nim::new([3, 5, 7], Side::Black), 1), 15);
    }
    #[test]
    fn is_searched_like_any_other() {
        let start = Nim::new([3, 5, 7], Side::Black);
        for player in ["uct+solver", "sh+rave+solver", "hybrid-shuss(t=64)+solver"] {
            let report = search(&start, player, 20_000).unwrap();
            let mut next = start.clone();
            next.play_unchecked(report.mv().unwrap());
            // The theory of the game: whoever leaves heaps whose binary digits cancel out wins.
            assert_eq!(next.heaps.iter().fold(0, |sum, tokens| sum ^ tokens), 0, "{player}");
        }
    }
}
