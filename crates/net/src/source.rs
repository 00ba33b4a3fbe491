//! Which network a player uses: one that ships with the program, a file, or one that a program
//! hands over.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tesuji_core::{NetworkForm, shortened};

use crate::{Evaluator, NetError, Network, Remembering, shipped};

/// A network by its name. It becomes an [`Evaluator`] for the form of a game with
/// [`for_form`](NetworkSource::for_form).
#[derive(Clone)]
pub enum NetworkSource {
    /// The network of this release that ships with the program, whichever the game has.
    Shipped {
        /// The release: raised whenever one of the networks changes, because games with another
        /// network are other games.
        release: u32,
    },
    /// A file.
    File(NetworkFile),
    /// An evaluator that a program hands over.
    Given {
        /// Its name in texts.
        name: String,
        /// What values positions.
        evaluator: Arc<dyn Evaluator>,
    },
}

/// A network and the file it was read from.
#[derive(Clone)]
pub struct NetworkFile {
    path: String,
    digest: String,
    /// A sentence if the file is gone or has changed. Texts of stored games can still be read then.
    network: Result<Arc<Remembering>, String>,
}

impl NetworkFile {
    /// The path as it was given.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The digest of the file's contents.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

impl NetworkSource {
    /// The networks that ship with this program.
    pub const SHIPPED: NetworkSource = NetworkSource::Shipped { release: shipped::RELEASE };

    /// Reads a file. If a digest is given, a file that cannot be read or has another digest is no
    /// error: the source has no network then, and says so when somebody wants to play.
    pub fn file(path: &str, digest: Option<&str>) -> Result<NetworkSource, NetError> {
        let read = Network::read(Path::new(path));
        let (digest, network) = match (read, digest) {
            (Ok(network), None) => (network.digest().to_owned(), Ok(shared(network))),
            (Ok(network), Some(digest)) if network.digest().starts_with(digest) => {
                (digest.to_owned(), Ok(shared(network)))
            }
            (Ok(network), Some(digest)) => {
                let found: String = network.digest().chars().take(8).collect();
                (digest.to_owned(), Err(format!("the file of this name has the digest {found}")))
            }
            (Err(error), Some(digest)) => (digest.to_owned(), Err(error.to_string())),
            (Err(error), None) => return Err(error),
        };
        let digest = digest.chars().take(8).collect();
        Ok(NetworkSource::File(NetworkFile { path: path.to_owned(), digest, network }))
    }

    /// Makes the network forget the [answers](Remembering) that it remembers, for all who use it, so that
    /// the speed of searches can be measured.
    pub fn forget_answers(&self) {
        match self {
            NetworkSource::Shipped { .. } => shipped::forget_answers(),
            NetworkSource::File(NetworkFile { network, .. }) => {
                network.iter().for_each(|network| network.forget());
            }
            NetworkSource::Given { .. } => {}
        }
    }

    /// Returns the evaluator for positions of this form, or a sentence if the network is for others.
    pub fn for_form(&self, form: &NetworkForm) -> Result<Arc<dyn Evaluator>, NetError> {
        let (name, evaluator): (String, Arc<dyn Evaluator>) = match self {
            NetworkSource::Shipped { release } if *release != shipped::RELEASE => {
                let now = shipped::RELEASE;
                let sentence =
                    format!("net({release}) is not here: this program ships the networks net({now})");
                return Err(NetError(sentence));
            }
            NetworkSource::Shipped { .. } => match shipped::network(form) {
                Some(network) => return network,
                None => {
                    let games = shipped::games();
                    let sentence = format!(
                        "no network ships for this game and size, only for {games} and the phantom games on these boards; write net(\"FILE.onnx\") for one of yours"
                    );
                    return Err(NetError(sentence));
                }
            },
            NetworkSource::File(NetworkFile { path, digest, network }) => match network {
                Ok(network) => (path.clone(), Arc::clone(network) as Arc<dyn Evaluator>),
                Err(problem) => {
                    let sentence =
                        format!("the network {path} with digest {digest} does not exist any more: {problem}");
                    return Err(NetError(sentence));
                }
            },
            NetworkSource::Given { name, evaluator } => (name.clone(), Arc::clone(evaluator)),
        };
        match evaluator.form() == form {
            true => Ok(evaluator),
            false => Err(NetError(mismatch(&name, evaluator.form(), form))),
        }
    }
}

/// The networks of files that are in use, by their digests.
static IN_USE: Mutex<BTreeMap<String, Weak<Remembering>>> = Mutex::new(BTreeMap::new());

/// A network of a file, with the answers that it has given to all who use the same one.
fn shared(network: Network) -> Arc<Remembering> {
    let mut in_use = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    in_use.retain(|_, network| network.strong_count() > 0);
    let known = in_use.get(network.digest()).and_then(Weak::upgrade);
    known.unwrap_or_else(|| {
        let digest = network.digest().to_owned();
        let network = Arc::new(Remembering::new(Arc::new(network)));
        in_use.insert(digest, Arc::downgrade(&network));
        network
    })
}

/// What is different, in a sentence.
fn mismatch(name: &str, has: &NetworkForm, wanted: &NetworkForm) -> String {
    let name = shortened(name);
    let board = |form: &NetworkForm| {
        format!("{} on {}x{} boards", shortened(&form.encoding), form.width, form.height)
    };
    let (theirs, ours) = (board(has), board(wanted));
    match theirs == ours {
        false => format!("{name} is a network for {theirs}, not for {ours}"),
        true => format!(
            "{name} has {} planes and {} logits, but {ours} has {} and {}",
            has.planes, has.n_logits, wanted.planes, wanted.n_logits
        ),
    }
}

/// Two sources are equal if they have the same text; evaluators that were handed over, if they are
/// the same one.
impl PartialEq for NetworkSource {
    fn eq(&self, other: &NetworkSource) -> bool {
        use NetworkSource::{File, Given, Shipped};
        match (self, other) {
            (Shipped { release }, Shipped { release: theirs }) => release == theirs,
            (File(ours), File(theirs)) => (&ours.path, &ours.digest) == (&theirs.path, &theirs.digest),
            (Given { evaluator, .. }, Given { evaluator: theirs, .. }) => Arc::ptr_eq(evaluator, theirs),
            _ => false,
        }
    }
}

impl fmt::Debug for NetworkSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text in the brackets of `net(…)`: a release, a file with its digest, or a name.
impl fmt::Display for NetworkSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkSource::Shipped { release } => write!(f, "{release}"),
            NetworkSource::File(NetworkFile { path, digest, .. }) => write!(f, "\"{path}\",{digest}"),
            NetworkSource::Given { name, .. } => write!(f, "\"{name}\""),
        }
    }
}
