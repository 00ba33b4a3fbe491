//! placeholder
use super::CellResults;
use tesuji_arena::statistics::Sprt;
/// placeholder
pub fn block(cell: &CellResults, _rules: &str, _sprt: Option<&Sprt>) -> String {
    format!("{:?}\n", cell.count)
}
