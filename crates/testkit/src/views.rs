//! Does a phantom game keep the contract of [`Phantom`], [`View`] and [`Guess`]?
//!
//! Random phantom games are played through a [`Referee`], and everything is
//! examined after every attempt, for both sides. Each side tries candidates in
//! random order, sometimes any point of the board at all, and its last resort when
//! no candidate is left.
//!
//! Two things are kept next to the referee. *Retold* views hear calls that are made
//! here, from the world: they must stay equal to the referee's, so a view is a
//! function of the calls. A second referee watches the same game in a *mirror*, one
//! of the board's symmetries: its views must be the images of the first one's, so
//! hearing and transforming can be exchanged.
//!
//! Pieces are counted in [`Game::position_text`], where all games write a letter
//! for each.

use std::collections::BTreeSet;

use tesuji_core::{
    Announced, Answer, Call, CallOf, Code, Game, Guess, Phantom, Referee, Rng, Seed, Side, Silent, Symmetry,
    View,
};

use crate::conformance::mutated;

/// The conformance suite of phantom games: how many games it plays, and what it needs
/// to know about a game.
#[derive(Clone, Debug)]
pub struct ViewSuite {
    /// The number of random games for each kind of announcement.
    pub games: u64,
    /// The greatest number of moves of such a game.
    pub longest: u32,
    /// The number of worlds drawn from each view that is checked.
    pub worlds: u32,
    /// The share of turns in which any point is tried, not only candidates.
    pub wild: f64,
    /// Whether the text form refuses positions in which a piece is missing, so that
    /// worlds from which hidden pieces were left out cannot be read back.
    pub counts_pieces: bool,
}

impl Default for ViewSuite {
    fn default() -> ViewSuite {
        ViewSuite { games: 10, longest: 200, worlds: 2, wild: 0.3, counts_pieces: false }
    }
}

/// What the suite counted, for tests that check more than the contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The number of attempts that were accepted.
    pub moves: u64,
    /// The number of attempts that were refused.
    pub refused: u64,
    /// The number of views that do not agree with the real world, because a presumption
    /// is wrong.
    pub wrong_views: u64,
    /// The number of views that were checked.
    pub views: u64,
    /// The number of worlds drawn from views that agree with the real world.
    pub worlds: u64,
    /// The number of such worlds from which enemy pieces were left out.
    pub short_worlds: u64,
}

impl ViewSuite {
    /// Plays random games from `start`, the position before the first move, and checks
    /// every view. The results are those of each kind of announcement.
    ///
    /// # Panics
    ///
    /// If the contract is broken.
    pub fn run<G: Phantom>(&self, start: &G) -> [Tally; 2] {
        [Announced::Captures, Announced::Refusals].map(|announced| self.run_announced(start, announced))
    }

    /// Plays and checks random games with one kind of announcement.
    fn run_announced<G: Phantom>(&self, start: &G, announced: Announced) -> Tally {
        let mut tally = Tally::default();
        for index in 0..self.games {
            let seed = Seed::new(1).child("views").child(index);
            Match::new(self, start, announced, seed.rng()).play(&mut tally);
        }
        tally
    }
}

/// One phantom game and what is kept next to it.
struct Match<'a, G: Phantom> {
    suite: &'a ViewSuite,
    referee: Referee<G>,
    symmetry: Symmetry,
    mirror: Referee<G>,
    /// What each side was told, and the view that it makes.
    calls: [Vec<CallOf<G>>; 2],
    retold: [G::View; 2],
    /// Every move there is on an empty board.
    all: Vec<G::Move>,
    /// What was refused in this turn.
    refused: Vec<G::Move>,
    ply: u32,
    rng: Rng,
}

