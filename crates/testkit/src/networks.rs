//! Does a game show itself to networks as the contract of [`Game`] says?

use std::collections::{BTreeMap, BTreeSet};

use tesuji_core::{Game, NetworkForm, Side, Symmetry};

/// Checks what networks see of the positions of one game, one after the other.
///
/// It remembers where each symmetry of the board takes the logits, and checks that all positions
/// with the same side to move agree on it.
#[derive(Debug)]
pub struct NetworkCheck {
    form: Option<NetworkForm>,
    images: BTreeMap<(usize, usize, usize), usize>,
}

impl NetworkCheck {
    /// A check of positions of the game of `start`.
    pub fn new<G: Game>(start: &G) -> NetworkCheck {
        NetworkCheck { form: start.network_form(), images: BTreeMap::new() }
    }

    /// Checks a position: nothing if networks cannot see the game.
    ///
    /// # Panics
    ///
    /// If the position breaks the contract.
    pub fn examine<G: Game>(&mut self, position: &G) {
        assert_eq!(position.network_form(), self.form, "the form at\n{}", position.drawing());
        let Some(form) = self.form.clone() else { return };
        let planes = written(position, &form);
        let moves = position.moves();
        let logits: BTreeSet<usize> = moves.iter().map(|&mv| position.logit(mv)).collect();
        assert_eq!(logits.len(), moves.len(), "two moves have one logit at\n{}", position.drawing());
        assert!(logits.last().is_none_or(|&last| last < form.n_logits), "at\n{}", position.drawing());
        for (number, &symmetry) in position.symmetries().iter().enumerate() {
            let image = position.transformed(symmetry);
            let seen = written(&image, &form);
            compare_sums(&form, &planes, &seen, || format!("{symmetry:?} at\n{}", position.drawing()));
            if symmetry == Symmetry::IDENTITY {
                assert_eq!(planes, seen);
            }
            for &mv in &moves {
                let to = image.logit(position.transformed_move(mv, symmetry));
                let key = (position.to_move().index(), number, position.logit(mv));
                let known = *self.images.entry(key).or_insert(to);
                assert_eq!(known, to, "image of {} by {symmetry:?}", position.move_text(mv));
            }
        }
    }

    /// The logit to which a symmetry takes another, by its number among the symmetries of the
    /// game, if a position with this side to move has shown it.
    pub fn image(&self, side: Side, symmetry: usize, logit: usize) -> Option<usize> {
        self.images.get(&(side.index(), symmetry, logit)).copied()
    }
}

/// The planes of a position, every value of which is written and in range.
///
/// # Panics
///
/// If a value is not written, or not from -4 to 4.
pub fn written<G: Game>(position: &G, form: &NetworkForm) -> Vec<f32> {
    // Values beyond the form must stay as they are.
    let mut values = vec![f32::NAN; form.size() + 5];
    position.write_planes(&mut values[..form.size()]);
    assert!(values[form.size()..].iter().all(|value| value.is_nan()));
    values.truncate(form.size());
    for (index, value) in values.iter().enumerate() {
        let plane = index / (form.height * form.width);
        assert!((-4.0..=4.0).contains(value), "{value} in plane {plane} at\n{}", position.drawing());
        // Half precision has eleven bits: multiples of 1/256 up to 4 are among its numbers.
        assert_eq!((value * 256.0).fract(), 0.0, "{value} in plane {plane} is not exact in half precision");
    }
    values
}

/// A symmetry moves the values of a plane about, and changes none.
fn compare_sums(form: &NetworkForm, planes: &[f32], seen: &[f32], here: impl Fn() -> String) {
    let cells = form.height * form.width;
    for (number, (plane, seen)) in planes.chunks(cells).zip(seen.chunks(cells)).enumerate() {
        let sorted = |values: &[f32]| {
            let mut values = values.to_vec();
            values.sort_by(f32::total_cmp);
            values
        };
        assert_eq!(sorted(plane), sorted(seen), "plane {number} and its image by {}", here());
    }
}
