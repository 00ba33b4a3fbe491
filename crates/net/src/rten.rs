//! Networks that the kernel does not support, computed by rten.
//!
//! Positions are evaluated one by one on one thread, so that the answer for a position does not depend on
//! its batch.

use crate::{Evaluations, NetError};
use rten::{Model, NodeId, RunOptions, ThreadPool, ValueOrView};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tesuji_core::NetworkForm;

/// A network that rten computes.
pub(crate) struct Rten {
    model: Model,
    input: NodeId,
    outputs: Vec<NodeId>,
    pool: Arc<ThreadPool>,
}

impl Rten {
    /// The network in the bytes of a file. One evaluation shows that it works.
    pub(crate) fn new(bytes: &[u8], form: &NetworkForm, has_move_values: bool) -> Result<Rten, NetError> {
        let load = catch_unwind(|| Model::load(bytes.to_vec()));
        let model = load.map_err(|_| panicked())?.map_err(|error| problem(&error.to_string()))?;
        let node = |name: &str| model.node_id(name).map_err(|error| problem(&error.to_string()));
        let mut outputs = vec![node("logits")?, node("value")?];
        if has_move_values {
            outputs.push(node("move_values")?);
        }
        let input = node("planes")?;
        let rten = Rten { model, input, outputs, pool: Arc::new(ThreadPool::with_num_threads(1)) };
        rten.evaluate(form, &vec![0.0; form.size()], &mut Evaluations::default())?;
        Ok(rten)
    }

    /// Whether it predicts the values of moves.
    pub(crate) fn has_move_values(&self) -> bool {
        self.outputs.len() == 3
    }

    /// Values positions, whose number fits `planes`.
    pub(crate) fn evaluate(
        &self,
        form: &NetworkForm,
        planes: &[f32],
        evaluations: &mut Evaluations,
    ) -> Result<(), NetError> {
        let Evaluations { logits, values, move_values, .. } = evaluations;
        logits.clear();
        values.clear();
        move_values.clear();
        for planes in planes.chunks_exact(form.size()) {
            let work = || self.evaluate_one(form, planes);
            let answers = catch_unwind(AssertUnwindSafe(work)).map_err(|_| panicked())??;
            let lists =
                [(&mut *logits, form.n_logits), (&mut *values, 1), (&mut *move_values, form.n_logits)];
            for (answer, (list, n)) in answers.iter().zip(lists) {
                if answer.len() != n {
                    return Err(NetError(format!("it answers {} numbers, not {n}", answer.len())));
                }
                list.extend_from_slice(answer);
            }
        }
        Ok(())
    }

    fn evaluate_one(&self, form: &NetworkForm, planes: &[f32]) -> Result<Vec<Vec<f32>>, NetError> {
        let shape = vec![1, form.planes, form.height, form.width];
        let input =
            rten::Value::from_shape(&shape, planes.to_vec()).map_err(|error| problem(&error.to_string()))?;
        let options = RunOptions::default().with_thread_pool(Some(self.pool.clone()));
        let answers = self
            .model
            .run(vec![(self.input, ValueOrView::from(input))], &self.outputs, Some(options))
            .map_err(|error| problem(&error.to_string()))?;
        let floats = |answer: rten::Value| match answer {
            rten::Value::FloatTensor(tensor) => Ok(tensor.into_data()),
            _ => Err(NetError("an answer is not of the type float".to_owned())),
        };
        answers.into_iter().map(floats).collect()
    }
}

/// What rten says, in one line.
fn problem(text: &str) -> NetError {
    NetError(format!("rten says: {}", tesuji_core::shortened(&text.replace('\n', " "))))
}

fn panicked() -> NetError {
    NetError("rten panicked".to_owned())
}
