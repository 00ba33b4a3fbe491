//! The answering half.

mod host;

pub use host::{
    Candidate, Failure, Handicap, Host, Parameter, ParameterKind, Position, Purpose, Standing, Status,
    Thinking, Watcher,
};
