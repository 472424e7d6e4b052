//! What a caught panic said.

use std::any::Any;

/// The message of a panic that `catch_unwind` or a thread's `join` has caught, cut off after 500 characters.
///
/// ```
/// let caught = std::panic::catch_unwind(|| panic!("ouch")).unwrap_err();
/// assert_eq!(turncoat_util::panic_message(&*caught), "ouch");
/// ```
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("it panicked");
    text.chars().take(500).collect()
}
