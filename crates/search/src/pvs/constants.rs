//! The constants of the search that were found by playing, and may be tuned further.

/// Declares them once: fields, usual values, names and bounds.
macro_rules! constants {
    ($($about:literal, $name:ident = $usual:literal in $least:literal..=$most:literal,)*) => {
        /// Numbers that decide how the search divides its work. Every value within the bounds gives a sound search; the
        /// usual ones are strongest.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Constants {
            $(#[doc = $about] pub(super) $name: i32,)*
        }

        impl Constants {
            /// The values that the player uses.
            pub const USUAL: Self = Self { $($name: $usual,)* };

            /// Their names, with the values that each may have and what it is for.
            pub const NAMES: &[(&str, &str, &str)] =
                &[$((stringify!($name), concat!(stringify!($least), "-", stringify!($most)), $about),)*];

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
    "margin of cuts by probability, in percent of the usual (100)",
    margin = 100 in 10..=1000,
    "the same with 20 empty squares and fewer, in percent of that with 44 and more (100)",
    late = 100 in 10..=1000,
    "the same at depth 15 and deeper, in percent of that at depth 3 (100)",
    deep = 100 in 10..=1000,
    "depth of the searches that cut, in percent of the depth they save (50)",
    shallow = 50 in 10..=90,
    "least depth at which a search is cut (3)",
    least_cut = 3 in 3..=30,
    "the margin where the search reaches the end of the game; 0 cuts nothing there (0)",
    end_margin = 0 in 0..=1000,
    "the margin for static values that cut without a search at even depths; 0 never (0)",
    sight = 0 in 0..=1000,
    "move ordering: what a reply of the opponent costs, in 64ths of a disc (50)",
    reply = 50 in 0..=1000,
    "move ordering: history counts one unit in so many (16)",
    history = 16 in 1..=10000,
    "first window around the last value, in 64ths of a disc (512)",
    aspiration = 512 in 1..=4096,
}
