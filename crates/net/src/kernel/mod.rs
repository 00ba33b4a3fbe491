//! A kernel for the small networks that games need.
//!
//! It computes convolutions that keep the size of the board, fully connected layers and what usually
//! stands between them; any other operator is refused by name. Boards are stored cell by cell, each with
//! all its channels, inside a border of zeros, so that a convolution needs no special case at the edge.
//!
//! The answer for a position has the same bits in every batch, on every thread and with every instruction
//! set: see [`affine`].

mod affine;
mod fused;
mod graph;
mod layer;
mod memory;
mod plan;
mod steps;

use crate::onnx::Model;
use crate::{Evaluations, NetError};
pub(crate) use affine::Instructions;
pub(crate) use graph::Refusal;
use plan::Plan;
use tesuji_core::NetworkForm;

/// How many products take as long as to read or write a float between layers.
const PRODUCTS_OF_A_FLOAT: usize = 16;

/// A network as a list of steps.
#[derive(Debug)]
pub(crate) struct Kernel {
    plan: Plan,
    instructions: Instructions,
    /// The time of an evaluation, at most: as many products take as long.
    cost: usize,
}

impl Kernel {
    /// The kernel of a file for positions of a form.
    pub(crate) fn new(model: &Model<'_>, form: &NetworkForm) -> Result<Kernel, Refusal> {
        let graph = graph::Graph::new(model, form)?;
        let n_products = graph.n_weights.saturating_mul(form.height * form.width);
        let cost = n_products.saturating_add(graph.n_touched.saturating_mul(PRODUCTS_OF_A_FLOAT));
        Ok(Kernel { plan: Plan::new(graph, form)?, instructions: Instructions::best(), cost })
    }

    /// The time of an evaluation, at most: as many products take as long.
    pub(crate) fn cost(&self) -> usize {
        self.cost
    }

    /// Computes with other instructions than the best.
    pub(crate) fn set_instructions(&mut self, instructions: Instructions) {
        self.instructions = instructions;
    }

    /// The instructions that it computes with.
    pub(crate) fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// Whether it predicts the values of moves.
    pub(crate) fn has_move_values(&self) -> bool {
        self.plan.move_values.is_some()
    }

    /// Values positions, whose number fits `planes`.
    pub(crate) fn evaluate(
        &self,
        form: &NetworkForm,
        planes: &[f32],
        evaluations: &mut Evaluations,
    ) -> Result<(), NetError> {
        let Evaluations { logits, values, move_values, scratch } = evaluations;
        logits.clear();
        values.clear();
        move_values.clear();
        let mut cleared = 0;
        for planes in planes.chunks(form.size() * self.plan.group) {
            let n = planes.len() / form.size();
            let scratch = memory::aligned(scratch, self.plan.size * n);
            if n != cleared {
                self.plan.clear_borders(n, scratch);
                cleared = n;
            }
            self.plan.run(self.instructions, n, planes, scratch);
            self.plan.logits.append(n, form.n_logits, scratch, logits);
            self.plan.value.append(n, 1, scratch, values);
            if let Some(place) = &self.plan.move_values {
                place.append(n, form.n_logits, scratch, move_values);
            }
        }
        Ok(())
    }
}
