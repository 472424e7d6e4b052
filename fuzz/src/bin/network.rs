//! libFuzzer's entry to the target `network`.
#![no_main]
#![allow(unsafe_code, missing_docs)] // The macro exports libFuzzer's C entry point.

libfuzzer_sys::fuzz_target!(|data: &[u8]| turncoat_fuzz::network(data));
