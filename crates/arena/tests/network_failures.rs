//! A network that fails in several threads at once.

use tesuji_arena::{Match, RunError, RunSettings, Store};

/// Both threads fail at about the same time, so in some of the runs both have failed before the first is
/// joined.
#[test]
fn a_network_that_fails_in_all_threads_is_one_error() {
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/networks/late.onnx");
    let player = format!("puct+net(\"{network}\")@300").parse().unwrap();
    let it = Match::new("hex:3".parse().unwrap(), player, "random".parse().unwrap()).experiment().unwrap();
    for _ in 0..60 {
        let error = it.run(&RunSettings::on_threads(4), &mut Store::in_memory().unwrap()).unwrap_err();
        assert!(matches!(error, RunError::Network(_)), "{error}");
    }
}
