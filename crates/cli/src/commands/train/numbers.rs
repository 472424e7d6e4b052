//! Lists of whole numbers, as in `1,10..300:10`.

use std::str::FromStr;

/// More numbers than this are a slip.
const MOST: u64 = 100_000;

/// Whole numbers in the order in which they were given, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numbers(pub(super) Vec<u64>);

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            let number = text.trim().parse::<u64>().ok().filter(|&number| i64::try_from(number).is_ok());
            number
                .ok_or_else(|| format!("{text:?} is no whole number; lists are given as in 1..10, 1,5,9 or 10..90:10"))
        };
        let mut numbers = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let (last, step) = last.split_once(':').unwrap_or((last, "1"));
            let (first, last, step) = (number(first)?, number(last)?, number(step)?);
            if first > last || step == 0 || (last - first) / step >= MOST {
                return Err(format!("{part}: from a number to a larger one, at most {MOST} of them"));
            }
            numbers.extend((first..=last).step_by(step as usize));
        }
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("{} is there twice", pair[0])),
            None => Ok(Self(numbers)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_ranges_and_numbers() {
        for (text, expected) in [
            ("1..3", Ok(vec![1, 2, 3])),
            ("7", Ok(vec![7])),
            ("5,1..2", Ok(vec![5, 1, 2])),
            ("1,10..35:10", Ok(vec![1, 10, 20, 30])),
            ("1..3,2", Err("2 is there twice")),
        ] {
            match (text.parse::<Numbers>(), expected) {
                (Ok(numbers), Ok(expected)) => assert_eq!(numbers.0, expected),
                (Err(error), Err(expected)) => assert!(error.contains(expected), "{error}"),
                (found, expected) => panic!("{text}: {found:?}, not {expected:?}"),
            }
        }
        for text in ["", "a", "3..1", "1..", "-1", "1..200000", "9223372036854775808", "1..5:0", "1..5:", "1:2"] {
            assert!(text.parse::<Numbers>().is_err(), "{text}");
        }
    }
}