impl<'a, G: Phantom> Match<'a, G> {
    fn new(suite: &'a ViewSuite, start: &G, announced: Announced, mut rng: Rng) -> Self {
        let views = Side::BOTH.map(|side| start.view(side, announced));
        let symmetry = *rng.choose(views[0].symmetries()).expect("the identity is one");
        Match {
            suite,
            referee: Referee::new(start.clone(), announced),
            symmetry,
            mirror: Referee::new(start.transformed(symmetry), announced),
            calls: [Vec::new(), Vec::new()],
            retold: views,
            all: start.moves(),
            refused: Vec::new(),
            ply: 0,
            rng,
        }
    }

    fn play(&mut self, tally: &mut Tally) {
        let fresh = Side::BOTH.map(|side| self.referee.view(side).clone());
        while self.referee.outcome().is_none() && self.ply < self.suite.longest {
            self.examine(tally);
            self.turn(tally);
        }
        for (mut view, calls) in fresh.into_iter().zip(&self.calls) {
            calls.iter().for_each(|call| view.hear(call));
            assert_eq!(view, *self.referee.view(view.side()), "a view is a function of the calls");
        }
    }

    /// Tries moves until one stands.
    fn turn(&mut self, tally: &mut Tally) {
        let side = self.referee.world().to_move();
        let is_wild = self.rng.chance(self.suite.wild);
        let ply = self.ply;
        self.refused.clear();
        for _ in 0..2 * self.referee.view(side).n_codes() + 2 {
            let view = self.referee.view(side);
            let candidates = candidates(view);
            let tried = candidates.iter().find(|mv| self.refused.contains(mv));
            assert_eq!(tried, None, "a candidate that was refused in this turn\n{}", view.drawing());
            let last_resort = view.last_resort();
            let any = *self.rng.choose(&self.all).expect("a board has points");
            // A pass would end a game of Go too soon.
            let wild = is_wild && self.rng.below(2) == 0 && Some(any) != last_resort;
            let mv = match self.rng.choose(&candidates) {
                _ if wild => any,
                Some(&candidate) => candidate,
                None => last_resort.expect("where there is no last resort, candidates do not run out"),
            };
            let is_last_resort = candidates.is_empty() && !wild;
            self.attempt(mv, tally);
            if self.ply > ply {
                return;
            }
            assert!(!is_last_resort, "the last resort was refused");
            if self.rng.below(4) == 0 {
                self.examine(tally);
            }
        }
        panic!("a turn without an end\n{}", self.referee.view(side).drawing());
    }

    /// One attempt, by the referee, in the mirror, and by calls made here.
    fn attempt(&mut self, mv: G::Move, tally: &mut Tally) {
        let world = self.referee.world().clone();
        let (side, other) = (world.to_move(), !world.to_move());
        let before = self.referee.view(other).clone();
        let answer = self.referee.attempt(mv);
        self.mirror.attempt(world.transformed_move(mv, self.symmetry));
        if world.is_legal(mv) {
            let news = world.news(mv);
            let heard = (self.referee.announced() == Announced::Captures).then(|| news.clone());
            self.tell(side, Call::Stands(mv, heard.clone()));
            self.tell(other, Call::EnemyMoved(heard));
            assert_eq!(answer, Answer::Stands(news));
            self.ply += 1;
            tally.moves += 1;
        } else {
            self.tell(side, Call::Refused(mv));
            assert_eq!(answer, Answer::Refused);
            assert_eq!(*self.referee.view(other), before, "a refusal is no news to the other side");
            self.refused.push(mv);
            tally.refused += 1;
        }
        for side in Side::BOTH {
            let view = self.referee.view(side);
            assert_eq!(*view, self.retold[side.index()], "a view is a function of the calls");
            let image = view.transformed(self.symmetry);
            assert_eq!(*self.mirror.view(side), image, "{:?} of\n{}", self.symmetry, view.drawing());
        }
    }

    fn tell(&mut self, side: Side, call: CallOf<G>) {
        self.retold[side.index()].hear(&call);
        self.calls[side.index()].push(call);
    }

