//! What the numbers were measured on.

use std::fs;

/// The processor's name, where the system tells it.
pub fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    info.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == "model name")
        .map_or("unknown", |(_, name)| name.trim())
        .to_owned()
}

/// The instructions that the compiler was allowed to use everywhere, of those that matter here.
pub fn build() -> String {
    let features = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
    ];
    let enabled: Vec<&str> = features.into_iter().filter_map(|(name, enabled)| enabled.then_some(name)).collect();
    match enabled.as_slice() {
        [] => "baseline".to_owned(),
        names => format!("with {}", names.join(", ")),
    }
}
