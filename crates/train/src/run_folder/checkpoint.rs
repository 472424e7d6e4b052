//! Checkpoints: all that a run needs to continue, in a file with a checksum.

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use turncoat_util::{Format, digest};

use super::{CHECKPOINT, FolderError, RunFolder};

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    what: String,
    format: u32,
    /// The version of Turncoat that wrote it; the earliest did not say.
    #[serde(default)]
    program: Option<String>,
    digest: String,
}

/// Replaces the checkpoint of a folder. `what` names the kind of run, `format` its version.
pub(crate) fn write_checkpoint(
    folder: &RunFolder,
    what: &str,
    format: u32,
    state: &impl Serialize,
) -> Result<(), FolderError> {
    let fault = |error: serde_json::Error| FolderError::io(folder.file(CHECKPOINT))(error.into());
    let body = serde_json::to_string(state).map_err(fault)?;
    let program = Some(env!("CARGO_PKG_VERSION").to_owned());
    let head = Head { what: what.to_owned(), format, program, digest: digest(&body) };
    let head = serde_json::to_string(&head).map_err(fault)?;
    folder.replace(CHECKPOINT, format!("{head}\n{body}\n"))
}

/// The checkpoint of a folder, which must be of this kind and format.
pub(crate) fn read_checkpoint<S: DeserializeOwned>(folder: &Path, what: &str, format: u32) -> Result<S, FolderError> {
    let path = folder.join(CHECKPOINT);
    let bytes = fs::read(&path).map_err(FolderError::io(&path))?;
    let damaged = |fault: &dyn std::fmt::Display| FolderError::damaged(&path, fault);
    let text = String::from_utf8(bytes).map_err(|_| damaged(&"it is not text"))?;
    let (head, body) = text.split_once('\n').unwrap_or((&text, ""));
    let head: Head = serde_json::from_str(head).map_err(|error| damaged(&format!("its first line: {error}")))?;
    if head.what != what {
        return Err(damaged(&format!("it is a {:?}", head.what)));
    }
    let known = Format { what: "the checkpoint", version: format, earlier: &[] };
    known
        .check(i64::from(head.format), head.program.as_deref())
        .map_err(|other| FolderError::OtherFormat { path: path.clone(), other })?;
    let body = body.strip_suffix('\n').unwrap_or(body);
    if digest(body) != head.digest {
        return Err(damaged(&"its checksum does not fit"));
    }
    serde_json::from_str(body).map_err(|error| damaged(&error))
}
