//! Playouts allocate nothing, in any game, recorded or not; nor does writing a position for
//! networks.

use tesuji_core::{Announced, Code, Game, Guess, Phantom, Referee, Seed, Silent, View};
use tesuji_games::goban::{UpTo7, UpTo10, UpTo13, UpTo19};
use tesuji_games::{
    Atarigo, Ataxx, AtaxxRules, Breakthrough, Domineering, Go, GoRules, HexRules, Knightthrough, LargeHex,
    NoGo, SmallHex, misere,
};
use tesuji_testkit::allocations::{CountingAllocator, count};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn allocates_nothing<G: Game>(name: &str, game: G) {
    let mut rng = Seed::new(1).child(name).rng();
    let mut codes: Vec<Code> = Vec::with_capacity(4096);
    // From the start, and from a position some plies into a game.
    let mut position = game.clone();
    for _ in 0..6 {
        if let Some(&mv) = rng.choose(&position.search_moves()) {
            position.play_unchecked(mv);
        }
    }
    let mut planes = vec![0.0; game.network_form().expect("networks see every game").size()];
    for start in [game, position] {
        assert_eq!(count(|| start.write_planes(&mut planes)).0, 0, "{name}: allocations for planes");
        let (silent, plies) =
            count(|| (0..100).map(|_| start.playout(&mut rng, &mut Silent).plies).sum::<u32>());
        assert!(plies > 0);
        assert_eq!(silent, 0, "{name}: allocations in 100 silent playouts");
        let (recorded, ()) = count(|| {
            for _ in 0..100 {
                codes.clear();
                start.playout(&mut rng, &mut codes);
            }
        });
        assert_eq!(recorded, 0, "{name}: allocations in 100 recorded playouts");
    }
}

#[test]
fn playouts_allocate_nothing() {
    let go = |size| GoRules { size, ..GoRules::default() };
    let hex = |size| HexRules { size, ..HexRules::default() };
    allocates_nothing("breakthrough", Breakthrough::default());
    allocates_nothing("knightthrough", Knightthrough::default());
    allocates_nothing("domineering", Domineering::default());
    allocates_nothing("ataxx", Ataxx::new(AtaxxRules::default()).unwrap());
    allocates_nothing("hex:11", SmallHex::new(hex(11)).unwrap());
    allocates_nothing("hex:19", LargeHex::new(hex(19)).unwrap());
    allocates_nothing("atarigo:9", Atarigo::<UpTo10>::new(9).unwrap());
    allocates_nothing("nogo:9", NoGo::<UpTo10>::new(9).unwrap());
    allocates_nothing("go:5", Go::<UpTo7>::new(go(5)).unwrap());
    allocates_nothing("go:9", Go::<UpTo10>::new(go(9)).unwrap());
    allocates_nothing("go:13", Go::<UpTo13>::new(go(13)).unwrap());
    allocates_nothing("go:19", Go::<UpTo19>::new(go(19)).unwrap());
    allocates_nothing("misere(go:9)", misere(Go::<UpTo10>::new(go(9)).unwrap()));
    allocates_nothing("nobreakthrough", misere(Breakthrough::default()));
}

/// A playout of what a side knows begins with a world drawn anew, and allocates
/// nothing either: early in a game and late.
#[test]
fn playouts_of_guesses_allocate_nothing() {
    fn check<G: Phantom>(name: &str, start: G, longest: u32) {
        let mut rng = Seed::new(3).child(name).rng();
        let mut codes: Vec<Code> = Vec::with_capacity(4096);
        let mut referee = Referee::new(start, Announced::Captures);
        for attempt in 0..longest {
            if referee.outcome().is_some() {
                break;
            }
            let view = referee.view(referee.world().to_move());
            let mut candidates = Vec::new();
            view.for_each_candidate(|mv| candidates.push(mv));
            let mv = rng.choose(&candidates).copied().or_else(|| view.last_resort());
            let mv = mv.expect("a game that is not over has a move");
            if attempt % 7 == 0 {
                let (allocations, plies) = count(|| {
                    let guess = view.assume(Some(mv));
                    let silent = (0..50).map(|_| guess.playout(&mut rng, &mut Silent).plies).sum::<u32>();
                    for _ in 0..50 {
                        codes.clear();
                        guess.playout(&mut rng, &mut codes);
                    }
                    silent
                });
                assert_eq!(allocations, 0, "{name}: allocations in 100 playouts of {plies} plies");
            }
            referee.attempt(mv);
        }
    }
    let go = |size| GoRules { size, ..GoRules::default() };
    let hex = |size| HexRules { size, ..HexRules::default() };
    check("go:5", Go::<UpTo7>::new(go(5)).unwrap(), 150);
    check("go:9", Go::<UpTo10>::new(go(9)).unwrap(), 300);
    check("go:13", Go::<UpTo13>::new(go(13)).unwrap(), 300);
    check("go:19", Go::<UpTo19>::new(go(19)).unwrap(), 300);
    check("hex:5", SmallHex::new(hex(5)).unwrap(), 100);
    check("hex:11", SmallHex::new(hex(11)).unwrap(), 300);
    check("hex:19", LargeHex::new(hex(19)).unwrap(), 300);
}

/// A search that copies its root into the same position again and again, and
/// plays a few moves from it, allocates nothing once warm, the history of Go's
/// boards included, however long the game already is.
#[test]
fn positions_are_copied_without_allocation() {
    fn check<G: Game>(start: G) {
        let mut rng = Seed::new(2).rng();
        let mut root = start;
        for _ in 0..3 {
            let mut scratch = root.clone();
            let simulate = |scratch: &mut G| {
                scratch.clone_from(&root);
                for _ in 0..5 {
                    let first = scratch.try_for_each_search_move(std::ops::ControlFlow::Break);
                    if let std::ops::ControlFlow::Break(mv) = first {
                        scratch.play_unchecked(mv);
                    }
                }
            };
            simulate(&mut scratch);
            assert_eq!(count(|| (0..50).for_each(|_| simulate(&mut scratch))).0, 0);
            for _ in 0..30 {
                let Some(&mv) = rng.choose(&root.search_moves()) else { break };
                root.play_unchecked(mv);
            }
        }
    }
    check(Go::<UpTo10>::new(GoRules::default()).unwrap());
    check(misere(Go::<UpTo10>::new(GoRules::default()).unwrap()));
}
