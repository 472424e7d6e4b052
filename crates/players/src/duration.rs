//! Durations as text.

use std::time::Duration;

/// Parses `5s`, `100ms`, `1.5s` or `2m`.
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
/// If the number or the unit is missing or unknown, or the time is not positive.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).ok_or("a unit is missing, as in 5s or 100ms")?;
    let (number, unit) = text.split_at(split);
    let number: f64 = number.trim().parse().map_err(|_| format!("{number:?} is not a number"))?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" | "min" => number * 60.0,
        _ => return Err(format!("{unit:?} is not a unit: use ms, s or m")),
    };
    if seconds <= 0.0 {
        return Err("a time must be positive".to_owned());
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
