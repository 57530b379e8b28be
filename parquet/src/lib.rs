//! Parquet for twinset: a C ABI of a few calls over the crate `parquet`, at the level of its columns, without Arrow.
//!
//! All bytes go through callbacks of the caller (source.rs), every failure is an error text, and no panic leaves a call.
//! src/io/parquet.h declares the calls and is the only one that uses them.
//!
//! Threads: one at a time for each object; objects are independent.
mod columns;
mod footer;
mod pages;
mod read;
mod source;
mod spool;
mod value;
mod write;

use std::ffi::{c_char, c_int};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Once};

use parquet::basic::{Compression, Type as Physical};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{FileReader, SerializedFileReader};

use columns::{Found, Step};
use read::{Cursor, File, Wanted};
use source::{fault, Sink, Source};
use write::Copier;

/// What an error says, without the crate's prefix, on one line.
pub fn words(error: &ParquetError) -> String {
    let text = match error {
        ParquetError::General(text) | ParquetError::EOF(text) | ParquetError::NYI(text) => {
            text.clone()
        }
        other => other.to_string(),
    };
    text.trim_start_matches("Parquet error: ")
        .replace(['\n', '\r'], " ")
}

/// Calls `call`; a panic within becomes an error.
pub fn guard<T>(call: impl FnOnce() -> Result<T>) -> Result<T> {
    static SILENCE: Once = Once::new();
    SILENCE.call_once(|| std::panic::set_hook(Box::new(|_| {})));
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result,
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or(panic.downcast_ref::<&str>().copied());
            Err(fault(format!(
                "it is damaged: {}",
                text.unwrap_or("a reader gave up")
            )))
        }
    }
}

/// Where a call leaves its error, cut to the room, with a zero at the end.
#[repr(C)]
pub struct Room {
    text: *mut c_char,
    bytes: usize,
}

impl Room {
    fn say(&self, text: &str) {
        if self.bytes == 0 {
            return;
        }
        let count = text.len().min(self.bytes - 1);
        // SAFETY: the caller gives room for that many bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), self.text.cast(), count);
            *self.text.add(count) = 0;
        }
    }

    /// The value, or `failed` with the error's words said.
    fn check<T>(&self, result: Result<T>, failed: T) -> T {
        result.unwrap_or_else(|error| {
            self.say(&words(&error));
            failed
        })
    }
}

/// An open file.
pub struct Table {
    source: Source,
    file: Arc<File>,
}

/// Null after an error.
#[no_mangle]
pub extern "C" fn twinset_parquet_open(source: Source, error: Room) -> *mut Table {
    let made = guard(|| {
        footer::check(&source)?;
        let file = SerializedFileReader::new(source)?;
        for (i, group) in file.metadata().row_groups().iter().enumerate() {
            if group.num_rows() < 0
                || group.num_columns()
                    != file.metadata().file_metadata().schema_descr().num_columns()
            {
                return Err(fault(format!(
                    "row group {}: its rows or columns cannot be",
                    i + 1
                )));
            }
        }
        Ok(Box::into_raw(Box::new(Table {
            source,
            file: Arc::new(file),
        })))
    });
    error.check(made, std::ptr::null_mut())
}

/// # Safety
/// `table` is of twinset_parquet_open(), and so for the calls below; its cursors are closed.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_close(table: *mut Table) {
    drop(Box::from_raw(table));
}

#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_groups(table: *const Table) -> u64 {
    (*table).file.num_row_groups() as u64
}

#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_group_rows(table: *const Table, group: u64) -> u64 {
    (*table)
        .file
        .metadata()
        .row_group(group as usize)
        .num_rows() as u64
}

/// Of the group as stored.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_group_bytes(table: *const Table, group: u64) -> u64 {
    (*table)
        .file
        .metadata()
        .row_group(group as usize)
        .compressed_size()
        .max(0) as u64
}

/// Leaves the names of the first columns in `names`.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_names(table: *const Table, names: Room) {
    names.say(&columns::names(
        (*table).file.metadata().file_metadata().schema_descr(),
    ));
}

/// Steps of a name: of each its bytes, a zero byte, and the number of its lists as a byte.
unsafe fn steps(path: *const u8, bytes: usize) -> Vec<Step> {
    let mut rest = std::slice::from_raw_parts(path, bytes);
    let mut out = vec![];
    while let Some(end) = rest.iter().position(|byte| *byte == 0) {
        if end + 1 >= rest.len() {
            break;
        }
        out.push(Step {
            name: String::from_utf8_lossy(&rest[..end]).into_owned(),
            lists: rest[end + 1].into(),
        });
        rest = &rest[end + 2..];
    }
    out
}