    /// Everything, now.
    fn examine(&mut self, tally: &mut Tally) {
        self.hidden_moves_are_hidden();
        for side in Side::BOTH {
            let view = self.referee.view(side).clone();
            let world = self.referee.world();
            assert_eq!((view.side(), view.to_move(), view.ply()), (side, world.to_move(), self.ply));
            examine_texts(&view, world, &self.all, &mut self.rng);
            examine_symmetries(&view);
            self.examine_worlds(&view, tally);
        }
    }

    /// Moves that sound the same to the other side leave it with the same view.
    fn hidden_moves_are_hidden(&mut self) {
        let world = self.referee.world();
        let moves = world.moves();
        let [Some(&one), Some(&two)] = [0; 2].map(|_| self.rng.choose(&moves)) else { return };
        let announces = self.referee.announced() == Announced::Captures;
        if !announces || world.news(one) == world.news(two) {
            let listener = !world.to_move();
            let [one, two] = [one, two].map(|mv| {
                let mut referee = self.referee.clone();
                referee.attempt(mv);
                referee.view(listener).clone()
            });
            assert_eq!(one, two, "a view knows more than was said");
        }
    }

    /// Worlds drawn from a view, before and after a candidate.
    fn examine_worlds(&mut self, view: &G::View, tally: &mut Tally) {
        let real = self.referee.world();
        let is_right = view.agrees(real).is_ok();
        tally.views += 1;
        tally.wrong_views += u64::from(!is_right);
        let announces = self.referee.announced() == Announced::Captures;
        let guess = view.assume(None);
        let mut own = None;
        for _ in 0..self.suite.worlds {
            let world = guess.world(&mut self.rng);
            let here = || format!("view\n{}world\n{}", view.drawing(), world.drawing());
            view.agrees(&world).unwrap_or_else(|reason| panic!("{reason}\n{}", here()));
            assert_eq!(world.to_move(), view.to_move(), "side to move\n{}", here());
            let [mine, theirs] = [view.side(), !view.side()].map(|side| pieces(&world, side));
            if announces {
                assert_eq!(mine, pieces(real, view.side()), "own pieces\n{}", here());
                assert_eq!(pieces(real, !view.side()).len() as u32, view.n_enemies(), "{}", here());
            }
            let short = (theirs.len() as u32) < view.n_enemies();
            if is_right {
                assert!(theirs.len() as u32 <= view.n_enemies(), "too many enemies\n{}", here());
                tally.worlds += 1;
                tally.short_worlds += u64::from(short);
            }
            if !short || !self.suite.counts_pieces {
                is_a_position(&world);
            }
            own = Some(mine);
        }
        examine_playouts(&guess, &mut self.rng);
        if view.to_move() != view.side() || real.outcome().is_some() {
            return;
        }
        let Some(&mv) = self.rng.choose(&candidates(view)) else { return };
        let guess = view.assume(Some(mv));
        for _ in 0..self.suite.worlds {
            let world = guess.world(&mut self.rng);
            assert_eq!(world.to_move(), !view.side(), "after a move it is the enemy's turn");
            let now = pieces(&world, view.side());
            if let Some(own) = &own {
                assert!(own.is_subset(&now) && now.len() == own.len() + 1, "{}", world.drawing());
            }
            let short = (pieces(&world, !view.side()).len() as u32) < view.n_enemies();
            if !short || !self.suite.counts_pieces {
                is_a_position(&world);
            }
        }
        examine_playouts(&guess, &mut self.rng);
    }
}

fn candidates<V: View>(view: &V) -> Vec<<V::World as Game>::Move> {
    let mut moves = Vec::new();
    view.for_each_candidate(|mv| moves.push(mv));
    moves
}

