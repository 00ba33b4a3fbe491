//! A game that is only a tree, written as text, so that a test knows the right
//! answer.
//!
//! `((W B) (B (W B)))` has two moves; after the first, the other side chooses
//! between a win of White's and one of Black's. Leaves are `W`, `B` and `=`, a
//! draw. Sides take turns. Black moves first by default: see
//! [`starting`](TreeGame::starting).

use std::ops::ControlFlow;
use std::sync::Arc;

use tesuji_core::{Code, Game, Outcome, Side, mix};

/// A position of the tree. A move is the number of a child, from 0.
#[derive(Clone, Debug)]
pub struct TreeGame {
    shape: Arc<Shape>,
    at: usize,
    to_move: Side,
}

#[derive(Debug)]
struct Shape {
    nodes: Vec<Place>,
    /// The most moves that any position has.
    width: usize,
    text: String,
}

#[derive(Debug)]
enum Place {
    Inner(Vec<usize>),
    Leaf(Outcome),
}

impl TreeGame {
    /// The tree that the text describes, Black to move.
    ///
    /// # Panics
    ///
    /// If the text is not a tree.
    pub fn new(text: &str) -> TreeGame {
        let mut nodes: Vec<Place> = Vec::new();
        // The positions whose closing bracket is still to come.
        let mut open: Vec<usize> = Vec::new();
        for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
            let place = match letter {
                '(' => Place::Inner(Vec::new()),
                'B' => Place::Leaf(Outcome::Win(Side::Black)),
                'W' => Place::Leaf(Outcome::Win(Side::White)),
                '=' => Place::Leaf(Outcome::Draw),
                ')' => {
                    let closed = open.pop().unwrap_or_else(|| panic!("a bracket too many in {text}"));
                    let is_empty = matches!(&nodes[closed], Place::Inner(children) if children.is_empty());
                    assert!(!is_empty, "a position without moves in {text}");
                    continue;
                }
                _ => panic!("'{letter}' is neither a bracket nor one of W, B and ="),
            };
            let index = nodes.len();
            assert!(index == 0 || !open.is_empty(), "more than one tree in {text}");
            if let Some(&parent) = open.last()
                && let Place::Inner(children) = &mut nodes[parent]
            {
                children.push(index);
            }
            if let Place::Inner(_) = place {
                open.push(index);
            }
            nodes.push(place);
        }
        assert!(open.is_empty() && !nodes.is_empty(), "a bracket is missing in {text}");
        let n_moves = |place: &Place| if let Place::Inner(children) = place { children.len() } else { 0 };
        let width = nodes.iter().map(n_moves).max().unwrap_or(0).max(1);
        TreeGame {
            shape: Arc::new(Shape { nodes, width, text: text.to_owned() }),
            at: 0,
            to_move: Side::Black,
        }
    }

    /// The same tree with this side to move first.
    #[must_use]
    pub fn starting(self, to_move: Side) -> TreeGame {
        TreeGame { to_move, ..self }
    }

    /// A forced sequence of `plies` moves that ends in the tree of the text `end`.
    pub fn after_forced(plies: usize, end: &str) -> TreeGame {
        TreeGame::new(&format!("{}{end}{}", "(".repeat(plies), ")".repeat(plies)))
    }

    /// The probability that Black wins a random game from this position. A draw counts
    /// half.
    pub fn expectation(&self) -> f64 {
        self.expectation_at(self.at)
    }

    fn expectation_at(&self, at: usize) -> f64 {
        match &self.shape.nodes[at] {
            Place::Leaf(outcome) => outcome.reward(Side::Black),
            Place::Inner(children) => {
                children.iter().map(|&child| self.expectation_at(child)).sum::<f64>() / children.len() as f64
            }
        }
    }
}

impl Game for TreeGame {
    type Move = u16;

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.shape.nodes[self.at] {
            Place::Leaf(outcome) => Some(outcome),
            Place::Inner(_) => None,
        }
    }

    fn try_for_each_move<B>(&self, visit: impl FnMut(u16) -> ControlFlow<B>) -> ControlFlow<B> {
        match &self.shape.nodes[self.at] {
            Place::Leaf(_) => ControlFlow::Continue(()),
            Place::Inner(children) => (0..children.len() as u16).try_for_each(visit),
        }
    }

    fn play_unchecked(&mut self, mv: u16) {
        if let Place::Inner(children) = &self.shape.nodes[self.at] {
            self.at = children[usize::from(mv)];
        }
        self.to_move = !self.to_move;
    }

    fn hash(&self) -> u64 {
        mix((self.at * 2 + self.to_move.index()) as u64 + 1)
    }

    fn n_codes(&self) -> usize {
        2 * self.shape.width
    }

    fn code(&self, mv: u16) -> Code {
        (self.to_move.index() * self.shape.width) as Code + mv
    }

    fn move_text(&self, mv: u16) -> String {
        mv.to_string()
    }

    fn drawing(&self) -> String {
        format!("position {} of {}\n", self.at, self.shape.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::Suite;

    #[test]
    fn a_tree_is_a_game() {
        let game = TreeGame::new("((W B) (B (W = B)) W)");
        assert_eq!((game.moves(), game.n_codes()), (vec![0, 1, 2], 6));
        Suite::default().run(&game);
    }

    #[test]
    fn moves_lead_where_the_text_says() {
        let mut game = TreeGame::new("((W B) (B (W =)))");
        game.play(1).unwrap();
        assert_eq!((game.to_move(), game.outcome(), game.code(1)), (Side::White, None, 3));
        game.play(1).unwrap();
        game.play(1).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Draw));
        assert!(game.moves().is_empty());
    }

    #[test]
    fn expectations_by_hand() {
        assert_eq!(TreeGame::new("B").expectation(), 1.0);
        // (1/2 + (1 + 1/4)/2) / 2
        assert_eq!(TreeGame::new("((W B) (B (W =)))").expectation(), 0.5625);
        assert_eq!(TreeGame::after_forced(3, "(= W)").expectation(), 0.25);
    }

    #[test]
    #[should_panic(expected = "a position without moves")]
    fn an_empty_bracket_is_no_position() {
        TreeGame::new("(B ())");
    }
}
