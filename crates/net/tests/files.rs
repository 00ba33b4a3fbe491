//! Files that are wrong are refused with a sentence, whatever is wrong with them.

mod common;

use common::Net;
use proptest::prelude::*;
use tesuji_core::Seed;
use tesuji_net::{Evaluations, Evaluator, Network};

fn refusal(net: &Net) -> String {
    Network::from_bytes(&net.file(), "test.onnx").unwrap_err().to_string()
}

fn small() -> Net {
    Net::dense(&mut Seed::new(1).rng(), (2, 3, 3), 1, 4, 9)
}

/// Reads a file that may be corrupt, and uses it if it can be read.
fn survives(bytes: &[u8]) {
    match Network::from_bytes(bytes, "test.onnx") {
        Ok(network) => {
            let size = network.form().size();
            // A flipped bit may make the board large, which takes long and shows nothing.
            if size <= 10_000 {
                let _ = network.evaluate(&vec![1.0; 2 * size], &mut Evaluations::default());
            }
        }
        Err(error) => {
            let text = error.to_string();
            assert!(text.starts_with("the network 'test.onnx' cannot be used: "), "{text}");
            assert!(!text.contains('\n') && text.len() < 400, "{text}");
        }
    }
}

#[test]
fn truncated_files_are_refused() {
    for net in [small(), Net::mixed(&mut Seed::new(2).rng())] {
        let file = net.file();
        // Weights are skipped, and every cut inside of them is the same: all cuts of the small file, and
        // those of the large one that are not deep in a tensor.
        let step = if file.len() > 5000 { 13 } else { 1 };
        for length in (0..file.len()).step_by(step) {
            survives(&file[..length]);
        }
        assert!(Network::from_bytes(&file, "test.onnx").is_ok());
    }
}

