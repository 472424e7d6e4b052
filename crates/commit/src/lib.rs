//! The commit and the date that a program was built from.
//!
//! A build script would compile its whole package anew at every commit, with all its tests. A macro is expanded with the one
//! target that uses it, and only that one depends on git's log of commits.

mod origin;

use std::env;
use std::path::PathBuf;

use proc_macro::TokenStream;

use crate::origin::Origin;

/// The commit and its date, `(Option<&str>, Option<&str>)`, of the sources of the crate that is compiled.
///
/// `TURNCOAT_COMMIT` and `SOURCE_DATE_EPOCH` go first; then what cargo has noted in a published package; then git. A commit
/// that uncommitted changes came on top of is followed by `with changes`.
#[proc_macro]
pub fn commit(_: TokenStream) -> TokenStream {
    let folder = env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    let given = |name: &str| env::var(name).ok().filter(|text| !text.is_empty());
    let Origin { commit, date, log } = Origin::new(&folder, given("TURNCOAT_COMMIT"), given("SOURCE_DATE_EPOCH"));
    // Whoever names a file or a variable like this is compiled anew when it changes.
    let log = log.map(|path| format!("const _: &[u8] = ::core::include_bytes!({path:?});")).unwrap_or_default();
    let variables = ["TURNCOAT_COMMIT", "SOURCE_DATE_EPOCH"]
        .map(|name| format!("const _: ::core::option::Option<&str> = ::core::option_env!({name:?});"))
        .concat();
    let text = |value: Option<String>| {
        let value = value.map(|text| format!("Some({text:?})"));
        format!("::core::option::Option::<&'static str>::{}", value.as_deref().unwrap_or("None"))
    };
    let made = format!("{{ {log} {variables} ({}, {}) }}", text(commit), text(date));
    // It is always Rust; nothing at all would be an error where the macro is used.
    made.parse().unwrap_or_default()
}
