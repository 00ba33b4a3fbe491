//! Checkouts and packages made of a few files.

use std::fs;
use std::path::{Path, PathBuf};

use tesuji_provenance::{Sources, commit, stamp};

const ONE: &str = "0123456789abcdef0123456789abcdef01234567";
const OTHER: &str = "fedcba9876543210fedcba9876543210fedcba98";

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(root: &Path, name: &str, text: &str) {
    let file = root.join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn digest(root: &Path) -> String {
    Sources::of(root).unwrap().digest().unwrap().to_string()
}

/// A checkout with a file of every kind that counts.
fn checkout(name: &str) -> PathBuf {
    let root = folder(name);
    for file in [
        "Cargo.lock",
        "src/main.rs",
        "experiments/published/a.csv",
        "crates/core/src/a/b.rs",
        "crates/web/dist/x.js",
    ] {
        write(&root, file, file);
    }
    root
}

#[test]
fn the_digest_is_the_same_on_every_machine() {
    assert_eq!(digest(&checkout("same")), "17fe2bb39047e380c414319cd03f8cf1");
}

#[test]
fn every_source_counts_and_nothing_else() {
    let root = checkout("counts");
    let before = digest(&root);
    for name in [
        "README.md",
        "tests/a.rs",
        "crates/core/tests/a.rs",
        "src/.main.rs.swp",
        "target/x",
        "crates/web/page/a.js",
    ] {
        write(&root, name, "something");
        assert_eq!(digest(&root), before, "{name} does not count");
    }
    let mut seen = vec![before];
    let changes = [
        ("Cargo.lock", "edited"),
        ("src/main.rs", "edited"),
        ("src/new.rs", ""),
        ("experiments/published/a.csv", "edited"),
        ("crates/core/src/a/b.rs", "edited"),
        ("crates/games/src/ataxx.rs", "new"),
        ("crates/games/Cargo.toml", "new"),
        ("python/src/lib.rs", "new"),
    ];
    for (name, text) in changes {
        write(&root, name, text);
        let now = digest(&root);
        assert!(!seen.contains(&now), "{name} counts");
        seen.push(now);
    }
    fs::rename(root.join("src/main.rs"), root.join("src/other.rs")).unwrap();
    assert!(!seen.contains(&digest(&root)), "names count");
}

#[test]
fn the_commit_of_a_branch_of_its_list_and_of_no_branch() {
    let root = folder("branches");
    assert_eq!(commit(&root).short, "unknown");
    write(&root, ".git/HEAD", "ref: refs/heads/some/branch\n");
    assert_eq!(commit(&root).short, "unknown");
    write(
        &root,
        ".git/packed-refs",
        &format!("# pack-refs with: peeled\n{OTHER} refs/heads/main\n{ONE} refs/heads/some/branch\n"),
    );
    assert_eq!(commit(&root).short, "0123456789ab");
    write(&root, ".git/refs/heads/some/branch", &format!("{OTHER}\n"));
    assert_eq!(commit(&root).short, "fedcba987654");
    write(&root, ".git/HEAD", &format!("{ONE}\n"));
    assert_eq!(commit(&root).short, "0123456789ab");
}

#[test]
fn the_commit_of_a_worktree() {
    let root = folder("worktree");
    write(&root, "main/.git/refs/heads/side", &format!("{ONE}\n"));
    write(&root, "main/.git/HEAD", &format!("{OTHER}\n"));
    write(&root, "main/.git/worktrees/side/HEAD", "ref: refs/heads/side\n");
    write(&root, "main/.git/worktrees/side/commondir", "../..\n");
    write(&root, "side/.git", "gitdir: ../main/.git/worktrees/side\n");
    assert_eq!(commit(&root.join("side")).short, "0123456789ab");
}

#[test]
fn the_commit_of_a_package() {
    let root = folder("package");
    // A checkout around it is not its own.
    write(&root, ".git/HEAD", &format!("{OTHER}\n"));
    write(
        &root,
        "tesuji/.cargo_vcs_info.json",
        &format!("{{\n  \"git\": {{\n    \"sha1\": \"{ONE}\"\n  }}\n}}"),
    );
    assert_eq!(commit(&root.join("tesuji")).short, "0123456789ab");
}

#[test]
fn cargo_is_told_what_to_watch() {
    let root = checkout("watch");
    write(&root, ".git/HEAD", "ref: refs/heads/main\n");
    write(&root, ".git/refs/heads/main", &format!("{ONE}\n"));
    let lines = stamp(&root).unwrap();
    assert!(lines.contains("cargo::rustc-env=TESUJI_COMMIT=0123456789ab\n"), "{lines}");
    assert!(lines.contains(&format!("cargo::rustc-env=TESUJI_SOURCES={}\n", digest(&root))), "{lines}");
    for name in [
        "Cargo.lock",
        "src",
        "experiments",
        "crates/core/src",
        "crates/web/dist",
        ".git/HEAD",
        ".git/refs/heads/main",
    ] {
        let line = format!("cargo::rerun-if-changed={}\n", root.join(name).display());
        assert!(lines.contains(&line), "{name} is watched: {lines}");
    }
    assert!(
        lines
            .lines()
            .filter_map(|line| line.strip_prefix("cargo::rerun-if-changed="))
            .all(|path| Path::new(path).exists())
    );
}
