//! Packs files of pattern weights as small as deflate can, before they are shipped: a minute for those of 8x8.
//!
//! `cargo run --release -p turncoat-eval --example pack_weights weights/patterns-*.weights`

use std::error::Error;
use std::{env, fs};

use turncoat_eval::patterns::repack;
use zopfli::{Format, Options};

fn main() -> Result<(), Box<dyn Error>> {
    for path in env::args().skip(1) {
        let file = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
        let packed = repack(&file, pack).map_err(|fault| format!("{path}: {fault}"))?;
        println!("{path}: {} bytes, {} before", packed.len(), file.len());
        if packed.len() < file.len() {
            let aside = format!("{path}.packed");
            fs::write(&aside, packed)?;
            fs::rename(aside, path)?;
        }
    }
    Ok(())
}

/// Each shape's part of a plane has bytes of another kind, so there are many more blocks than the usual fifteen.
fn pack(plain: &[u8]) -> Vec<u8> {
    let options = Options { maximum_block_splits: 200, ..Options::default() };
    let mut packed = Vec::new();
    zopfli::compress(options, Format::Deflate, plain, &mut packed).expect("memory can be written to");
    packed
}
