//! The constants of the search that were found by playing, and may be tuned further.

use turncoat_board::VariantKind;

/// Declares them once: fields, usual values in Reversed and in Reversi, names and bounds.
macro_rules! constants {
    ($($about:literal, $name:ident = [$reversed:literal, $reversi:literal] in $least:literal..=$most:literal,)*) => {
        /// Numbers that decide how the search divides its work. Every value within the bounds gives a sound search; the
        /// usual ones are strongest.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Constants {
            $(#[doc = $about] pub(super) $name: i32,)*
        }

        impl Constants {
            /// The values that the player uses in a game.
            pub const fn usual(variant: VariantKind) -> Self {
                match variant {
                    VariantKind::Reversed => Self { $($name: $reversed,)* },
                    VariantKind::Reversi => Self { $($name: $reversi,)* },
                }
            }

            /// Their names, with the values that each may have, what it is for, and the usual one.
            pub const NAMES: &[(&str, &str, &str)] = &[$((
                stringify!($name),
                concat!(stringify!($least), "-", stringify!($most)),
                concat!($about, " (", stringify!($reversed), "; in Reversi ", stringify!($reversi), ")"),
            ),)*];

            /// Sets one by its name; `false` if there is none of that name or the value is out of bounds.
            #[must_use]
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                $(if name == stringify!($name) && ($least..=$most).contains(&value) {
                    self.$name = value;
                    return true;
                })*
                false
            }
        }
    };
}

constants! {
    "margin of cuts by probability, in percent",
    margin = [100, 87] in 10..=1000,
    "the same with 20 empty squares and fewer, in percent of that with 44 and more",
    late = [100, 83] in 10..=1000,
    "the same at depth 15 and deeper, in percent of that at depth 3",
    deep = [100, 92] in 10..=1000,
    "depth of the searches that cut, in percent of the depth they save",
    shallow = [50, 52] in 10..=90,
    "least depth at which a search is cut",
    least_cut = [3, 3] in 3..=30,
    "the margin where the search reaches the end of the game; 0 cuts nothing there",
    end_margin = [0, 248] in 0..=1000,
    "the margin for static values that cut without a search at even depths; 0 never",
    sight = [0, 342] in 0..=1000,
    "move ordering: what a reply of the opponent costs, in 64ths of a disc",
    reply = [50, 48] in 0..=1000,
    "move ordering: history counts one unit in so many",
    history = [16, 16] in 1..=10000,
    "first window around the last value, in 64ths of a disc",
    aspiration = [512, 456] in 1..=4096,
}
