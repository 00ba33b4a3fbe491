//! Values along an axis, as experiment files write them.

use serde::Deserialize;

/// A value, or a value and what to call it.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum ValueFile {
    Whole(u64),
    Number(f64),
    Text(String),
    Labelled { label: String, value: String },
}

impl ValueFile {
    pub(crate) fn label(&self) -> String {
        match self {
            ValueFile::Labelled { label, .. } => label.clone(),
            other => other.value(),
        }
    }

    /// What a template puts in its place.
    pub(crate) fn value(&self) -> String {
        match self {
            ValueFile::Whole(number) => number.to_string(),
            ValueFile::Number(number) => number.to_string(),
            ValueFile::Text(text) => text.clone(),
            ValueFile::Labelled { value, .. } => value.clone(),
        }
    }
}

/// A text, or a list of texts.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub(crate) enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    /// The texts.
    pub(crate) fn all(&self) -> &[String] {
        match self {
            OneOrMore::One(text) => std::slice::from_ref(text),
            OneOrMore::More(texts) => texts,
        }
    }
}
