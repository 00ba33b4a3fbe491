//! Statistics as tables and pages. Nothing here plays or measures.
//!
//! - [`Table`]: rows for a terminal and for a page;
//! - [`html`]: the page around them;
//! - [`numbers`]: numbers as people read them.
//!
//! Equal input gives equal output, to the byte: pages can be kept beside the
//! code and compared.

pub mod html;
pub mod numbers;
mod table;

pub use table::Table;
