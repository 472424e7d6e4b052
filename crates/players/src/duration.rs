//! Lengths of time as people write them.

use std::time::Duration;

/// Reads `5s`, `100ms`, `1.5s` or `2m`.
///
/// ```
/// use std::time::Duration;
/// use turncoat_players::parse_duration;
///
/// assert_eq!(parse_duration("100ms"), Ok(Duration::from_millis(100)));
/// assert!(parse_duration("5").is_err());
/// ```
///
/// # Errors
/// If it is no positive number with a unit.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).ok_or("a unit is missing, as in 5s or 100ms")?;
    let (number, unit) = text.split_at(split);
    let number: f64 = number.trim().parse().map_err(|_| format!("{number:?} is no number"))?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" | "min" => number * 60.0,
        _ => return Err(format!("{unit:?} is no unit: ms, s and m are")),
    };
    if seconds <= 0.0 {
        return Err("a time is more than nothing".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_with_their_unit() {
        assert_eq!(parse_duration("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_mins(2)));
        for bad in ["", "5", "s", "5h", "-1s", "0s", "infs", "nans", "99999999999999999999s", "five s"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
