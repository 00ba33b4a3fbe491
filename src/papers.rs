//! The papers' tables and figures as experiments, and the numbers that they printed: the text
//! of the files in `experiments/`, for programs that do not have those beside them.
//!
//! ```
//! let (name, text) = tesuji::papers::experiment("experiments/shuss-table1.toml").unwrap();
//! assert_eq!(name, "shuss-table1");
//! assert!(text.contains("Hybrid-SHUSS"));
//! ```

/// The experiments: name, text.
pub const EXPERIMENTS: [(&str, &str); 9] = [
    ("shuss-table1", include_str!("../experiments/shuss-table1.toml")),
    ("voi-go", include_str!("../experiments/voi-go.toml")),
    ("sh-priors", include_str!("../experiments/sh-priors.toml")),
    ("sh-priors-equal", include_str!("../experiments/sh-priors-equal.toml")),
    ("phantom-table1", include_str!("../experiments/phantom-table1.toml")),
    ("shuss-figure2", include_str!("../experiments/shuss-figure2.toml")),
    ("shuss-cuts", include_str!("../experiments/shuss-cuts.toml")),
    ("shuss-scores", include_str!("../experiments/shuss-scores.toml")),
    ("voi-figure1", include_str!("../experiments/voi-figure1.toml")),
];

/// Our own experiments, which no paper has: name, text.
pub const OWN_EXPERIMENTS: [(&str, &str); 4] = [
    ("policies", include_str!("../experiments/policies.toml")),
    ("calibrated", include_str!("../experiments/calibrated.toml")),
    ("networks", include_str!("../experiments/networks.toml")),
    ("shuss-readings", include_str!("../experiments/shuss-readings.toml")),
];

/// The published numbers that they compare with: path from the experiments, text.
pub const PUBLISHED: [(&str, &str); 5] = [
    ("published/phantom_table1.csv", include_str!("../experiments/published/phantom_table1.csv")),
    ("published/voi_fig1.csv", include_str!("../experiments/published/voi_fig1.csv")),
    ("published/shuss_table1.csv", include_str!("../experiments/published/shuss_table1.csv")),
    ("published/voi_go_uct_win_rate.csv", include_str!("../experiments/published/voi_go_uct_win_rate.csv")),
    ("published/sh_prior_go9.csv", include_str!("../experiments/published/sh_prior_go9.csv")),
];

/// The experiment with this name, or whose file would have this path: its name and text.
pub fn experiment(name: &str) -> Option<(&'static str, &'static str)> {
    let stem = name.strip_prefix("experiments/").and_then(|file| file.strip_suffix(".toml")).unwrap_or(name);
    EXPERIMENTS.into_iter().chain(OWN_EXPERIMENTS).find(|(known, _)| *known == stem)
}
