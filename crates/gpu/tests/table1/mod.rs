/// The games of Table 1 of SHUSS.
pub(crate) const GAMES: &[&str] = &[
    "atarigo:7",
    "atarigo:9",
    "ataxx:8(cap=2000)",
    "breakthrough:8",
    "domineering:8",
    "go:7",
    "go:9",
    "hex:11",
    "knightthrough:8",
    "noataxx:8(cap=2000)",
    "nobreakthrough:8",
    "nodomineering:8",
    "nogo:7",
    "nogo:9",
    "nohex:11",
    "noknightthrough:8",
];
