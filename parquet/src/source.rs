//! The bytes of a file, in and out, through the callbacks of the caller: no file is opened here.
use std::ffi::{c_int, c_void};
use std::io::{BufReader, Error, Read, Write};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

pub fn fault(text: impl Into<String>) -> ParquetError {
    ParquetError::General(text.into())
}

/// Takes an integer of up to ten bytes from the front of `bytes`: seven bits a byte, the low ones first. None if there
/// is none.
pub fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(value);
        }
    }
    None
}

/// A file to read. `read_at` gives the number of bytes read, or -1; threads call it at once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Source {
    context: *mut c_void,
    size: u64,
    read_at: extern "C" fn(*mut c_void, u64, *mut u8, usize) -> i64,
}
// SAFETY: the caller promises that threads may call read_at() at once.
unsafe impl Send for Source {}
unsafe impl Sync for Source {}

/// A file to write, in order, and a spool for what waits to be written. Threads call all but `write` at once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Sink {
    context: *mut c_void,
    /// 0 if all bytes were taken.
    write: extern "C" fn(*mut c_void, *const u8, usize) -> c_int,
    /// Not 0 if the caller wants no more.
    stopped: extern "C" fn(*mut c_void) -> c_int,
    /// Appends to the spool; gives the place of the bytes, or -1.
    spool: extern "C" fn(*mut c_void, *const u8, usize) -> i64,
    /// 0 if all bytes at the place were given.
    read_spool: extern "C" fn(*mut c_void, u64, *mut u8, usize) -> c_int,
}
// SAFETY: one thread at a time writes; the caller promises that threads may call the others at once.
unsafe impl Send for Sink {}
unsafe impl Sync for Sink {}

impl Sink {
    pub fn check_stopped(&self) -> Result<()> {
        if (self.stopped)(self.context) != 0 {
            return Err(fault("it was stopped"));
        }
        Ok(())
    }

    /// Appends to the spool; None if it takes no more.
    pub fn spool(&self, bytes: &[u8]) -> Option<u64> {
        u64::try_from((self.spool)(self.context, bytes.as_ptr(), bytes.len())).ok()
    }

    /// False if the bytes are not there.
    pub fn read_spool(&self, place: u64, out: &mut [u8]) -> bool {
        (self.read_spool)(self.context, place, out.as_mut_ptr(), out.len()) == 0
    }
}

pub struct At {
    source: Source,
    at: u64,
}

impl Read for At {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let wanted = (out.len() as u64).min(self.source.size.saturating_sub(self.at)) as usize;
        if wanted == 0 {
            return Ok(0);
        }
        let got = (self.source.read_at)(self.source.context, self.at, out.as_mut_ptr(), wanted);
        if got < 0 || got as usize > wanted {
            return Err(Error::other("the file cannot be read"));
        }
        self.at += got as u64;
        Ok(got as usize)
    }
}

impl Length for Source {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for Source {
    type T = BufReader<At>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::with_capacity(
            1 << 16,
            At {
                source: *self,
                at: start,
            },
        ))
    }

    /// The length is the file's own claim: memory is taken only for bytes that are there.
    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        if start > self.size || length as u64 > self.size - start {
            return Err(fault("the file ends early"));
        }
        let mut bytes = Vec::with_capacity(length);
        At {
            source: *self,
            at: start,
        }
        .take(length as u64)
        .read_to_end(&mut bytes)?;
        if bytes.len() != length {
            return Err(fault("the file ends early"));
        }
        Ok(bytes.into())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if (self.stopped)(self.context) != 0
            || (self.write)(self.context, bytes.as_ptr(), bytes.len()) != 0
        {
            return Err(Error::other("the file cannot be written"));
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