/// The leaf column of that name. -1: none has it; -2: it is something else, or not of texts if `text`: the words after
/// its name are in `error`.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_find(
    table: *const Table,
    path: *const u8,
    bytes: usize,
    shown: *const u8,
    shown_bytes: usize,
    text: c_int,
    error: Room,
) -> i64 {
    let file = &(*table).file;
    let schema = file.metadata().file_metadata().schema_descr();
    let shown = String::from_utf8_lossy(std::slice::from_raw_parts(shown, shown_bytes));
    let leaf = match columns::find(schema, &steps(path, bytes), &shown, text == 0) {
        Found::Leaf(leaf) => leaf,
        Found::Missing => return -1,
        Found::Other(words) => {
            error.say(&words);
            return -2;
        }
    };
    let column = schema.column(leaf);
    if text != 0 && column.physical_type() != Physical::BYTE_ARRAY {
        error.say(&format!(
            "has values of type {}, not texts",
            column.physical_type()
        ));
        return -2;
    }
    for group in file.metadata().row_groups() {
        let codec = match group.column(leaf).compression() {
            Compression::BROTLI(_) => "Brotli",
            Compression::LZO => "LZO",
            _ => continue,
        };
        error.say(&format!(
            "is compressed by {codec}, which twinset does not read in Parquet"
        ));
        return -2;
    }
    leaf as i64
}

/// Reads the leaves in that order; `texts` of them are parts of the text, the others fields with these tags.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_read(
    table: *const Table,
    leaves: *const u64,
    tags: *const u32,
    count: usize,
    texts: usize,
) -> *mut Cursor {
    let wanted = (0..count)
        .map(|i| Wanted {
            leaf: *leaves.add(i) as usize,
            tag: (i >= texts).then(|| *tags.add(i)),
        })
        .collect();
    Box::into_raw(Box::new(Cursor::new((*table).file.clone(), wanted)))
}

/// Points `frames` at those of the next rows, until the next call. 1: there may be more; 0: the end; -1: an error, after
/// which twinset_parquet_skip() goes on.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_next(
    cursor: *mut Cursor,
    frames: *mut *const u8,
    bytes: *mut usize,
    error: Room,
) -> c_int {
    let given = (*cursor).next();
    let (begin, count) = match &given {
        Ok(Some(given)) => (given.as_ptr(), given.len()),
        _ => (std::ptr::null(), 0),
    };
    (*frames, *bytes) = (begin, count);
    error.check(given.map(|given| c_int::from(given.is_some())), -1)
}

/// Gives up the rest of the group that could not be read; returns its number of rows.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_skip(cursor: *mut Cursor) -> u64 {
    (*cursor).skip_group()
}

/// Rows of the file that were read or given up.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_passed(cursor: *const Cursor) -> u64 {
    (*cursor).passed()
}

/// Where the first column of the group that is being read begins in the file.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_place(cursor: *const Cursor) -> u64 {
    (*cursor).place()
}

#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_stop(cursor: *mut Cursor) {
    drop(Box::from_raw(cursor));
}

/// Begins a file like `table`. `edited`: the column whose values may be edited, or -1. Null after an error.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_copy(
    table: *const Table,
    sink: Sink,
    threads: usize,
    edited: i64,
    error: Room,
) -> *mut Copier {
    let made = guard(|| {
        Ok(Box::into_raw(Box::new(Copier::new(
            (*table).source,
            sink,
            threads,
            usize::try_from(edited).ok(),
        )?)))
    });
    error.check(made, std::ptr::null_mut())
}

/// Slices of nothing may stand at null.
unsafe fn slice<'a, V>(begin: *const V, count: usize) -> &'a [V] {
    if count == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(begin, count)
    }
}

/// Writes the kept rows of the next groups; bit i of `keep` is the i-th row of group `first`, and rows after its last
/// bit are not kept. `texts`: a place in the spool for each group and one more, between which the new texts of its rows
/// are. Of each row, ascending: eight bytes of its number in the group, eight of the text's length, the text. 0 after an
/// error.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_copy_groups(
    copier: *mut Copier,
    first: u64,
    count: u64,
    keep: *const u8,
    bytes: usize,
    texts: *const u64,
    error: Room,
) -> c_int {
    let (keep, texts) = (slice(keep, bytes), slice(texts, count as usize + 1));
    let done = guard(|| (*copier).write(first as usize, keep, texts).map(|()| 1));
    error.check(done, 0)
}

/// Ends the file and frees the copier. 0 after an error.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_copy_finish(copier: *mut Copier, error: Room) -> c_int {
    let copier = Box::from_raw(copier);
    error.check(guard(|| copier.finish().map(|()| 1)), 0)
}

/// Frees a copier whose file is given up.
#[no_mangle]
pub unsafe extern "C" fn twinset_parquet_copy_stop(copier: *mut Copier) {
    drop(Box::from_raw(copier));
}
