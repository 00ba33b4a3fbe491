//! Stamps the program with the commit and the digest of its sources, for [`tesuji::BUILD`].

use std::path::Path;

// Cargo runs it in the root folder of the package.
fn main() -> std::io::Result<()> {
    print!("{}", tesuji_provenance::stamp(Path::new("."))?);
    Ok(())
}
