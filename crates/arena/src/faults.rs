//! Faults of players as data: named, stored, and read again.

use turncoat_players::Fault;

/// The name of a kind of fault in files and JSON.
pub fn name(fault: &Fault) -> &'static str {
    match fault {
        Fault::Timeout(_) => "timeout",
        Fault::Crash(_) => "crash",
        Fault::IllegalMove(_) => "illegal-move",
        Fault::Protocol(_) => "protocol-error",
        Fault::OutOfMemory(_) => "out-of-memory",
    }
}

/// What the fault says beside its kind.
pub fn detail(fault: &Fault) -> Option<&str> {
    match fault {
        Fault::Crash(detail) | Fault::IllegalMove(detail) | Fault::Protocol(detail) => Some(detail),
        Fault::Timeout(detail) | Fault::OutOfMemory(detail) => {
            Some(detail.as_str()).filter(|detail| !detail.is_empty())
        }
    }
}

/// The fault of this name, if there is one.
///
/// ```
/// use turncoat_arena::faults;
/// use turncoat_players::Fault;
///
/// let fault = Fault::IllegalMove("a1".to_owned());
/// assert_eq!(faults::parse(faults::name(&fault), faults::detail(&fault)), Some(fault));
/// assert_eq!(faults::parse("hiccup", None), None);
/// ```
pub fn parse(name: &str, detail: Option<&str>) -> Option<Fault> {
    let detail = detail.unwrap_or_default().to_owned();
    Some(match name {
        "timeout" => Fault::Timeout(detail),
        "crash" => Fault::Crash(detail),
        "illegal-move" => Fault::IllegalMove(detail),
        "protocol-error" => Fault::Protocol(detail),
        "out-of-memory" => Fault::OutOfMemory(detail),
        _ => return None,
    })
}
