//! An option of a game, a policy or a part of a player, as the verbs show it.

use serde::Serialize;
use tesuji::core::spec::Parameter;

#[derive(Serialize)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) values: String,
    /// `None` if the option must be given.
    pub(super) default: Option<&'static str>,
    pub(super) meaning: &'static str,
}

impl Setting {
    /// One for each parameter, in their order.
    pub(super) fn all(parameters: &'static [Parameter]) -> Vec<Setting> {
        let setting = |parameter: &'static Parameter| Setting {
            name: parameter.name,
            values: parameter.values.to_string(),
            default: parameter.default,
            meaning: parameter.meaning,
        };
        parameters.iter().map(setting).collect()
    }
}
