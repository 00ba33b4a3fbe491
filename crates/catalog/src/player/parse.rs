//! Reading specs of players.

use std::str::FromStr;

use tesuji_bandit::{PolicySpec, policies};
use tesuji_core::shortened;
use tesuji_core::spec::{Arguments, Call, split_outside_brackets};
use tesuji_net::NetworkSource;
use tesuji_search::{Count, LeafConfig, Options, PlayerConfig, PriorPolicy, Root, SearchConfig, TreeConfig};

use super::PlayerSpec;
use super::error::PlayerError;
use super::info::{Build, PartInfo, PartKind};
use super::table;
use super::until::without_percent;

impl FromStr for PlayerSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<PlayerSpec, PlayerError> {
        let lower = lowercase_outside_quotes(text);
        let (player, budget) = match outside_quotes(&lower, '@') {
            Some(at) => (&lower[..at], Some(lower[at + 1..].parse()?)),
            None => (lower.as_str(), None),
        };
        let config = config(player)?;
        let impossible = |reason| PlayerError::Impossible { text: shortened(player.trim()), reason };
        config.check().map_err(impossible)?;
        Ok(PlayerSpec { config, budget })
    }
}

/// Takes a player without its budget apart, and puts it together.
fn config(text: &str) -> Result<PlayerConfig, PlayerError> {
    let parts = pieces(text)?;
    if let Some(PartInfo { name, build: Build::Player(player), .. }) = table::find(name_of(parts[0])) {
        Call::parse(parts[0])?.resolve(&[])?;
        return if parts.len() == 1 { Ok(player.clone()) } else { Err(PlayerError::Alone { player: name }) };
    }
    let mut draft = Draft::default();
    draft.add_all(&parts)?;
    draft.finish()
}

/// The text in lower case, except what stands in double quotes: names of files keep theirs.
fn lowercase_outside_quotes(text: &str) -> String {
    let lower =
        |(index, piece): (usize, &str)| if index % 2 == 0 { piece.to_lowercase() } else { piece.to_owned() };
    let pieces: Vec<String> = text.split('"').enumerate().map(lower).collect();
    pieces.join("\"")
}

/// Where a sign stands first outside of double quotes.
fn outside_quotes(text: &str, sign: char) -> Option<usize> {
    let mut is_quoted = false;
    let is_it = |(_, character): &(usize, char)| {
        is_quoted ^= *character == '"';
        !is_quoted && *character == sign
    };
    text.char_indices().find(is_it).map(|(at, _)| at)
}

/// The parts of a player, at least one.
fn pieces(text: &str) -> Result<Vec<&str>, PlayerError> {
    let pieces = split_outside_brackets(text, '+');
    let pieces = pieces.ok_or_else(|| PlayerError::Brackets { text: shortened(text.trim()) })?;
    Ok(pieces.into_iter().map(str::trim).collect())
}

fn name_of(part: &str) -> &str {
    part.split('(').next().unwrap_or_default().trim()
}

/// A search of which some parts are known.
#[derive(Default)]
struct Draft {
    root: Option<PolicySpec>,
    tree: Option<TreeConfig>,
    leaf: Option<LeafConfig>,
    options: Options,
    /// The parts so far: what they are, and their names.
    places: Vec<(PartKind, &'static str)>,
}

impl Draft {
    fn add_all(&mut self, parts: &[&str]) -> Result<(), PlayerError> {
        for (index, part) in parts.iter().enumerate() {
            let name = name_of(part);
            let next = parts.get(index + 1).and_then(|next| table::find(name_of(next)));
            let precedes_tree = next.is_some_and(|next| next.kind() == PartKind::Tree);
            let policy = policies().iter().find(|policy| policy.name == name);
            match (policy, table::find(name)) {
                // Where a tree has the name of a policy, it is the policy that comes before a tree.
                (Some(policy), other) if other.is_none() || precedes_tree => {
                    self.set_root(policy.name, part.parse()?)?;
                }
                (_, Some(info)) => self.add(part, info)?,
                (_, None) => return Err(PlayerError::unknown(name)),
            }
        }
        Ok(())
    }

