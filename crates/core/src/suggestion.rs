//! Which names somebody may have meant who wrote a word that is none of them.

/// The most names that are suggested.
const MOST: usize = 2;

/// Returns the names that are nearest to a word, at most two, the nearest first; none if all
/// are far from it. The distance is the number of letters that were left out, added, replaced
/// or swapped with their neighbour: at most a third of the letters may be wrong. The first
/// letters of a name are near too.
///
/// ```
/// use tesuji_core::nearest_names;
/// let games = ["breakthrough", "go", "hex", "nohex"];
/// assert_eq!(nearest_names("hexx", games), ["hex"]);
/// assert_eq!(nearest_names("og", games), ["go"]);
/// assert_eq!(nearest_names("break", games), ["breakthrough"]);
/// assert!(nearest_names("chess", games).is_empty());
/// ```
pub fn nearest_names<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let word: Vec<char> = word.trim().to_lowercase().chars().take(LONGEST).collect();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for name in names {
        let letters: Vec<char> = name.chars().collect();
        let distance = distance(&word, &letters);
        let is_near = distance <= (word.len().max(letters.len()) / 3).max(1) && distance < letters.len();
        let is_beginning = word.len() > 2 && letters.starts_with(&word);
        if (is_near || is_beginning) && near.iter().all(|(_, known)| *known != name) {
            near.push((distance, name));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    // A name that is much nearer than the others is the one.
    let least = near.first().map_or(0, |(distance, _)| *distance);
    near.into_iter().filter(|(distance, _)| *distance <= least + 1).take(MOST).map(|(_, name)| name).collect()
}

/// Returns the end of an error sentence on a word that is none of the names: the question
/// whether the nearest names were meant, or `otherwise` if all names are far from it.
///
/// ```
/// use tesuji_core::suggestion;
/// let suggested = |word| suggestion(word, ["uct", "rave"], || "there are uct and rave".to_owned());
/// assert_eq!(suggested("uctt"), "did you mean uct?");
/// assert_eq!(suggested("minimax"), "there are uct and rave");
/// ```
pub fn suggestion<'a>(
    word: &str,
    names: impl IntoIterator<Item = &'a str>,
    otherwise: impl FnOnce() -> String,
) -> String {
    match nearest_names(word, names)[..] {
        [] => otherwise(),
        ref near => format!("did you mean {}?", near.join(" or ")),
    }
}

/// No name is longer.
const LONGEST: usize = 40;

/// The optimal string alignment distance: the Damerau–Levenshtein distance in which no letter
/// is changed twice.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let least = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    let is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    if is_swapped { least.min(rows[i - 2][j - 2] + 1) } else { least }
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_single_letters() {
        let distance = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|text| text.chars().collect::<Vec<_>>());
            distance(&a, &b)
        };
        assert_eq!(distance("", "go"), 2);
        assert_eq!(distance("uct", "uct"), 0);
        assert_eq!(distance("gaems", "games"), 1);
        assert_eq!(distance("rvae", "rave"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn names_are_found_once_and_in_order() {
        assert_eq!(nearest_names("ucb", ["ucb1", "ucb", "ucb-e", "ucb"]), ["ucb", "ucb1"]);
        assert_eq!(nearest_names("shus", ["sh", "shuss", "shot"]), ["shuss"]);
        assert!(nearest_names("", ["sh"]).is_empty());
        assert!(nearest_names(&"x".repeat(100_000), ["sh"]).is_empty());
    }
}
