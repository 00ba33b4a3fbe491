//! Who can play where: people, our players, engines, portfolios and turned players.

use anyhow::Result;
use tesuji::catalog::{PlayerError, PlayerSpec};
use tesuji::core::nearest_names;
use tesuji_session::{Contestant, ContestantError, ContestantForm};

use super::BadInput;

/// What a person is called.
pub(super) const HUMAN: &str = "human";

/// Whether this names a person.
pub(super) fn is_human(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case(HUMAN)
}

/// Reads a contestant that is not a person. An error suggests the nearest name, if one is near.
pub(super) fn contestant(text: &str) -> Result<Contestant> {
    no_person(text)?;
    text.parse().map_err(|error| {
        if let ContestantError::Player(PlayerError::Unknown { word, .. }) = &error {
            let forms = ContestantForm::ALL.iter().map(|form| form.name);
            if let [name, ..] = nearest_names(word, forms.chain([HUMAN]))[..] {
                return BadInput(format!("'{word}' is not a player: did you mean {name}?")).into();
            }
        }
        error.into()
    })
}

/// Reads one of our players, for verbs in which nobody else can play.
pub(super) fn player(text: &str) -> Result<PlayerSpec> {
    no_person(text)?;
    let form = match text.parse::<Contestant>()? {
        Contestant::Player(spec) => return Ok(spec),
        Contestant::Engine(_) => "gtp(\"…\")",
        Contestant::Portfolio(_) => "portfolio(\"…\")",
        Contestant::Turned(..) => "turned(…)",
    };
    Err(BadInput(format!("{form} plays only in `tesuji play` and `tesuji match`")).into())
}

/// Refuses a person.
fn no_person(text: &str) -> Result<(), BadInput> {
    let (name, budget) = text.split_once('@').map_or((text, None), |(name, budget)| (name, Some(budget)));
    match budget {
        _ if !is_human(name) => Ok(()),
        Some(_) => Err(BadInput(format!("'{text}' has a budget, but people have none: write human"))),
        None => Err(BadInput("human plays only in `tesuji play`".to_owned())),
    }
}
