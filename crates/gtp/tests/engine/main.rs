//! The answering half, with a small host: scripts, interrupts, formats, garbage.

mod documentation;
mod formats;
mod garbage;
mod host;
mod interrupts;
mod scripts;