    fn add(&mut self, text: &str, info: &'static PartInfo) -> Result<(), PlayerError> {
        if matches!(info.build, Build::Net) {
            self.place(PartKind::Leaf, info.name)?;
            self.leaf = Some(network(text, info)?);
            return Ok(());
        }
        let inside = Inside::of(text, info)?;
        match info.build {
            Build::Player(_) => return Err(PlayerError::Alone { player: info.name }),
            Build::Tree(build) => self.set_tree(info, build(&inside.arguments))?,
            Build::Flat => {
                self.set_root(info.name, inside.policy(text, info)?.parse()?)?;
                self.set_tree(info, TreeConfig::Flat)?;
            }
            Build::Net => unreachable!("read above"),
            Build::Playout => {
                self.place(PartKind::Leaf, info.name)?;
                self.leaf = Some(LeafConfig::Playout);
            }
            Build::Prior => {
                self.place(PartKind::Leaf, info.name)?;
                self.leaf = Some(inside.prior(text, info)?);
            }
            Build::Option(build) => {
                self.place(PartKind::Option, info.name)?;
                build(&inside.arguments, &mut self.options);
            }
            Build::Alias(text) => self.add_all(&pieces(&text(&inside.arguments))?)?,
        }
        Ok(())
    }

    fn set_root(&mut self, name: &'static str, policy: PolicySpec) -> Result<(), PlayerError> {
        self.place(PartKind::Root, name)?;
        self.root = Some(policy);
        Ok(())
    }

    fn set_tree(&mut self, info: &'static PartInfo, tree: TreeConfig) -> Result<(), PlayerError> {
        self.place(PartKind::Tree, info.name)?;
        self.tree = Some(tree);
        Ok(())
    }

    /// Makes sure that such a part may come now.
    fn place(&mut self, kind: PartKind, name: &'static str) -> Result<(), PlayerError> {
        for &(other, before) in &self.places {
            if other > kind {
                return Err(PlayerError::Order { part: name, before });
            }
            if other == kind && kind != PartKind::Option {
                return Err(PlayerError::Two { plural: kind.plural(), first: before, second: name });
            }
            if other == kind && before == name {
                return Err(PlayerError::Twice { option: name });
            }
        }
        self.places.push((kind, name));
        Ok(())
    }

    fn finish(self) -> Result<PlayerConfig, PlayerError> {
        let Some(tree) = self.tree else {
            let lonely = self.places.first().and_then(|(_, name)| table::find(name));
            return Err(match (self.root, lonely) {
                (Some(root), _) => PlayerError::Treeless { root: shortened(&root.to_string()) },
                (None, Some(info)) => PlayerError::Unrooted { part: info.name, example: info.example },
                (None, None) => PlayerError::unknown(""),
            });
        };
        Ok(PlayerConfig::Search(Box::new(SearchConfig {
            root: self.root.map_or(Root::Tree, Root::Policy),
            tree,
            leaf: self.leaf.unwrap_or(LeafConfig::Playout),
            options: self.options,
        })))
    }
}

/// Reads `net`, `net(RELEASE)`, or `net("FILE",DIGEST)`, each with its options.
fn network(text: &str, info: &'static PartInfo) -> Result<LeafConfig, PlayerError> {
    const WRITTEN: &str = "net, net(RELEASE), net(\"FILE\") or net(\"FILE\",DIGEST), with a release from 1 and the first \
                           8 hexadecimal digits of the file's digest";
    let form = || PlayerError::Form { text: shortened(text), written: WRITTEN, example: info.example };
    let inner = match text.split_once('(') {
        Some((_, rest)) => rest.strip_suffix(')').ok_or_else(form)?.trim(),
        None => "",
    };
    let pieces = split_outside_brackets(inner, ',').ok_or_else(form)?.into_iter().map(str::trim);
    let (mut names, mut arguments) = (Vec::new(), Vec::new());
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        match piece.split_once('=') {
            Some((name, value)) if !piece.starts_with('"') => {
                arguments.push((name.trim().to_owned(), value.trim().to_owned()));
            }
            _ => names.push(piece),
        }
    }
    let call = Call { name: info.name.to_owned(), arguments };
    let mix = call.resolve(info.parameters)?.number("mix").unwrap_or(0.0);
    let is_digest = |word: &str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let source = match names[..] {
        [] => NetworkSource::SHIPPED,
        [name] if name.starts_with('"') => NetworkSource::file(file(name).ok_or_else(form)?, None)?,
        [name, digest] if is_digest(digest) => {
            NetworkSource::file(file(name).ok_or_else(form)?, Some(digest))?
        }
        [release] => match release.parse() {
            // The first release is 1.
            Ok(release) if release > 0 => NetworkSource::Shipped { release },
            _ => return Err(form()),
        },
        _ => return Err(form()),
    };
    Ok(LeafConfig::Net { source, mix })
}

