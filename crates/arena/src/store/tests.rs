//! The store under stress: games that are there already, full disks, other files,
//! several writers.

use super::*;
use crate::paused::PausedGame;
use crate::record::Reason;
use tesuji_core::{Outcome, Side};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tesuji-store-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const EXPERIMENT: &str =
    "title='t'\nseed=1\ngames=4\n[[grid]]\ngame='hex:3'\nplayer='random'\nopponent='greedy'\n";

fn experiment() -> crate::MatchExperiment {
    crate::MatchExperiment::parse(Definition::built_in("e", EXPERIMENT, &[]).unwrap()).unwrap()
}

fn noted(mut store: Store) -> Store {
    experiment().note(&mut store).unwrap();
    store
}

fn game(index: u64) -> Game {
    let experiment = experiment();
    Game {
        address: Address { experiment: experiment.address, cell: experiment.cells[0].key.clone(), index },
        side: if index.is_multiple_of(2) { Side::Black } else { Side::White },
        outcome: Outcome::Win(Side::Black),
        reason: Reason::Rules,
        opening: 0,
        moves: "a1 b2 ".repeat(20).trim().to_owned(),
        plies: 40,
        samples: [3, 4],
    }
}

fn put(store: &mut Store, game: &Game) -> Result<Insertion, StoreError> {
    store.put_game(game, &Circumstances::default(), KnownGame::MustAgree)
}

/// SQLite says at once that a file is locked, if two begin its log at the same time.
#[test]
fn several_may_begin_a_store_at_the_same_time() {
    let folder = folder("begun");
    for attempt in 0..40 {
        let path = folder.join(format!("{attempt}.db"));
        let start = std::sync::Barrier::new(6);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    start.wait();
                    drop(Store::open(&path).unwrap());
                });
            }
        });
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_game_is_stored_once_and_read_back() {
    let mut store = noted(Store::in_memory().unwrap());
    assert_eq!(put(&mut store, &game(0)).unwrap(), Insertion::New);
    assert_eq!(put(&mut store, &game(0)).unwrap(), Insertion::Known);
    assert_eq!(store.game(&game(0).address).unwrap(), Some(game(0)));
    assert_eq!(store.game(&game(1).address).unwrap(), None);
    let drawn = Game { outcome: Outcome::Draw, reason: Reason::MoveLimit, ..game(1) };
    put(&mut store, &drawn).unwrap();
    assert_eq!(store.game(&drawn.address).unwrap(), Some(drawn));
    let played = store.played(experiment().address, &experiment().cells[0].key).unwrap();
    assert_eq!(played.tally.pairs, [0, 0, 0, 1, 0]);
    assert_eq!((played.distinct, played.plies, played.samples), (1, 80, [6, 8]));
    // Another game in its place is refused, unless a clock or an engine had a part in it.
    let other = Game { moves: "a2".to_owned(), plies: 1, ..game(0) };
    let error = put(&mut store, &other).unwrap_err().to_string();
    assert!(error.contains("is in memory already and came out differently"), "{error}");
    let forgiven = store.put_game(&other, &Circumstances::default(), KnownGame::MayDiffer);
    assert_eq!(forgiven.unwrap(), Insertion::Known);
    assert_eq!(store.game(&game(0).address).unwrap(), Some(game(0)));
}

/// A paused game with this number of moves.
fn paused(index: u64, plies: u32) -> PausedGame {
    PausedGame {
        address: game(index).address,
        opening: 0,
        moves: "a1 ".repeat(plies as usize).trim().to_owned(),
        plies,
        refusals: 0,
        samples: [u64::from(plies), 0],
        carried: [0; 2],
        minds: Default::default(),
        policies: Vec::new(),
        began: 1,
        seconds: 0.5,
        used: [0.25, 0.125],
    }
}

fn in_flight(store: &Store) -> u64 {
    let address = game(0).address;
    store.played(address.experiment, &address.cell).unwrap().in_flight
}

#[test]
fn a_game_is_paused_or_finished_and_never_both() {
    let mut store = noted(Store::in_memory().unwrap());
    let all = |store: &Store| store.paused(experiment().address).unwrap();
    store.keep_paused(&[paused(1, 3), paused(0, 2)]).unwrap();
    assert_eq!(all(&store), [paused(0, 2), paused(1, 3)]);
    assert_eq!(in_flight(&store), 2);
    // More moves replace fewer, and not the other way round.
    store.keep_paused(&[paused(0, 5), paused(1, 1)]).unwrap();
    assert_eq!(all(&store), [paused(0, 5), paused(1, 3)]);
    put(&mut store, &game(0)).unwrap();
    assert_eq!(all(&store), [paused(1, 3)]);
    assert_eq!(in_flight(&store), 1);
    // A slow writer comes too late.
    store.keep_paused(&[paused(0, 9)]).unwrap();
    assert_eq!(all(&store), [paused(1, 3)]);
    let first = store.played_of_first(experiment().address, &experiment().cells[0].key, 1).unwrap();
    assert_eq!((first.tally.total().games(), first.in_flight), (1, 0));
}

