//! `tesuji replay --all`: what was stored comes out again, and what was tampered with is named.
//! Also what a store and `tesuji --version` say about the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rusqlite::Connection;
use serde_json::Value;
use tesuji::BUILD;

fn tesuji(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tesuji")).args(arguments).current_dir(folder).output().unwrap()
}

/// A folder with two matches in `m.db`: one between searches, one by the clock.
fn matches(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for opponent in ["uct@30", "uct@1ms"] {
        let played = tesuji(
            &folder,
            &["match", "domineering:4", "rave@30", opponent, "--games", "4", "--store", "m.db"],
        );
        assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    }
    folder
}

fn replayed(folder: &Path) -> (Option<i32>, Value) {
    let output = tesuji(folder, &["replay", "--all", "--store", "m.db", "-j", "2", "--json"]);
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn untouched_games_come_out_the_same() {
    let folder = matches("replay-same");
    let (code, all) = replayed(&folder);
    assert_eq!(code, Some(0));
    assert_eq!(
        all,
        serde_json::json!({
            "version": 1, "games": 8, "same": 4, "not_reproducible": 4, "unplayable": [], "different": []
        })
    );
    let text = tesuji(&folder, &["replay", "--all", "--store", "m.db"]);
    assert_eq!(
        String::from_utf8_lossy(&text.stdout),
        "4 of 4 games came out the same, move for move. 4 games depend on a clock or an external engine.\n"
    );
}

#[test]
fn a_game_that_was_changed_is_named() {
    let folder = matches("replay-different");
    let connection = Connection::open(folder.join("m.db")).unwrap();
    let (cell, moves): (String, String) = connection
        .query_row(
            "SELECT cell, moves FROM games JOIN cells USING (experiment, cell) WHERE reproducible AND game_index = 2",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    let (start, last) = moves.rsplit_once(' ').unwrap();
    let changed = connection
        .execute(
            "UPDATE games SET moves = ?1 WHERE cell = ?2 AND game_index = 2",
            [&format!("{start} {last}{last}"), &cell],
        )
        .unwrap();
    assert_eq!(changed, 1);
    drop(connection);
    let (code, all) = replayed(&folder);
    assert_eq!(code, Some(1));
    assert_eq!(all["same"], 3);
    let [different] = &all["different"].as_array().unwrap()[..] else { panic!("{all}") };
    assert!(different["id"].as_str().unwrap().ends_with("-2"), "{all}");
    assert_eq!(different["first_difference"], moves.split(' ').count());
    assert_eq!(different["build"], BUILD.fingerprint);
}

/// Whoever lost a network keeps the games that were played with it.
#[test]
fn a_store_is_read_without_the_network_of_its_games() {
    let folder = matches("replay-network");
    let network = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/net/networks/hex-7.onnx");
    std::fs::copy(&network, folder.join("ch.onnx")).unwrap();
    let played = tesuji(
        &folder,
        &["match", "hex:7", "puct+net(\"ch.onnx\")@8", "random", "--games", "2", "--store", "m.db"],
    );
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let told = |arguments: &[&str], code| {
        let output = tesuji(&folder, arguments);
        let all = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(all).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        text
    };
    let shown = ["show", "m.db", "--cells"];
    let exported = ["export", "m.db", "--only", "hex:7"];
    let before = (told(&shown, 0), told(&exported, 0));
    assert!(before.0.contains("hex:7"), "{}", before.0);
    let lines: Vec<Value> = before.1.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let id = lines[0]["id"].as_str().unwrap();
    told(&["replay", id, "--store", "m.db"], 0);
    let gone = "does not exist any more";
    for is_replaced in [false, true] {
        let file = folder.join("ch.onnx");
        match is_replaced {
            false => std::fs::remove_file(file).unwrap(),
            true => drop(std::fs::copy(network.with_file_name("go-7.onnx"), file).unwrap()),
        }
        assert_eq!((told(&shown, 0), told(&exported, 0)), before);
        told(&["report", "m.db", "--html", "report"], 0);
        let stored = told(&["replay", id, "--stored", "--store", "m.db"], 0);
        assert!(stored.contains("Not played again"), "{stored}");
        let again = told(&["replay", id, "--store", "m.db"], 2);
        assert!(again.contains(gone) && again.contains("--stored"), "{again}");
        let why = if is_replaced { "the file of this name has the digest" } else { "it does not exist" };
        assert!(again.split_whitespace().collect::<Vec<_>>().join(" ").contains(why), "{again}");
        for several in [&["--all"][..], &["--lot", "3"]] {
            let lines = told(&[&["replay", "--store", "m.db"], several].concat(), 1);
            let text = lines.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(gone) && text.contains("2 games cannot be played any more."), "{text}");
            assert!(text.contains("games came out the same, move for move."), "{text}");
        }
        // To play on needs the network.
        let refused =
            told(&["match", "hex:7", "puct+net(\"ch.onnx\",00000000)@8", "random", "--store", "m.db"], 2);
        assert!(refused.contains(gone), "{refused}");
    }
}

#[test]
fn stores_and_the_version_name_the_sources() {
    assert_eq!(BUILD.sources.len(), 32);
    let expected = format!("tesuji {} {} sources {}", BUILD.version, BUILD.commit, BUILD.sources);
    assert_eq!(BUILD.fingerprint, expected);
    let version = tesuji(Path::new("."), &["--version"]);
    let text = String::from_utf8(version.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], format!("tesuji {}", BUILD.version));
    assert_eq!(lines[1].split_whitespace().last(), Some(BUILD.commit));
    assert_eq!(lines[2].split_whitespace().last(), Some(BUILD.sources));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let now = tesuji_provenance::Sources::of(root).unwrap().digest().unwrap();
    assert_eq!(now.to_string(), BUILD.sources, "the program is made of the sources in this checkout");
}
