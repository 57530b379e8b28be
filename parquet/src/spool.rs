//! Bytes that wait to be written, in the spool of the caller: encoded columns, and texts that change.
use std::collections::VecDeque;
use std::io::{BufReader, Error, Read, Write};
use std::ops::Range;

use bytes::Bytes;
use parquet::errors::Result;
use parquet::file::reader::{ChunkReader, Length};

use crate::source::{fault, Sink};

/// The spool is written and read in pieces of about so many bytes.
pub const PIECE_BYTES: usize = 256 << 10;

/// Parts of the spool, read one after the other.
#[derive(Clone)]
pub struct Spooled {
    sink: Sink,
    places: VecDeque<Range<u64>>,
}

impl Spooled {
    pub fn new(sink: Sink, place: Range<u64>) -> Spooled {
        Spooled {
            sink,
            places: [place].into(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn pass(&mut self, count: u64) {
        let mut left = count;
        while let Some(place) = self.places.front_mut() {
            let passed = left.min(place.end - place.start);
            place.start += passed;
            left -= passed;
            if !place.is_empty() {
                return;
            }
            self.places.pop_front();
        }
    }
}

impl Read for Spooled {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.pass(0);
        let Some(place) = self.places.front() else {
            return Ok(0);
        };
        let count = (place.end - place.start).min(out.len() as u64) as usize;
        if !self.sink.read_spool(place.start, &mut out[..count]) {
            return Err(Error::other("what waits to be written cannot be read"));
        }
        self.pass(count as u64);
        Ok(count)
    }
}

impl Length for Spooled {
    fn len(&self) -> u64 {
        self.places
            .iter()
            .map(|place| place.end - place.start)
            .sum()
    }
}

/// As a column chunk.
impl ChunkReader for Spooled {
    type T = BufReader<Spooled>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut rest = self.clone();
        rest.pass(start);
        Ok(BufReader::with_capacity(PIECE_BYTES, rest))
    }

    fn get_bytes(&self, _: u64, _: usize) -> Result<Bytes> {
        Err(fault("a column that waits to be written is read in order"))
    }
}

/// Writes into the spool, which others write into, too.
pub struct Pieces {
    piece: Vec<u8>,
    spooled: Spooled,
}

impl Pieces {
    pub fn new(sink: Sink) -> Pieces {
        Pieces {
            piece: vec![],
            spooled: Spooled {
                sink,
                places: VecDeque::new(),
            },
        }
    }

    fn spool(&mut self) -> std::io::Result<()> {
        let place = self
            .spooled
            .sink
            .spool(&self.piece)
            .ok_or_else(|| Error::other("what waits to be written cannot be kept"))?;
        let end = place + self.piece.len() as u64;
        self.spooled.places.push_back(place..end);
        self.piece.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<Spooled> {
        self.spool()?;
        Ok(self.spooled)
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE_BYTES {
            self.spool()?;
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