#[test]
fn of_two_paused_games_a_merge_keeps_the_longer_and_a_finished_one_beats_both() {
    let folder = folder("merge-paused");
    let (one, two) = (folder.join("one.db"), folder.join("two.db"));
    let fill = || {
        let mut first = noted(Store::open(&one).unwrap());
        let mut second = noted(Store::open(&two).unwrap());
        first.keep_paused(&[paused(0, 5), paused(1, 5), paused(2, 5)]).unwrap();
        second.keep_paused(&[paused(0, 4), paused(1, 6), paused(3, 1), paused(4, 1)]).unwrap();
        put(&mut second, &game(2)).unwrap();
        put(&mut first, &game(4)).unwrap();
        (first, second)
    };
    let (mut first, mut second) = fill();
    assert_eq!(first.merge(&two).unwrap(), MergeSummary { games: 1, known: 0, paused: 2, regrets: 0 });
    assert_eq!(first.merge(&two).unwrap(), MergeSummary { games: 0, known: 1, paused: 0, regrets: 0 });
    second.merge(&one).unwrap();
    for store in [first, second] {
        let all = store.paused(experiment().address).unwrap();
        assert_eq!(all, [paused(0, 5), paused(1, 6), paused(3, 1)]);
        assert_eq!(store.points(experiment().address, &experiment().cells[0].key).unwrap().len(), 2);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_full_disk_is_told_and_harms_nothing() {
    let path = folder("full").join("s.db");
    let mut store = noted(Store::open(&path).unwrap());
    let pages: i64 = store.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    store.connection.pragma_update(None, "max_page_count", pages + 8).unwrap();
    let mut stored = 0;
    let error = loop {
        match put(&mut store, &game(stored)) {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    assert!(stored > 0);
    drop(store);
    // It opens, has every game, and takes more once there is room.
    let mut store = Store::open(&path).unwrap();
    let check: String = store.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
    let address = experiment().address;
    assert_eq!(store.points(address, &experiment().cells[0].key).unwrap().len() as u64, stored);
    assert_eq!(put(&mut store, &game(stored)).unwrap(), Insertion::New);
}

#[test]
fn a_store_that_may_only_be_read_says_so() {
    let path = folder("read").join("s.db");
    let mut writer = noted(Store::open(&path).unwrap());
    put(&mut writer, &game(0)).unwrap();
    let mut reader = Store::open_to_read(&path).unwrap();
    let error = put(&mut reader, &game(1)).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
    // A reader sees what is written meanwhile.
    put(&mut writer, &game(1)).unwrap();
    assert_eq!(reader.game(&game(1).address).unwrap(), Some(game(1)));
}

#[test]
fn other_files_are_not_taken_for_stores() {
    let folder = folder("other");
    let text = folder.join("text.db");
    std::fs::write(&text, "This is a text, and by no means a database.".repeat(100)).unwrap();
    let refusal = |path: &Path| {
        let error = Store::open_to_read(path).unwrap_err();
        assert!(error.is_bad_input());
        let (message, name) = (error.to_string(), path.file_name().unwrap().to_string_lossy().into_owned());
        message.split_once(&name).unwrap().1.to_owned()
    };
    assert_eq!(refusal(&text), " is not a store of tesuji: it is not an SQLite database");
    assert!(Store::open(&text).is_err());
    let foreign = folder.join("foreign.db");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    assert_eq!(refusal(&foreign), " is not a store of tesuji: it is a database of another program");
    assert!(Store::open(&foreign).is_err());
    let newer = folder.join("newer.db");
    let store = Store::open(&newer).unwrap();
    store.connection.pragma_update(None, "user_version", 99).unwrap();
    drop(store);
    assert_eq!(
        refusal(&newer),
        " is not a store of tesuji: its schema is version 99, and this program knows 3"
    );
    let empty = folder.join("empty.db");
    std::fs::write(&empty, "").unwrap();
    assert_eq!(refusal(&empty), " is not a store of tesuji: it is empty");
    let missing = folder.join("missing.db");
    assert!(matches!(Store::open_to_read(&missing), Err(StoreError::Missing { .. })));
    assert!(!missing.exists());
    let error = Store::open(&folder.join("no/such/s.db")).unwrap_err().to_string();
    assert!(error.ends_with("its folder does not exist"), "{error}");
}

#[test]
fn several_writers_store_every_game_once() {
    let path = folder("writers").join("s.db");
    let new: u64 = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut store = noted(Store::open(&path).unwrap());
                    let insertions = (0..50).map(|index| put(&mut store, &game(index)).unwrap());
                    insertions.filter(|insertion| *insertion == Insertion::New).count() as u64
                })
            })
            .collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).sum()
    });
    assert_eq!(new, 50);
}