#[test]
fn flipped_bits_never_panic() {
    let mut rng = Seed::new(3).rng();
    let nets = [small(), Net::mixed(&mut rng), Net::residual(&mut rng, (2, 3, 3), 1, 2)];
    for net in nets {
        let file = net.file();
        for _ in 0..3000 {
            let mut flipped = file.clone();
            for _ in 0..1 + rng.below(3) {
                let index = rng.below(flipped.len() as u32) as usize;
                flipped[index] =
                    if rng.chance(0.5) { flipped[index] ^ 1 << rng.below(8) } else { rng.bits() as u8 };
            }
            survives(&flipped);
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        survives(&bytes);
        // As the graph of a file, and as a node of it.
        let field = |number: u8, content: &[u8]| {
            let mut field = vec![number << 3 | 2, content.len() as u8 | 0x80, (content.len() >> 7) as u8];
            field.extend_from_slice(content);
            field
        };
        survives(&field(7, &bytes));
        survives(&field(7, &field(1, &bytes)));
        survives(&field(7, &field(5, &bytes)));
    }

    #[test]
    fn replaced_ranges_never_panic(
        start in 0_usize..3000,
        length in 0_usize..40,
        bytes in proptest::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut file = Net::mixed(&mut Seed::new(4).rng()).file();
        // The interesting parts are at both ends: nodes, and shapes and metadata.
        let start = if start < 2000 { start } else { file.len() - 1 - (start - 2000) };
        let end = (start + length).min(file.len());
        file.splice(start..end, bytes);
        survives(&file);
    }
}

#[test]
fn hostile_files_are_refused() {
    // Each Concat doubles the channels.
    let mut net = Net::new(2, 3, 3, 9);
    let mut x = "planes".to_owned();
    for _ in 0..200 {
        x = net.node("Concat", &[&x, &x]);
        net.nodes.last_mut().unwrap().scalars.push(("axis", 1));
    }
    assert!(refusal(&net).contains("its tensors are too large"));
    // A tensor says that it is larger than the file.
    for dimensions in [vec![1 << 40, 1 << 40], vec![1 << 62, 4], vec![4, 1_000_000_000]] {
        let mut net = small();
        net.constants[0].dimensions = dimensions;
        refusal(&net);
    }
    // Many layers use the same matrix.
    let mut net = Net::new(1, 1, 1, 1000);
    let matrix = net.constant(&[1000, 1000], vec![0.0; 1_000_000]);
    let mut x = net.constant(&[1, 1000], vec![0.0; 1000]);
    x = {
        let flat = net.node("Flatten", &["planes"]);
        net.node("MatMul", &[&flat, &x])
    };
    for _ in 0..40 {
        x = net.node("MatMul", &[&x, &matrix]);
    }
    assert!(refusal(&net).ends_with("it has more than 33554432 weights, each use of a tensor counted"));
    let many = [0x0a_u8, 0].repeat(1_100_000);
    let mut file = vec![7 << 3 | 2];
    let mut length = many.len();
    while length >= 0x80 {
        file.push(length as u8 | 0x80);
        length >>= 7;
    }
    file.push(length as u8);
    file.extend(many);
    let error = Network::from_bytes(&file, "test.onnx").unwrap_err().to_string();
    assert_eq!(error, "the network 'test.onnx' cannot be used: it has more than 1000000 fields");
}

/// A file of some kilobytes whose layers have no weights could otherwise compute for minutes.
#[test]
fn many_layers_over_a_large_board_are_refused() {
    let begin = std::time::Instant::now();
    for operator in ["GlobalMaxPool", "Tanh"] {
        let mut net = Net::new(1, 256, 256, 1);
        for _ in 0..1000 {
            net.node(operator, &["planes"]);
        }
        let error = refusal(&net);
        let layers = "its layers read and write more than 134217728 floats for a position";
        assert!(error.ends_with(layers), "{operator}: {error}");
    }
    assert!(begin.elapsed().as_secs() < 10);
}

/// To compare each input with each constant would take half a minute.
#[test]
fn many_constants_among_the_inputs_take_little_time() {
    let mut net = small();
    let file = net.file_with_listed_constants(150_000);
    let begin = std::time::Instant::now();
    assert!(Network::from_bytes(&file, "test.onnx").is_ok());
    net.outputs.truncate(1);
    assert!(Network::from_bytes(&net.file_with_listed_constants(150_000), "test.onnx").is_err());
    assert!(begin.elapsed().as_secs() < 10);
}

#[cfg(not(feature = "onnx-any"))]
#[test]
fn only_channels_are_concatenated() {
    let concat = |rank: usize, axis: i64| {
        let mut net = small();
        let value = net.nodes.pop().unwrap();
        let mut x = net.node(value.operator, &[&value.inputs[0]]);
        if rank == 1 {
            let shape = net.integers(&[-1]);
            x = net.node("Reshape", &[&x, &shape]);
        }
        net.named_node("Concat", &[&x], "value");
        net.nodes.last_mut().unwrap().scalars.push(("axis", axis));
        Network::from_bytes(&net.file(), "test.onnx").map_err(|error| error.to_string())
    };
    for axis in [1, -1] {
        assert!(concat(2, axis).is_ok());
    }
    for (rank, axis) in [(1, 0), (1, 1), (1, -1), (2, 0), (2, -2), (2, i64::MAX), (2, i64::MIN)] {
        let error = concat(rank, axis).unwrap_err();
        assert!(
            error.contains("a Concat of another axis than that of the channels"),
            "{rank} {axis}: {error}"
        );
    }
}

#[test]
fn wrong_files_have_a_sentence_each() {
    let check = |change: &dyn Fn(&mut Net), expected: &str| {
        let mut net = small();
        change(&mut net);
        assert_eq!(refusal(&net), format!("the network 'test.onnx' cannot be used: {expected}"));
    };
    let set = |net: &mut Net, key: &str, value: &str| {
        net.metadata.retain(|(name, _)| name != key);
        net.metadata.push((key.to_owned(), value.to_owned()));
    };
    check(
        &|net| net.metadata.retain(|(key, _)| key != "tesuji.encoding"),
        "its metadata does not have the key 'tesuji.encoding'",
    );
    check(
        &|net| set(net, "tesuji.width", "three"),
        "its metadata says tesuji.width = 'three', allowed is a number from 1 to 256",
    );
    for encoding in ["", "a\nb/1", "\u{1b}[31mgo/1", "\u{202e}go/1", "go\0/1"] {
        check(
            &|net| set(net, "tesuji.encoding", encoding),
            "its metadata has a tesuji.encoding without a name such as go/1",
        );
    }
    check(
        &|net| set(net, "tesuji.planes", "3"),
        "its 'planes' has the shape [positions, 2, 3, 3], its metadata says [positions, 3, 3, 3]",
    );
    check(
        &|net| set(net, "tesuji.logits", "10"),
        "its 'logits' has the shape [positions, 9], its metadata says [positions, 10]",
    );
    check(
        &|net| net.outputs[1].1 = 2,
        "its 'value' has the shape [positions, 2], its metadata says [positions] or [positions, 1]",
    );
    check(&|net| net.outputs.truncate(1), "it has no output 'value'");
    check(&|net| net.nodes[3].inputs[0] = "t9".to_owned(), "Gemm uses 't9', which nothing computes");
    check(&|net| net.constants[0].dimensions = vec![18, 4], "a layer has weights for 4 inputs and 18 inputs");
    check(
        &|net| net.constants[0].floats[0] = f32::NAN,
        "the tensor 'c0' has elements that are infinite or not a number",
    );
    check(
        &|net| {
            net.constants[0].floats.pop();
        },
        "the tensor 'c0' has 71 elements, its shape says 72",
    );
    // A ReLU makes 0 of what is not a number.
    let infinite = "the weights of a layer are infinite or not a number once its factors are applied";
    check(&|net| net.nodes[1].floats.push(("alpha", f32::NAN)), infinite);
    check(&|net| net.nodes[1].floats.push(("beta", f32::INFINITY)), infinite);
    let normal = |net: &mut Net, factor: f32, variance: f32| {
        let lists = [[factor; 2], [0.0; 2], [0.0; 2], [variance; 2]];
        let lists = lists.map(|list| net.constant(&[2], list.to_vec()));
        let [a, b, c, d] = &lists;
        let normal = net.node("BatchNormalization", &["planes", a, b, c, d]);
        let node = net.nodes.pop().unwrap();
        net.nodes.insert(0, node);
        net.nodes[1].inputs[0] = normal;
    };
    let not_above = "a BatchNormalization has a variance that is not above 0";
    check(&|net| normal(net, 1.0, -1.0), not_above);
    check(
        &|net| {
            normal(net, 1.0, 1.0);
            net.nodes[0].floats.push(("epsilon", f32::NAN));
        },
        not_above,
    );
    check(
        &|net| {
            normal(net, f32::MAX, 0.0);
            net.nodes[0].floats.push(("epsilon", 1e-30));
        },
        infinite,
    );
    #[cfg(not(feature = "onnx-any"))]
    check(
        &|net| net.nodes[2].operator = "Selu",
        "it has the operator Selu, which this build does not support; a build with the feature 'onnx-any' may compute it",
    );
    #[cfg(not(feature = "onnx-any"))]
    check(
        &|net| net.nodes[2].operator = "",
        "it has an operator without a name, which this build does not support; a build with the feature 'onnx-any' may compute it",
    );
    let error = Network::from_bytes(&[0x08, 0x07], "test.onnx").unwrap_err().to_string();
    assert!(error.ends_with("it is not an ONNX file: it has no graph"), "{error}");
    let error = Network::from_bytes(&[], "test.onnx").unwrap_err().to_string();
    assert_eq!(error, "the network 'test.onnx' cannot be used: it is empty");
    let error = Network::read("no/such/file.onnx".as_ref()).unwrap_err().to_string();
    assert_eq!(error, "the network 'no/such/file.onnx' cannot be read: it does not exist");
}

#[cfg(unix)]
#[test]
fn pipes_and_folders_are_refused() {
    let folder = std::env::temp_dir().join(format!("tesuji-net-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let pipe = folder.join("pipe.onnx");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let link = folder.join("link.onnx");
    std::os::unix::fs::symlink(&pipe, &link).unwrap();
    for (path, what) in [(&pipe, "pipe or a device"), (&link, "pipe or a device"), (&folder, "folder")] {
        let error = Network::read(path).unwrap_err().to_string();
        assert!(error.ends_with(&format!(" cannot be read: it is a {what}, not a file")), "{error}");
    }
    std::fs::write(folder.join("file.onnx"), small().file()).unwrap();
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(folder.join("file.onnx"), &link).unwrap();
    assert!(Network::read(&link).is_ok());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn files_have_digests_and_names() {
    let mut net = small();
    let file = net.file();
    let network = Network::from_bytes(&file, "a").unwrap();
    // 18 × 4, 4 × 9 and 4 × 1 weights, and 14 biases.
    assert_eq!(network.n_parameters(), 72 + 36 + 4 + 14);
    assert_eq!(network.game(), "go:9");
    assert_eq!(network.training(), None);
    assert_eq!(network.form().encoding, "go/1");
    assert_eq!(network.digest().len(), 32);
    assert_eq!(network.digest(), Network::from_bytes(&file, "b").unwrap().digest());
    net.metadata.push(("tesuji.training".to_owned(), "10 games".to_owned()));
    let other = Network::from_bytes(&net.file(), "a").unwrap();
    assert_eq!(other.training(), Some("10 games"));
    assert_ne!(other.digest(), network.digest());
}