/// Texts and codes: of the candidates, of all moves, and of garbage.
fn examine_texts<V: View>(view: &V, world: &V::World, all: &[<V::World as Game>::Move], rng: &mut Rng) {
    let candidates = candidates(view);
    let texts: BTreeSet<String> = candidates.iter().map(|&mv| view.move_text(mv)).collect();
    assert_eq!(texts.len(), candidates.len(), "each candidate once\n{}", view.drawing());
    assert_eq!(view.n_codes(), world.n_codes());
    for &mv in all.iter().chain(&candidates).chain(&view.last_resort()) {
        let text = view.move_text(mv);
        assert_eq!(view.parse_move(&text), Ok(mv), "{text}");
        assert!(usize::from(view.code(mv)) < view.n_codes(), "{text}");
        if world.to_move() == view.side() {
            assert_eq!((view.code(mv), text), (world.code(mv), world.move_text(mv)));
        }
    }
    for _ in 0..20 {
        let text = mutated(&rng.choose(all).map_or_else(String::new, |&mv| view.move_text(mv)), rng);
        if let Ok(mv) = view.parse_move(&text) {
            assert_eq!(view.parse_move(&view.move_text(mv)), Ok(mv), "'{text}'");
        }
    }
}

/// Candidates and drawings through every symmetry, and the way back.
fn examine_symmetries<V: View>(view: &V) {
    let letters = |view: &V| {
        let mut letters: Vec<char> = view.drawing().chars().collect();
        letters.sort_unstable();
        letters
    };
    let before = candidates(view);
    for &symmetry in view.symmetries() {
        let image = view.transformed(symmetry);
        assert_eq!(image.transformed(symmetry.inverse()), *view, "{symmetry:?} and back");
        let images = before.iter().map(|&mv| image.move_text(view.transformed_move(mv, symmetry)));
        let now: BTreeSet<String> = candidates(&image).iter().map(|&mv| image.move_text(mv)).collect();
        assert_eq!(images.collect::<BTreeSet<_>>(), now, "candidates through {symmetry:?}");
        assert_eq!(letters(&image), letters(view), "drawing through {symmetry:?}");
        assert_eq!(image.n_enemies(), view.n_enemies());
    }
}

/// A playout of a guess is a playout of a world drawn with the same numbers, and
/// recording it changes nothing.
fn examine_playouts<H: Guess>(guess: &H, rng: &mut Rng) {
    let (mut again, mut slowly) = (rng.clone(), rng.clone());
    let mut codes: Vec<Code> = Vec::new();
    let playout = guess.playout(rng, &mut codes);
    assert_eq!(codes.len(), playout.plies as usize, "one code a ply");
    assert_eq!(guess.playout(&mut again, &mut Silent), playout, "recording changes nothing");
    assert_eq!(*rng, again, "recording leaves the generator where silence does");
    let mut codes_of_world = Vec::new();
    let world = guess.world(&mut slowly);
    assert_eq!(world.playout(&mut slowly, &mut codes_of_world), playout, "\n{}", world.drawing());
    assert_eq!(codes_of_world, codes, "the same game from the same world");
}

/// Whether a world is a position by the rules: it can be written, read, and gone on with.
fn is_a_position<G: Game>(world: &G) {
    let Some(text) = world.position_text() else { return };
    let read = world.parse_position(&text).unwrap_or_else(|error| panic!("{error}\n{}", world.drawing()));
    assert_eq!(read.position_text(), Some(text));
    assert_eq!(world.hash(), world.recomputed_hash());
    assert_eq!(world.moves().is_empty(), world.outcome().is_some());
    for mv in world.moves() {
        world.clone().play(mv).expect("a listed move is legal");
    }
}

/// Where a side's pieces are, by the rows of the position's text.
fn pieces<G: Game>(world: &G, side: Side) -> BTreeSet<usize> {
    let text = world.position_text().expect("a phantom game has a text form of positions");
    let rows = text.split_whitespace().next().unwrap_or_default();
    let (mut at, mut run, mut pieces) = (0, 0, BTreeSet::new());
    for letter in rows.chars() {
        if let Some(digit) = letter.to_digit(10) {
            run = 10 * run + digit as usize;
            continue;
        }
        at += std::mem::take(&mut run);
        if letter != '/' {
            if letter == side.letter() {
                pieces.insert(at);
            }
            at += 1;
        }
    }
    pieces
}
