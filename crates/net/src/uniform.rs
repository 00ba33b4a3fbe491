//! An evaluator that knows nothing.

use crate::{Evaluations, Evaluator, NetError};
use tesuji_core::NetworkForm;

/// Values every position at ½ and prefers no move. Tests use it.
#[derive(Clone, Debug)]
pub struct Uniform {
    form: NetworkForm,
}

impl Uniform {
    /// An evaluator for positions of a form.
    pub fn new(form: NetworkForm) -> Uniform {
        Uniform { form }
    }
}

impl Evaluator for Uniform {
    fn form(&self) -> &NetworkForm {
        &self.form
    }

    fn evaluate(&self, planes: &[f32], evaluations: &mut Evaluations) -> Result<(), NetError> {
        let size = self.form.size().max(1);
        if !planes.len().is_multiple_of(size) {
            return Err(NetError(format!("{} numbers are not positions of {size} each", planes.len())));
        }
        let n = planes.len() / size;
        evaluations.logits.clear();
        evaluations.logits.resize(n * self.form.n_logits, 0.0);
        evaluations.values.clear();
        evaluations.values.resize(n, 0.5);
        evaluations.move_values.clear();
        Ok(())
    }
}