/// The name of a file, which stands in double quotes; `None` if it is empty or something else.
fn file(text: &str) -> Option<&str> {
    let name = text.strip_prefix('"')?.strip_suffix('"')?;
    let is_name = !name.is_empty() && !name.contains('"') && !name.contains(char::is_control);
    is_name.then_some(name)
}

/// What stands in the brackets of a part.
struct Inside<'a> {
    /// What comes first, in a part that takes a policy.
    policy: Option<&'a str>,
    arguments: Arguments,
}

impl<'a> Inside<'a> {
    fn of(text: &'a str, info: &'static PartInfo) -> Result<Inside<'a>, PlayerError> {
        let takes_policy = matches!(info.build, Build::Flat | Build::Prior);
        if !takes_policy && !matches!(info.build, Build::Option(_)) {
            let arguments = Call::parse(text)?.resolve(info.parameters)?;
            return Ok(Inside { policy: None, arguments });
        }
        let form = || PlayerError::form(text, info);
        let inner = match text.split_once('(') {
            Some((_, rest)) => rest.strip_suffix(')').ok_or_else(form)?.trim(),
            None => "",
        };
        let mut pieces = split_outside_brackets(inner, ',').ok_or_else(form)?.into_iter();
        if inner.is_empty() {
            pieces.next();
        }
        let policy = if takes_policy { pieces.next() } else { None };
        // The options of these parts come without their names, in their order, or with them.
        let mut arguments = Vec::new();
        for (index, piece) in pieces.enumerate() {
            let unnamed = || info.parameters.get(index).map(|parameter| (parameter.name, piece));
            let (name, value) = piece.split_once('=').or_else(unnamed).ok_or_else(form)?;
            arguments.push((name.trim().to_owned(), without_percent(value.trim())));
        }
        let needed = info.parameters.iter().filter(|parameter| parameter.default.is_none());
        if arguments.len() < needed.count() {
            return Err(form());
        }
        let call = Call { name: info.name.to_owned(), arguments };
        Ok(Inside { policy, arguments: call.resolve(info.parameters)? })
    }

    fn policy(&self, text: &str, info: &PartInfo) -> Result<&'a str, PlayerError> {
        self.policy.map(str::trim).ok_or_else(|| PlayerError::form(text, info))
    }

    fn prior(&self, text: &str, info: &PartInfo) -> Result<LeafConfig, PlayerError> {
        let policy = match self.policy(text, info)? {
            "literal" => PriorPolicy::Literal,
            policy => PriorPolicy::Allocator(policy.parse()?),
        };
        let playouts = self.arguments.number("k").expect("the table allows numbers only") as u64;
        let count = match self.arguments.word("count") {
            Some("playouts") => Count::Playouts,
            _ => Count::Simulations,
        };
        Ok(LeafConfig::Prior { policy, playouts, count })
    }
}
