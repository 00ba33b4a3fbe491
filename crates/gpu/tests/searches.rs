//! Searches of the emulated device are those of the CPU: the same samples of every move, the
//! same AMAF statistics, the same choice.
#![cfg(feature = "cuda")]

mod table1;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::Seed;
use tesuji_gpu::GpuDevice;
use tesuji_gpu::backend::{Emulated, EmulatedSettings};
use tesuji_search::{Board, DeviceSearch, PlayerConfig, Report, SearchDevice, SearchId, Sight};

/// A position after some random moves. Of a phantom game: what the side to move knows after some
/// random attempts, refused ones included.
fn position(spec: &GameSpec, plies: u64, seed: Seed) -> Box<dyn Sight> {
    let board = spec.start().expect("a spec that exists can be started");
    if board.sight().hides_pieces() {
        return known(board, plies, seed);
    }
    let mut here = board.sight().boxed_clone();
    let mut rng = seed.rng();
    for _ in 0..plies {
        let moves = here.search_moves();
        let next = here.after(moves[rng.below(moves.len() as u32) as usize]);
        if next.outcome().is_some() || next.search_moves().len() < 2 {
            break;
        }
        here = next;
    }
    here
}

fn known(mut board: Box<dyn Board>, attempts: u64, seed: Seed) -> Box<dyn Sight> {
    let mut rng = seed.rng();
    let mut here = board.sight().boxed_clone();
    for _ in 0..attempts {
        let moves = here.search_moves();
        board.attempt(moves[rng.below(moves.len() as u32) as usize]);
        if board.outcome().is_some() || board.sight().search_moves().len() < 2 {
            break;
        }
        here = board.sight().boxed_clone();
    }
    here
}

/// What must be equal.
fn told(report: &Report) -> String {
    let arms: Vec<String> = report
        .arms
        .iter()
        .map(|arm| format!("{:?} {} {:?} {:?} {:?}", arm.mv, arm.visits, arm.mean, arm.amaf, arm.score))
        .collect();
    format!(
        "{:?} of {}, {} spent, {} carried\n{:?}\n{}",
        report.chosen,
        report.budget,
        report.spent,
        report.carried,
        report.ranking(),
        arms.join("\n")
    )
}

/// Returns the samples that the device counted, and the samples that the searches spent.
fn compare(games: &[&str], players: &[&str], samples: u64, each: u64) -> [u64; 2] {
    let mut device = GpuDevice::new(Box::new(Emulated::new(EmulatedSettings::default()))).expect("a device");
    let mut expected = Vec::new();
    for game in games {
        let spec: GameSpec = game.parse().expect("a game");
        for player in players {
            let player: PlayerSpec = player.parse().expect("a player");
            let PlayerConfig::Search(config) = player.config() else { panic!("{player} searches") };
            let config = Arc::new((**config).clone());
            for index in 0..each {
                let seed = Seed::new(5).child(*game).child(index);
                let sight = position(&spec, 11 * index, seed);
                let id = SearchId(expected.len() as u64);
                device.accepts(&*sight, &config, samples).expect("it can");
                let search = DeviceSearch { sight, config: Arc::clone(&config), samples, carried: 0, seed };
                expected.push((format!("{player} on {game}, {index}"), search.make_here()));
                device.begin(id, search).expect("it can");
            }
        }
    }
    let mut left = expected.len();
    while left > 0 {
        for (SearchId(id), report) in device.wait(None).expect("it works") {
            let (name, expected) = &expected[id as usize];
            assert_eq!(told(&report), told(expected), "{name}");
            left -= 1;
        }
    }
    assert_eq!(device.made_here(), 0);
    [device.status().samples, expected.iter().map(|(_, report)| report.spent).sum()]
}

#[test]
fn searches_are_the_same_to_the_bit() {
    let players = [
        "rave",
        "hybrid-shuss(t=512)",
        "uct",
        "sh+uct",
        "shuss(t=64)+uct",
        "sh+rave(amaf=whole)",
        "flat(sh)",
    ];
    compare(&["go:7", "go:9"], &players, 600, 5);
}

#[test]
fn policies_that_choose_sample_by_sample_see_the_same() {
    let players = [
        "vct+uct",
        "vct(form=blinkered)+uct",
        "ect+uct",
        "bct(stop=0.0005)+uct",
        "voi+uct",
        "ucb(c=0.3)+uct",
        "ttts+uct",
        "ocba+uct",
        "anytime-sh+uct",
        "flat(vct)",
        "vct+rave",
    ];
    // Samples that were made ahead and never asked for are not counted.
    let [counted, spent] = compare(&["go:7", "hex:5"], &players, 900, 4);
    assert_eq!(counted, spent);
    // Draws, and as many moves as a position can have.
    compare(&["ataxx:8(cap=2000)"], &["ect+uct", "flat(ucb-sqrt)"], 3000, 3);
}

#[test]
fn all_games_are_searched_the_same() {
    compare(table1::GAMES, &["rave", "hybrid-shuss(t=512)", "uct"], 400, 3);
}