#[test]
fn stores_are_merged_once_and_must_agree() {
    let folder = folder("merge");
    let (one, two) = (folder.join("one.db"), folder.join("two % ?.db"));
    let mut first = noted(Store::open(&one).unwrap());
    let mut second = noted(Store::open(&two).unwrap());
    put(&mut first, &game(0)).unwrap();
    put(&mut second, &game(0)).unwrap();
    put(&mut second, &game(1)).unwrap();
    let void = Void {
        address: game(2).address,
        at: 1,
        contestant: "x".to_owned(),
        kind: "hung".to_owned(),
        message: "it hung".to_owned(),
        moves: String::new(),
        stderr: "last words".to_owned(),
    };
    // An engine that fails at once may do so twice in a second.
    second.put_void(&void).unwrap();
    second.put_void(&void).unwrap();
    assert_eq!(first.merge(&two).unwrap(), MergeSummary { games: 1, known: 1, paused: 0, regrets: 0 });
    assert_eq!(first.merge(&two).unwrap(), MergeSummary { games: 0, known: 2, paused: 0, regrets: 0 });
    assert_eq!(first.voids(experiment().address).unwrap(), [void.clone(), void]);
    assert_eq!(first.game(&game(1).address).unwrap(), Some(game(1)));
    // A game that differs: nothing of the other is taken.
    let other = Game { moves: "c3".to_owned(), ..game(3) };
    put(&mut first, &game(3)).unwrap();
    put(&mut second, &other).unwrap();
    put(&mut second, &game(4)).unwrap();
    assert!(matches!(first.merge(&two), Err(StoreError::Different { .. })));
    assert_eq!(first.game(&game(4).address).unwrap(), None);
    assert!(matches!(first.merge(&folder.join("none.db")), Err(StoreError::Missing { .. })));
}

#[test]
fn a_merge_keeps_the_file_that_asks_for_more() {
    let folder = folder("grown");
    let (one, two) = (folder.join("one.db"), folder.join("two.db"));
    let grown = EXPERIMENT.replace("games=4", "games=9");
    let note = |path: &Path, text: &str| {
        let definition = Definition::built_in("e", text, &[]).unwrap();
        let mut store = Store::open(path).unwrap();
        crate::MatchExperiment::parse(definition).unwrap().note(&mut store).unwrap();
        store
    };
    let (mut small, mut large) = (note(&one, EXPERIMENT), note(&two, &grown));
    large.merge(&one).unwrap();
    assert_eq!(large.experiments().unwrap()[0].definition.text, grown);
    small.merge(&two).unwrap();
    assert_eq!(small.experiments().unwrap()[0].definition.text, grown);
}

#[test]
fn games_are_found_by_the_beginning_of_their_ids() {
    let mut store = noted(Store::in_memory().unwrap());
    put(&mut store, &game(1)).unwrap();
    let id = experiment().cells[0].game_id(1);
    for name in [id.as_str(), &id[3..]] {
        let found = store.find(name).unwrap();
        assert_eq!(found.len(), usize::from(name == id));
    }
    let found = store.find(&format!("{}-1", &id[..4])).unwrap();
    assert_eq!(found[0].address, game(1).address);
    assert_eq!(store.cell(&found[0].address).unwrap().key, experiment().cells[0].key);
    for nonsense in ["", "-", "-1", "1", "x-y", "x-18446744073709551615"] {
        assert!(store.find(nonsense).unwrap().is_empty(), "{nonsense}");
    }
}

/// Makes the store of a file version 1.
fn downgraded(path: &Path) {
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch(
            "DROP VIEW results; DROP TABLE paused; ALTER TABLE plays DROP COLUMN player_score;
             ALTER TABLE plays DROP COLUMN opponent_score;
             CREATE VIEW results AS SELECT * FROM games LEFT JOIN plays USING (experiment, cell, game_index);
             PRAGMA user_version = 1;",
        )
        .unwrap();
}

