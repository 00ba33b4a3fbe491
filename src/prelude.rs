//! What most programs that use tesuji name: `use tesuji::prelude::*;`.

pub use tesuji_bandit::PolicySpec;
pub use tesuji_catalog::{GameSpec, PlayerSpec};
pub use tesuji_core::{Allocator, Arms, Game, MoveId, Outcome, PackedMove, Rewards, Rng, Seed, Side};
pub use tesuji_search::{Board, Budget, Limits, OpenBoard, Player, PlayerConfig, Report};
