//! The kernel computes what the file says, and always the same bits.

mod common;

use common::{Net, reference};
use tesuji_core::{Rng, Seed};
use tesuji_net::{Evaluations, Evaluator, Network};

fn nets() -> Vec<(String, Net)> {
    let mut rng = Seed::new(1).rng();
    let mut nets = vec![("mixed".to_owned(), Net::mixed(&mut rng))];
    for (form, blocks, channels) in [
        ((10, 9, 9), 2, 32),
        ((3, 5, 5), 1, 7),
        ((4, 8, 8), 1, 48),
        ((2, 3, 13), 1, 64),
        ((2, 19, 19), 1, 17),
        ((5, 1, 1), 1, 16),
        ((1, 2, 30), 1, 100),
    ] {
        let net = Net::residual(&mut rng, form, blocks, channels);
        nets.push((format!("{form:?}, {blocks} blocks of {channels}"), net));
    }
    for (form, layers, width, n_logits) in
        [((2, 9, 9), 4, 128, 82), ((1, 1, 1), 1, 1, 1), ((3, 3, 3), 2, 50, 9), ((2, 4, 5), 3, 300, 200)]
    {
        let net = Net::dense(&mut rng, form, layers, width, n_logits);
        nets.push((format!("{form:?}, {layers} layers of {width}"), net));
    }
    nets
}

fn positions(rng: &mut Rng, n: usize) -> Vec<f32> {
    (0..n).map(|_| if rng.chance(0.6) { 0.0 } else { (rng.unit() * 2.0 - 0.5) as f32 }).collect()
}

fn bits(evaluations: &Evaluations) -> Vec<u32> {
    let lists = [&evaluations.logits, &evaluations.values, &evaluations.move_values];
    lists.into_iter().flatten().map(|value| value.to_bits()).collect()
}

#[test]
fn answers_are_those_of_the_reference() {
    let mut rng = Seed::new(2).rng();
    for (name, net) in nets() {
        let network = Network::from_bytes(&net.file(), &name).unwrap();
        assert_eq!(network.backend(), "kernel");
        let size = network.form().size();
        let n = 3;
        let planes = positions(&mut rng, n * size);
        let mut found = Evaluations::default();
        network.evaluate(&planes, &mut found).unwrap();
        assert_eq!(found.values.len(), n);
        assert_eq!(network.has_move_values(), !found.move_values.is_empty());
        for (i, planes) in planes.chunks(size).enumerate() {
            let expected = reference::outputs(&net, planes);
            for (key, list) in
                [("logits", &found.logits), ("value", &found.values), ("move_values", &found.move_values)]
            {
                let Some(expected) = expected.get(key) else { continue };
                let found = &list[i * expected.len()..][..expected.len()];
                for (&found, expected) in found.iter().zip(expected) {
                    let difference = (f64::from(found) - expected).abs();
                    assert!(difference < 1e-5 * expected.abs().max(1.0), "{name}: {key} {found} {expected}");
                }
            }
        }
    }
}

#[test]
fn bits_depend_neither_on_batches_nor_on_instructions() {
    let mut rng = Seed::new(3).rng();
    for (name, net) in nets() {
        let file = net.file();
        let network = Network::from_bytes(&file, &name).unwrap();
        let size = network.form().size();
        let planes = positions(&mut rng, 70 * size);
        let mut all = Evaluations::default();
        network.evaluate(&planes, &mut all).unwrap();
        // Memory that another network has used.
        let mut part = Evaluations { scratch: vec![f32::NAN; 100_000], ..Evaluations::default() };
        for batch in [1, 2, 3, 5, 8, 13, 14, 32] {
            let mut joined = Evaluations::default();
            for planes in planes.chunks(batch * size) {
                network.evaluate(planes, &mut part).unwrap();
                joined.logits.extend_from_slice(&part.logits);
                joined.values.extend_from_slice(&part.values);
                joined.move_values.extend_from_slice(&part.move_values);
            }
            assert_eq!(bits(&joined), bits(&all), "{name}: batches of {batch}");
        }
        for instructions in Network::all_instructions() {
            let other = Network::from_bytes(&file, &name).unwrap().with_instructions(instructions);
            assert_eq!(other.instructions(), instructions);
            let planes = &planes[..20 * size];
            let mut evaluations = Evaluations::default();
            network.evaluate(planes, &mut part).unwrap();
            other.evaluate(planes, &mut evaluations).unwrap();
            assert_eq!(bits(&evaluations), bits(&part), "{name}: {instructions}");
        }
    }
}

#[test]
fn threads_have_equal_answers() {
    let mut rng = Seed::new(4).rng();
    let net = Net::residual(&mut rng, (10, 9, 9), 2, 32);
    let network = Network::from_bytes(&net.file(), "test").unwrap();
    let planes = positions(&mut rng, 16 * network.form().size());
    let mut expected = Evaluations::default();
    network.evaluate(&planes, &mut expected).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut found = Evaluations::default();
                for _ in 0..10 {
                    network.evaluate(&planes, &mut found).unwrap();
                    assert_eq!(bits(&found), bits(&expected));
                }
            });
        }
    });
}

#[test]
fn no_positions_have_no_answers() {
    let net = Net::dense(&mut Seed::new(5).rng(), (2, 3, 3), 1, 16, 9);
    let network = Network::from_bytes(&net.file(), "test").unwrap();
    let mut found = Evaluations { values: vec![1.0], ..Evaluations::default() };
    network.evaluate(&[], &mut found).unwrap();
    assert!(found.values.is_empty());
    let error = network.evaluate(&[0.0; 19], &mut found).unwrap_err();
    assert_eq!(error.to_string(), "the network 'test' failed: 19 numbers are not positions of 18 each");
}

#[test]
fn answers_that_are_no_numbers_are_errors() {
    let read = |net: &Net| Network::from_bytes(&net.file(), "test");
    let mut net = Net::dense(&mut Seed::new(6).rng(), (2, 3, 3), 0, 16, 9);
    let network = read(&net).unwrap();
    let error = network.evaluate(&[f32::INFINITY; 18], &mut Evaluations::default()).unwrap_err();
    assert_eq!(error.to_string(), "the network 'test' failed: a logit is infinite or not a number");
    // A few positions are tried when the file is read.
    net.constants[0].floats.fill(f32::MAX);
    let error = read(&net).unwrap_err().to_string();
    let refused =
        "the network 'test' cannot be used: for a made-up position, a logit is infinite or not a number";
    assert_eq!(error, refused);
    let mut net = Net::dense(&mut Seed::new(6).rng(), (2, 3, 3), 0, 16, 9);
    net.nodes.last_mut().unwrap().operator = "Tanh";
    let error = read(&net).unwrap_err().to_string();
    assert!(error.starts_with("the network 'test' cannot be used: for "), "{error}");
    assert!(error.contains(" is not a reward from 0 to 1; a head that ends in tanh has"), "{error}");
    // A value that is out of range only for positions that no game has.
    net.nodes.last_mut().unwrap().operator = "Relu";
    net.constants.last_mut().unwrap().floats = vec![0.0];
    let weights = &mut net.constants[2].floats;
    assert_eq!(weights.len(), 18);
    weights.fill(0.01);
    let network = read(&net).unwrap();
    let error = network.evaluate(&[1e6; 18], &mut Evaluations::default()).unwrap_err().to_string();
    assert!(error.starts_with("the network 'test' failed: the value "), "{error}");
}