#[test]
fn version_1_is_read_merged_and_written() {
    let folder = folder("version-1");
    let (old, new) = (folder.join("old.db"), folder.join("new.db"));
    let mut store = noted(Store::open(&old).unwrap());
    put(&mut store, &game(0)).unwrap();
    drop(store);
    downgraded(&old);
    let read = Store::open_to_read(&old).unwrap();
    let address = game(0).address;
    assert_eq!(read.game(&address).unwrap(), Some(game(0)));
    assert_eq!(read.circumstances(&address).unwrap(), Some(Circumstances::default()));
    assert_eq!(read.played(address.experiment, &address.cell).unwrap().tally.total().games(), 1);
    drop(read);
    let mut store = Store::open(&new).unwrap();
    assert_eq!(store.merge(&old).unwrap().games, 1);
    assert_eq!(store.circumstances(&address).unwrap(), Some(Circumstances::default()));
    drop(store);
    let mut store = Store::open(&old).unwrap();
    let late = Game { reason: Reason::Time, ..game(1) };
    let about = Circumstances { scores: ["B+1".to_owned(), String::new()], ..Circumstances::default() };
    store.put_game(&late, &about, KnownGame::MayDiffer).unwrap();
    assert_eq!(store.game(&late.address).unwrap(), Some(late.clone()));
    assert_eq!(store.circumstances(&late.address).unwrap(), Some(about));
    let scores = "SELECT player_score FROM results ORDER BY game_index";
    let scores = store.all(scores, params![], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(scores, ["", "B+1"]);
    // A second time there is nothing left to do.
    drop(store);
    assert_eq!(Store::open(&old).unwrap().check_version().unwrap(), schema::VERSION);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn version_2_has_no_paused_games_until_it_is_written() {
    let folder = folder("version-2");
    let (old, new) = (folder.join("old.db"), folder.join("new.db"));
    put(&mut noted(Store::open(&old).unwrap()), &game(0)).unwrap();
    Connection::open(&old).unwrap().execute_batch("DROP TABLE paused; PRAGMA user_version = 2;").unwrap();
    let read = Store::open_to_read(&old).unwrap();
    assert_eq!(in_flight(&read), 0);
    assert_eq!(read.paused(experiment().address).unwrap(), []);
    assert_eq!(read.game(&game(0).address).unwrap(), Some(game(0)));
    drop(read);
    let mut store = Store::open(&new).unwrap();
    assert_eq!(store.merge(&old).unwrap(), MergeSummary { games: 1, ..MergeSummary::default() });
    let mut store = Store::open(&old).unwrap();
    store.keep_paused(&[paused(1, 3)]).unwrap();
    assert_eq!(in_flight(&store), 1);
    assert_eq!(store.game(&game(0).address).unwrap(), Some(game(0)));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The sizes of all files of a store at rest, the logs included.
fn sizes(folder: &Path) -> Vec<u64> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    files.map(|file| file.metadata().unwrap().len()).collect()
}

#[test]
fn a_full_file_is_followed_by_a_next_one() {
    const LIMIT: u64 = 100_000;
    let folder = folder("volumes");
    let path = folder.join("s.v1.db");
    let open = || noted(Store::open(&path).unwrap().limited(LIMIT).unwrap());
    let mut store = open();
    let long = |index| Game { moves: "a1 ".repeat(1000).trim().to_owned(), ..game(index) };
    let void = |at| Void {
        address: game(at).address,
        at,
        contestant: "x".to_owned(),
        kind: "hung".to_owned(),
        message: "it hung".to_owned(),
        moves: String::new(),
        stderr: String::new(),
    };
    for index in 0..30 {
        store.keep_paused(&[paused(index, 3), paused(1000 + index, 1)]).unwrap();
        assert_eq!(put(&mut store, &long(index)).unwrap(), Insertion::New);
        store.put_void(&void(index)).unwrap();
        if index == 20 {
            // The next process goes on where this one stopped.
            drop(store);
            store = open();
        }
    }
    let (address, key) = (experiment().address, experiment().cells[0].key.clone());
    let files = store.volumes();
    assert!(files.len() >= 3, "{files:?}");
    assert_eq!(files[1], folder.join("s.v1.volume2.db"));
    assert_eq!(files.iter().filter(|file| Store::is_later_volume(file)).count(), files.len() - 1);
    for name in ["other.volume2.db", "s.v1.volume02.db", "s.v1.volume1.db", "s.v1.volumes.db"] {
        assert!(!Store::is_later_volume(&folder.join(name)), "{name}");
    }
    let check = |store: &Store| {
        let indices: Vec<u64> = store.points(address, &key).unwrap().iter().map(|game| game.index).collect();
        assert_eq!(indices, (0..30).collect::<Vec<_>>());
        let totals = store.played(address, &key).unwrap();
        assert_eq!((totals.tally.total().games(), totals.in_flight, totals.voids), (30, 30, 30));
        assert_eq!(store.paused(address).unwrap().len(), 30);
        assert_eq!(store.games(address, &key).unwrap()[3], long(3));
        assert_eq!(store.cells(address).unwrap()[0].games, 30);
        assert_eq!(store.experiments().unwrap().len(), 1);
        let voids: Vec<u64> = store.voids(address).unwrap().iter().map(|void| void.at).collect();
        assert_eq!(voids, (0..30).collect::<Vec<_>>());
        assert!(store.circumstances(&game(0).address).unwrap().is_some());
    };
    check(&store);
    // What an earlier file has is not stored again, and must agree.
    assert_eq!(put(&mut store, &long(0)).unwrap(), Insertion::Known);
    assert!(matches!(put(&mut store, &game(0)), Err(StoreError::Different { .. })));
    // Paused again, in a later file.
    store.keep_paused(&[paused(1000, 9), paused(0, 9)]).unwrap();
    assert_eq!(store.paused(address).unwrap()[0], paused(1000, 9));
    assert_eq!(store.paused(address).unwrap().len(), 30);
    drop(store);
    assert_eq!(sizes(&folder).len(), files.len(), "a log is left");
    assert!(sizes(&folder).iter().all(|size| *size <= LIMIT), "{:?}", sizes(&folder));
    check(&Store::open_to_read(&path).unwrap());
    // They become one by a merge, into another store.
    let whole = folder.join("whole.db");
    let merged = Store::merge_all(&whole, std::slice::from_ref(&path)).unwrap();
    assert_eq!(merged[0].games, 30);
    check(&Store::open_to_read(&whole).unwrap());
    let error = Store::merge_all(&path, &[whole]).unwrap_err().to_string();
    assert!(
        error.contains("s.v1.db goes on in ") && error.ends_with("merge them into a new store"),
        "{error}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn policies_are_found_in_every_volume() {
    let folder = folder("policies-volumes");
    let file = folder.join("r.db");
    let mut store = noted(Store::open(&file).unwrap().limited(100_000).unwrap());
    let bytes = |index: u64| vec![index as u8; 2_000];
    // The first games have none, so the first volume may have no table of them.
    for index in 0..120 {
        let game = Game { moves: "a1 ".repeat(800).trim().to_owned(), ..game(index) };
        let policies = if index >= 60 { bytes(index) } else { Vec::new() };
        let played = PlayedGame { game, circumstances: Circumstances::default(), policies };
        store.put_played(&played, KnownGame::MustAgree).unwrap();
    }
    assert!(store.volumes().len() > 3);
    let read = Store::open_to_read(&file).unwrap();
    for store in [&store, &read, &Store::open(&file).unwrap()] {
        for index in 0..120 {
            let expected = (index >= 60).then(|| bytes(index));
            assert!(store.policies(&game(index).address).unwrap() == expected, "game {index}");
        }
    }
}

#[test]
fn a_game_and_its_policies_are_stored_together_or_not_at_all() {
    let folder = folder("policies-together");
    let file = folder.join("r.db");
    let mut store = noted(Store::open(&file).unwrap());
    let played = |index| PlayedGame {
        game: game(index),
        circumstances: Circumstances::default(),
        policies: vec![1, 0, 0],
    };
    store.put_played(&played(0), KnownGame::MustAgree).unwrap();
    // Whatever ends the process between the two has the effect of this error.
    store
        .connection
        .execute_batch(
            "CREATE TRIGGER cut BEFORE INSERT ON policies WHEN NEW.game_index = 1
             BEGIN SELECT RAISE(ABORT, 'cut'); END",
        )
        .unwrap();
    assert!(store.put_played(&played(1), KnownGame::MustAgree).is_err());
    let has = |index| {
        let address = game(index).address;
        (store.game(&address).unwrap().is_some(), store.policies(&address).unwrap().is_some())
    };
    assert_eq!((has(0), has(1)), ((true, true), (false, false)));
}

#[test]
fn a_limit_that_is_too_small_says_so() {
    let folder = folder("small-limit");
    let path = folder.join("s.db");
    let mut store = noted(Store::open(&path).unwrap().limited(100_000).unwrap());
    let huge = Game { moves: "a1 ".repeat(50_000), ..game(0) };
    let error = put(&mut store, &huge).unwrap_err();
    assert!(matches!(error, StoreError::SmallLimit { .. }), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