#[test]
fn views_of_phantom_go_are_searched_the_same() {
    let games = [
        "phantom-go:3",
        "phantom-go:5",
        "phantom-go:5(announce=refusals,komi=0,draws=half)",
        "phantom-go:7",
        "phantom-go:9",
        "phantom-go:10(announce=refusals)",
    ];
    compare(&games, &["flat(uniform)", "flat(sh)", "flat(shuss(t=64))"], 400, 8);
}

#[test]
fn trees_cannot_search_what_is_hidden() {
    let device = GpuDevice::new(Box::new(Emulated::new(EmulatedSettings::default()))).expect("a device");
    let spec: GameSpec = "phantom-go:5".parse().expect("a game");
    let board = spec.start().expect("a spec that exists can be started");
    let rave: PlayerSpec = "rave".parse().expect("a player");
    let PlayerConfig::Search(config) = rave.config() else { panic!("it searches") };
    let error = device.accepts(&*board.sight(), config, 100).expect_err("it has a tree").to_string();
    assert!(error.contains("flat"), "{error}");
}

#[test]
fn leaves_with_several_playouts_are_the_same() {
    let games = ["go:7", "hex:5", "domineering:8", "breakthrough:8"];
    let uct =
        ["uct+prior(sh,16)", "uct(c=0.31)+prior(uniform,70)", "uct+prior(literal,64)", "uct+prior(sh,140)"];
    compare(&games, &uct, 150, 4);
    compare(&games, &["rave+prior(sh,8)", "rave+prior(uniform,64)", "rave+prior(sh,100)"], 150, 4);
    let whole = ["rave(amaf=whole)+prior(sh,60)", "uct+prior(sh,64,count=playouts)", "uct+prior(uniform,1)"];
    compare(&["go:7"], &whole, 1500, 3);
}

#[test]
fn other_leaves_with_several_playouts_are_refused() {
    let refused = [
        ("sh+uct+prior(sh,64)", "it has a policy at the root and leaves with several playouts"),
        (
            "uct+prior(sh(lambda=0.3),64)",
            "its leaves are not prior(sh,K), prior(uniform,K) or prior(literal,K)",
        ),
        ("uct+prior(ucb1,64)", "its leaves are not prior(sh,K), prior(uniform,K) or prior(literal,K)"),
        ("puct(prior=leaf)+prior(sh,64)", "its tree is not uct, rave or flat"),
    ];
    let device = GpuDevice::new(Box::new(Emulated::new(EmulatedSettings::default()))).expect("a device");
    let sight = position(&"go:7".parse().expect("a game"), 0, Seed::new(5));
    for (player, reason) in refused {
        let player: PlayerSpec = player.parse().expect("a player");
        let PlayerConfig::Search(config) = player.config() else { panic!("{player} searches") };
        let error = device.accepts(&*sight, config, 100).expect_err("it cannot").to_string();
        assert_eq!(error, reason);
    }
}

/// Begins searches and returns how many came out as on the CPU.
fn searched(device: &mut GpuDevice, n: u64) -> Result<u64, String> {
    let player: PlayerSpec = "rave".parse().expect("a player");
    let PlayerConfig::Search(config) = player.config() else { panic!("{player} searches") };
    let config = Arc::new((**config).clone());
    let mut expected = Vec::new();
    for index in 0..n {
        let seed = Seed::new(6).child(index);
        let sight = position(&"hex:11".parse().expect("a game"), index % 9, seed);
        let search = DeviceSearch { sight, config: Arc::clone(&config), samples: 1500, carried: 0, seed };
        expected.push(search.make_here());
        device.begin(SearchId(index), search).map_err(|error| error.to_string())?;
    }
    let mut same = 0;
    let mut left = n;
    while left > 0 {
        let reports = device.wait(None).map_err(|error| error.to_string())?;
        left -= reports.len() as u64;
        same += reports.iter().filter(|(id, report)| told(report) == told(&expected[id.0 as usize])).count();
    }
    Ok(same as u64)
}

#[test]
fn a_device_that_others_use_too_takes_what_is_left() {
    let settings = EmulatedSettings::default();
    let taken = Arc::clone(&settings.taken);
    let all = settings.memory;
    let mut device = GpuDevice::new(Box::new(Emulated::new(settings.clone()))).expect("a device");
    // After it has looked, others take nearly everything, and its searches wait for each other.
    taken.store(all - (16 << 20), Ordering::Relaxed);
    assert_eq!(searched(&mut device, 60), Ok(60));
    let bytes: u64 = device.groups().iter().map(|group| group.bytes).sum();
    assert!(bytes <= 16 << 20, "{bytes} bytes");

    // Without any memory it says so, and goes on when there is some again.
    taken.store(0, Ordering::Relaxed);
    let mut device = GpuDevice::new(Box::new(Emulated::new(settings))).expect("a device");
    taken.store(all - (1 << 16), Ordering::Relaxed);
    let error = searched(&mut device, 3).expect_err("there is no room for a search");
    assert_eq!(error, "the device has no memory left for a search");
    taken.store(0, Ordering::Relaxed);
    assert_eq!(searched(&mut device, 3), Ok(3));
}
