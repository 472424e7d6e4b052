//! `self-check`: whether this program does here what it does elsewhere, in a few seconds, for bug reports.

use std::fmt;
use std::time::Instant;

use anyhow::Result;
use serde::Serialize;
use sha2::{Digest, Sha256};
use turncoat_board::isa::Backend;
use turncoat_board::{Geometry, VariantKind};
use turncoat_host::sandbox;
use turncoat_players::book::shipped_book;
use turncoat_players::flagship::{trained_file, trained_weights};

use super::bench;
use crate::args::Common;
use crate::failure::told;
use crate::origin::Origin;
use crate::output;

/// The signature of `bench`, on every machine. A change of the search or of its weights changes the number.
const SIGNATURE: u64 = 2_320_917;

#[derive(Serialize)]
struct SelfCheck {
    version: &'static str,
    commit: Option<&'static str>,
    date: Option<&'static str>,
    system: String,
    instruction_set: &'static str,
    signature: Signature,
    weights: Vec<WeightFile>,
    books: Vec<BookFile>,
    sandbox: Sandbox,
    /// Whether search, weights and books are what they should be; no book has to be there. A machine without a sandbox has a program that is whole.
    ok: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct Signature {
    nodes: u64,
    expected: u64,
    ok: bool,
}

/// Trained weights in the program; the digest is that of their file in `weights/`.
#[derive(Serialize)]
struct WeightFile {
    game: String,
    size: u8,
    sha256: String,
    ok: bool,
}

/// An opening book that lies beside the program.
#[derive(Serialize)]
struct BookFile {
    game: String,
    size: u8,
    positions: usize,
    fault: Option<String>,
}

#[derive(Serialize)]
struct Sandbox {
    available: bool,
    why_not: Option<String>,
}

pub(super) fn run(origin: Origin, common: &Common) -> Result<()> {
    let checked = SelfCheck::new(origin)?;
    if common.json {
        output::json(&checked)?;
    } else {
        output::line(&checked)?;
    }
    if checked.ok { Ok(()) } else { Err(told()) }
}

impl SelfCheck {
    fn new(origin: Origin) -> Result<Self> {
        let started = Instant::now();
        let nodes = bench::signature()?;
        let signature = Signature { nodes, expected: SIGNATURE, ok: nodes == SIGNATURE };
        let games =
            || VariantKind::BOTH.into_iter().flat_map(|variant| Geometry::ALL.map(|geometry| (variant, geometry)));
        let weights: Vec<_> = games().filter_map(|(variant, geometry)| WeightFile::new(variant, geometry)).collect();
        let books: Vec<_> = games().filter_map(|(variant, geometry)| BookFile::new(variant, geometry)).collect();
        let why_not = sandbox::check().err().map(|error| error.to_string());
        Ok(Self {
            version: Origin::VERSION,
            commit: origin.commit,
            date: origin.date,
            system: Origin::system(),
            instruction_set: Backend::best().name(),
            ok: signature.ok && weights.iter().all(|file| file.ok) && books.iter().all(|book| book.fault.is_none()),
            signature,
            weights,
            books,
            sandbox: Sandbox { available: why_not.is_none(), why_not },
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}

impl WeightFile {
    /// Those of a game and size, if there are any.
    fn new(variant: VariantKind, geometry: Geometry) -> Option<Self> {
        let file = trained_file(variant, geometry)?;
        let sha256 = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect();
        let read = trained_weights(variant, geometry);
        let ok = read.is_some_and(|read| (read.variant, read.geometry) == (variant, geometry));
        Some(Self { game: variant.to_string(), size: geometry.side(), sha256, ok })
    }
}

impl BookFile {
    /// The one of a game and size, if there is one.
    fn new(variant: VariantKind, geometry: Geometry) -> Option<Self> {
        let (positions, fault) = match shipped_book(variant, geometry) {
            Ok(None) => return None,
            Ok(Some(book)) => (book.entries().len(), None),
            Err(fault) => (0, Some(fault)),
        };
        Some(Self { game: variant.to_string(), size: geometry.side(), positions, fault })
    }
}

/// The lines that a person reads.
impl fmt::Display for SelfCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = |ok: bool| if ok { "ok" } else { "WRONG" };
        let origin = Origin { commit: self.commit, date: self.date };
        writeln!(f, "turncoat         {origin}")?;
        let Signature { nodes, expected, ok } = self.signature;
        let instead = if ok { String::new() } else { format!(" instead of {expected}") };
        writeln!(f, "signature        {nodes} nodes{instead}: {}", verdict(ok))?;
        for WeightFile { game, size, sha256, ok } in &self.weights {
            writeln!(f, "weights          {game} {size}x{size}, sha256 {}…: {}", &sha256[..16], verdict(*ok))?;
        }
        for BookFile { game, size, positions, fault } in &self.books {
            let found =
                fault.as_ref().map_or_else(|| format!("{positions} positions: ok"), |fault| format!("WRONG: {fault}"));
            writeln!(f, "book             {game} {size}x{size}, {found}")?;
        }
        writeln!(f, "sandbox          {}", self.sandbox.why_not.as_deref().unwrap_or("ok"))?;
        let end = if self.ok { "everything is as it should be" } else { "this program is damaged" };
        write!(f, "{end} ({:.1} s)", self.seconds)
    }
}
