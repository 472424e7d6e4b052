//! The engine as a WebAssembly module: the handlers of [`turncoat_api`], asked by a worker of the page instead of a server.
//!
//! A question is what would be sent to the server: a method, an address below `/api/` and a body ([`answer`]). The
//! answer has the server's status and body, so that the page cannot tell the two apart. An analysis answers more than once
//! ([`analyze`]). Games are kept by the page itself; [`answer`] only checks them.
//!
//! What the module imports and exports is in `abi`, which exists on WebAssembly alone; everything else is tested natively.

#[cfg(target_family = "wasm")]
mod abi;
mod engine;

pub use engine::{Answer, Question, analyze, answer};
