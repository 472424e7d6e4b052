//! Games that were played for training: what is kept of one, and files of many.

mod record;
mod shard;

pub use record::{Ply, Replay, TrainingGame};
pub use shard::{ShardFault, read_shard, write_shard};
