//! Networks that the kernel does not support run all the same in builds with the feature `onnx-any`.

#![cfg(feature = "onnx-any")]

mod common;

use common::{Net, reference};
use tesuji_core::Seed;
use tesuji_net::{Evaluations, Evaluator, Network};

#[test]
fn rten_answers_as_the_kernel_does() {
    let mut rng = Seed::new(1).rng();
    let nets = [
        Net::mixed(&mut rng),
        Net::residual(&mut rng, (10, 9, 9), 2, 32),
        Net::dense(&mut rng, (2, 9, 9), 2, 64, 82),
    ];
    for net in nets {
        let file = net.file();
        let kernel = Network::from_bytes(&file, "test").unwrap();
        let rten = Network::from_bytes_for_rten(&file, "test").unwrap();
        assert_eq!((kernel.backend(), rten.backend()), ("kernel", "rten"));
        let size = kernel.form().size();
        let planes: Vec<f32> = (0..9 * size).map(|_| rng.unit() as f32).collect();
        let (mut a, mut b) = (Evaluations::default(), Evaluations::default());
        kernel.evaluate(&planes, &mut a).unwrap();
        rten.evaluate(&planes, &mut b).unwrap();
        for (a, b) in [(&a.logits, &b.logits), (&a.values, &b.values), (&a.move_values, &b.move_values)] {
            assert_eq!(a.len(), b.len());
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4 * a.abs().max(1.0)));
        }
        // The answer for a position does not depend on its batch.
        let mut one = Evaluations::default();
        for (i, planes) in planes.chunks(size).enumerate() {
            rten.evaluate(planes, &mut one).unwrap();
            assert_eq!(one.values[0].to_bits(), b.values[i].to_bits());
        }
    }
}

#[test]
fn other_operators_fall_to_rten() {
    let mut rng = Seed::new(2).rng();
    let mut net = Net::dense(&mut rng, (2, 3, 3), 1, 4, 9);
    let relu = net.nodes.iter().position(|node| node.operator == "Relu").unwrap();
    let expected = reference::outputs(&net, &[1.0; 18]);
    // max(x, 0) in other words.
    net.nodes[relu].operator = "Max";
    let zero = net.constant(&[1], vec![0.0]);
    net.nodes[relu].inputs.push(zero);
    let network = Network::from_bytes(&net.file(), "test").unwrap();
    assert_eq!(network.backend(), "rten");
    let mut found = Evaluations::default();
    network.evaluate(&[1.0; 18], &mut found).unwrap();
    assert!((f64::from(found.values[0]) - expected["value"][0]).abs() < 1e-5);
    // rten does not know every operator either.
    net.nodes[relu].operator = "Riddle";
    let error = Network::from_bytes(&net.file(), "test").unwrap_err().to_string();
    assert!(error.starts_with("the network 'test' cannot be used: it has the operator Riddle"), "{error}");
    assert!(!error.contains('\n'), "{error}");
}
