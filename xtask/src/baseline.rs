//! `docs/performance.json`: goals, peers and the gate's baselines.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::shell;

/// The whole file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Baselines {
    /// What the file is, for whoever opens it.
    pub(crate) about: String,
    /// What we want and what others have, by hand.
    pub(crate) goals: Vec<Goal>,
    /// Instructions per playout of each game, per simulation of each search and per run
    /// of each policy when the file was written.
    pub(crate) instructions: BTreeMap<String, u64>,
}

/// What is known of a game from elsewhere.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Goal {
    pub(crate) game: String,
    /// The instructions per playout to stay under.
    pub(crate) goal: u64,
    /// What another program needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) peer: Option<Peer>,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Peer {
    pub(crate) name: String,
    pub(crate) instructions: u64,
}

impl Baselines {
    pub(crate) fn read() -> Result<Baselines> {
        let text = std::fs::read_to_string(path()).context("cannot read docs/performance.json")?;
        serde_json::from_str(&text).context("docs/performance.json is not as it should be")
    }

    pub(crate) fn write(&self) -> Result<()> {
        let text = serde_json::to_string_pretty(self).context("cannot write JSON")?;
        std::fs::write(path(), text + "\n").context("cannot write docs/performance.json")
    }

    pub(crate) fn goal(&self, game: &str) -> Option<&Goal> {
        self.goals.iter().find(|goal| goal.game == game)
    }
}

fn path() -> PathBuf {
    shell::root().join("docs/performance.json")
}
