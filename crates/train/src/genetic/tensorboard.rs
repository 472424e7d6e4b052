//! The log of a run as an event file of TensorBoard. The format is written by hand: records with two checksums each
//! (TFRecord), which hold messages of protocol buffers with a handful of fields.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use turncoat_util::replace_file;

use super::report::yardstick_label;
use super::run::{GenerationRecord, GeneticError, Snapshot};
use crate::run_folder::FolderError;

/// TensorBoard reads any file with `tfevents` in its name.
const NAME: &str = "events.out.tfevents.turncoat";

/// Writes the event file of a run into a folder, which is created if need be; an earlier one is replaced. Answers with
/// its path.
///
/// # Errors
/// If the individuals of the run cannot be read, or the file cannot be written.
pub fn write_events(run: &Snapshot, folder: &Path) -> Result<PathBuf, GeneticError> {
    let events = events(run)?;
    let path = folder.join(NAME);
    fs::create_dir_all(folder).map_err(FolderError::io(folder))?;
    replace_file(&path, &events).map_err(FolderError::io(&path))?;
    Ok(path)
}

/// The event file of a run: all curves of its report, with the best individual's parameters.
fn events(run: &Snapshot) -> Result<Vec<u8>, GeneticError> {
    let lab = run.lab();
    let mut file = Vec::new();
    let times = times(run);
    let begin = times.first().copied().unwrap_or_default();
    record(&mut file, &Message::default().double(1, begin).bytes(3, b"brain.Event:2").0);
    for ((generation, individuals), time) in run.log().iter().zip(run.records()?).zip(times) {
        let best = individuals.individuals.first().map(|rated| lab.layout.values(&rated.individual.genome));
        let genes = lab.layout.genes().iter().zip(best.unwrap_or_default());
        let parameters = genes.map(|(gene, value)| (format!("parameters/{}", gene.name), value));
        let mut summary = Message::default();
        for (tag, value) in scalars(run, generation).into_iter().chain(parameters) {
            summary = summary.bytes(1, &Message::default().bytes(1, tag.as_bytes()).float(2, value as f32).0);
        }
        let event = Message::default().double(1, time).varint(2, u64::from(generation.generation));
        record(&mut file, &event.bytes(5, &summary.0).0);
    }
    Ok(file)
}

/// What the log says of a generation, by tags; those with the same beginning share a section of the page.
fn scalars(run: &Snapshot, record: &GenerationRecord) -> Vec<(String, f64)> {
    let plain = [
        ("fitness/best", Some(record.best)),
        ("fitness/mean", Some(record.mean)),
        ("fitness/worst", Some(record.worst)),
        ("genes/size", Some(record.size)),
        ("genes/spread", Some(record.spread)),
        ("genes/step size", record.sigma),
    ];
    let plain = plain.into_iter().filter_map(|(tag, value)| Some((tag.to_owned(), value?)));
    let plans = &run.lab().experiment.yardstick;
    let won = record.yardsticks.iter().filter_map(|own| {
        let label = yardstick_label(plans.get(own.yardstick)?);
        Some((format!("won/{} {label}", own.yardstick + 1), own.win_rate()))
    });
    plain.chain(won).collect()
}

/// When generations ended, in seconds since 1970, as if the last one had ended when the log was written last and there had
/// been no breaks.
fn times(run: &Snapshot) -> Vec<f64> {
    let written = fs::metadata(run.folder().join(super::run::LOG)).and_then(|log| log.modified());
    let since = written.unwrap_or_else(|_| SystemTime::now()).duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = run.seconds();
    let took = |generation: u32| seconds.iter().find(|(known, _)| *known == generation).map_or(0.0, |(_, took)| *took);
    let mut times = vec![since.as_secs_f64(); run.log().len()];
    for place in (1..times.len()).rev() {
        times[place - 1] = times[place] - took(place as u32 + 1);
    }
    times
}

/// A message of protocol buffers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    /// The number of a field and how it is written.
    fn key(self, field: u8, wire: u8) -> Self {
        self.raw(&[field << 3 | wire])
    }

    fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// Seven bits at a time, the lowest first.
    fn number(mut self, mut value: u64) -> Self {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        self
    }

    fn varint(self, field: u8, value: u64) -> Self {
        self.key(field, 0).number(value)
    }

    fn double(self, field: u8, value: f64) -> Self {
        self.key(field, 1).raw(&value.to_le_bytes())
    }

    fn float(self, field: u8, value: f32) -> Self {
        self.key(field, 5).raw(&value.to_le_bytes())
    }

    fn bytes(self, field: u8, bytes: &[u8]) -> Self {
        self.key(field, 2).number(bytes.len() as u64).raw(bytes)
    }
}

/// Adds a record: its length, the checksum of that, the record, and its checksum.
fn record(file: &mut Vec<u8>, data: &[u8]) {
    let length = (data.len() as u64).to_le_bytes();
    for part in [&length[..], &masked(&length).to_le_bytes(), data, &masked(data).to_le_bytes()] {
        file.extend_from_slice(part);
    }
}

/// The checksum of a record, as TFRecord disguises it.
fn masked(data: &[u8]) -> u32 {
    crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// The checksum CRC-32C.
fn crc32c(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0x82f6_3b78 } else { 0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        // RFC 3720, B.4, and the usual check value.
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
    }

    #[test]
    fn records_and_messages_are_as_tensorflow_writes_them() {
        // The first record of any event file, but for its time.
        let mut file = Vec::new();
        record(&mut file, &Message::default().double(1, 0.0).bytes(3, b"brain.Event:2").0);
        assert_eq!(&file[..8], [24, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(&file[8..12], [0xa3, 0x7f, 0x4b, 0x22]);
        assert_eq!(&file[12..36], b"\x09\0\0\0\0\0\0\0\0\x1a\x0dbrain.Event:2");
        assert_eq!(file.len(), 40);
        assert_eq!(Message::default().varint(2, 300).0, [0x10, 0xac, 0x02]);
        assert_eq!(Message::default().float(2, 1.0).0, [0x15, 0, 0, 0x80, 0x3f]);
    }
}
