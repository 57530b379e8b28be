//! Rows as frames: eight bytes of length (little-endian), one byte of state (0: no text, 1: a text), eight bytes of the
//! text's length and the text, then each field that has a value: four bytes of its tag, one of its kind (0: a token of
//! JSON, 1: the bytes of a string), four of its length, and its bytes.
//!
//! A few rows are read at once, fewer the longer they are, and of each column no more than the pages that hold them.
use std::sync::Arc;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::Result;
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::pages::column_reader;
use crate::source::{fault, Source};
use crate::value::{form_of, quote, Form, Kind, Write};

pub type File = SerializedFileReader<Source>;

/// Rows read at once take about so many bytes.
const BATCH_BYTES: usize = 256 << 10;
const MOST_ROWS: usize = 1024;

/// The values of a few rows of a column.
trait Values {
    /// Reads that many rows.
    fn fill(&mut self, rows: usize) -> Result<()>;
    /// Appends all strings of the next row, each after a line end if `any` is set before it; sets `any` if it has some.
    fn join(&mut self, any: &mut bool, out: &mut Vec<u8>);
    /// Appends the value of the next row, of a list all values as an array.
    fn value(&mut self, out: &mut Vec<u8>) -> Kind;
}

struct Column<T: DataType> {
    reader: ColumnReaderImpl<T>,
    form: Form,
    most_defined: i16,
    repeats: bool,
    values: Vec<T::T>,
    defined: Vec<i16>,
    repeated: Vec<i16>,
    value: usize,
    level: usize,
}

impl<T: DataType> Column<T>
where
    T::T: Write,
{
    /// Calls `take` with each value of the next row; nulls are passed over.
    fn each(&mut self, mut take: impl FnMut(&T::T)) {
        loop {
            if self.most_defined == 0 || self.defined[self.level] == self.most_defined {
                take(&self.values[self.value]);
                self.value += 1;
            }
            self.level += 1;
            if !self.repeats
                || self
                    .repeated
                    .get(self.level)
                    .is_none_or(|level| *level == 0)
            {
                return;
            }
        }
    }
}

impl<T: DataType> Values for Column<T>
where
    T::T: Write,
{
    fn fill(&mut self, rows: usize) -> Result<()> {
        self.values.clear();
        self.defined.clear();
        self.repeated.clear();
        (self.value, self.level) = (0, 0);
        let mut left = rows;
        while left > 0 {
            let defined = (self.most_defined > 0).then_some(&mut self.defined);
            let repeated = self.repeats.then_some(&mut self.repeated);
            let (got, _, _) =
                self.reader
                    .read_records(left, defined, repeated, &mut self.values)?;
            if got == 0 {
                return Err(fault("it ends early"));
            }
            left -= got;
        }
        let levels = if self.most_defined > 0 {
            self.defined.len()
        } else {
            self.values.len()
        };
        let wanted = if self.most_defined == 0 {
            levels
        } else {
            self.defined
                .iter()
                .filter(|d| **d == self.most_defined)
                .count()
        };
        let begins = if self.repeats {
            self.repeated.iter().filter(|r| **r == 0).count()
        } else {
            levels
        };
        if wanted != self.values.len()
            || begins != rows
            || (self.repeats && self.repeated.first() != Some(&0))
        {
            return Err(fault("its values and levels differ in number"));
        }
        Ok(())
    }

    fn join(&mut self, any: &mut bool, out: &mut Vec<u8>) {
        let form = self.form;
        self.each(|value| {
            if *any {
                out.push(b'\n');
            }
            *any = true;
            value.write(form, out);
        });
    }

    fn value(&mut self, out: &mut Vec<u8>) -> Kind {
        let (form, repeats) = (self.form, self.repeats);
        let mut kind = Kind::None;
        if !repeats {
            self.each(|value| kind = value.write(form, out));
            return kind;
        }
        let begin = out.len();
        let mut one = vec![];
        self.each(|value| {
            one.clear();
            let kind = value.write(form, &mut one);
            out.push(if out.len() == begin { b'[' } else { b',' });
            match kind {
                Kind::Token => out.extend_from_slice(&one),
                Kind::String => quote(&one, out),
                Kind::None => out.extend_from_slice(b"null"),
            }
        });
        if out.len() == begin {
            return Kind::None;
        }
        out.push(b']');
        Kind::Token
    }
}

/// A column to read: a part of the text, or a field.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub leaf: usize,
    /// None: a part of the text.
    pub tag: Option<u32>,
}

pub struct Cursor {
    file: Arc<File>,
    wanted: Vec<Wanted>,
    columns: Vec<Box<dyn Values>>,
    group: usize,
    begun: bool,
    row: usize,
    rows: usize,
    /// Rows that the columns hold and that were not given yet.
    filled: usize,
    row_bytes: usize,
    /// Rows of the file that were read or given up.
    passed: u64,
    frames: Vec<u8>,
}

fn open_column(
    reader: ColumnReader,
    form: Form,
    most_defined: i16,
    repeats: bool,
) -> Box<dyn Values> {
    macro_rules! column {
        ($reader:expr) => {
            Box::new(Column {
                reader: $reader,
                form,
                most_defined,
                repeats,
                values: vec![],
                defined: vec![],
                repeated: vec![],
                value: 0,
                level: 0,
            })
        };
    }
    match reader {
        ColumnReader::BoolColumnReader(reader) => column!(reader),
        ColumnReader::Int32ColumnReader(reader) => column!(reader),
        ColumnReader::Int64ColumnReader(reader) => column!(reader),
        ColumnReader::Int96ColumnReader(reader) => column!(reader),
        ColumnReader::FloatColumnReader(reader) => column!(reader),
        ColumnReader::DoubleColumnReader(reader) => column!(reader),
        ColumnReader::ByteArrayColumnReader(reader) => column!(reader),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => column!(reader),
    }
}

impl Cursor {
    pub fn new(file: Arc<File>, wanted: Vec<Wanted>) -> Cursor {
        Cursor {
            file,
            wanted,
            columns: vec![],
            group: 0,
            begun: false,
            row: 0,
            rows: 0,
            filled: 0,
            row_bytes: 0,
            passed: 0,
            frames: Vec::with_capacity(2 * BATCH_BYTES),
        }
    }

    fn name(&self, leaf: usize) -> String {
        self.file
            .metadata()
            .file_metadata()
            .schema_descr()
            .column(leaf)
            .path()
            .string()
    }

    /// Opens the columns of the next group with rows; false at the end.
    fn begin_group(&mut self) -> Result<bool> {
        while !self.begun {
            if self.group == self.file.num_row_groups() {
                return Ok(false);
            }
            self.begun = true;
            self.row = 0;
            self.rows = 0;
            self.filled = 0;
            let group = self.file.metadata().row_group(self.group);
            self.rows = usize::try_from(group.num_rows())?;
            if self.rows == 0 {
                self.end_group();
                continue;
            }
            let reader = self.file.get_row_group(self.group)?;
            self.columns.clear();
            let mut bytes = 0;
            for wanted in &self.wanted {
                let chunk = group.column(wanted.leaf);
                let column = chunk.column_descr();
                bytes += usize::try_from(chunk.uncompressed_size()).unwrap_or(0);
                let values = column_reader(&*reader, wanted.leaf).map_err(|e| {
                    fault(format!(
                        "column {}: {}",
                        self.name(wanted.leaf),
                        crate::words(&e)
                    ))
                })?;
                self.columns.push(open_column(
                    values,
                    form_of(column),
                    column.max_def_level(),
                    column.max_rep_level() > 0,
                ));
            }
            self.row_bytes = (bytes / self.rows).max(1);
        }
        Ok(true)
    }

    fn end_group(&mut self) {
        self.columns.clear();
        self.begun = false;
        self.group += 1;
    }

    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// Where the first column of the group begins in the file.
    pub fn place(&self) -> u64 {
        match self.wanted.first() {
            Some(wanted) if self.group < self.file.num_row_groups() => {
                self.file
                    .metadata()
                    .row_group(self.group)
                    .column(wanted.leaf)
                    .data_page_offset()
                    .max(0) as u64
            }
            _ => 0,
        }
    }

    /// Gives up the group at which next() failed; returns the number of its rows that were not read.
    pub fn skip_group(&mut self) -> u64 {
        let left = self.rows - self.row;
        self.passed += left as u64;
        if self.begun {
            self.end_group();
        }
        left as u64
    }

    /// The frames of the next rows, about BATCH_BYTES; None at the end. After an error skip_group() may go on. The group
    /// is named in errors.
    pub fn next(&mut self) -> Result<Option<&[u8]>> {
        let group = self.group;
        // Its room stays from call to call, but for that of a long row.
        let mut frames = std::mem::take(&mut self.frames);
        frames.clear();
        frames.shrink_to(2 * BATCH_BYTES);
        let more = crate::guard(|| self.next_rows(&mut frames))
            .map_err(|e| fault(format!("row group {}: {}", group + 1, crate::words(&e))))?;
        self.frames = frames;
        Ok(more.then_some(&self.frames))
    }

    /// Reads rows into the columns if these hold none.
    fn fill(&mut self) -> Result<()> {
        if self.filled > 0 {
            return Ok(());
        }
        let rows = (BATCH_BYTES / self.row_bytes)
            .clamp(1, MOST_ROWS)
            .min(self.rows - self.row);
        for (i, wanted) in self.wanted.iter().enumerate() {
            self.columns[i].fill(rows).map_err(|e| {
                fault(format!(
                    "column {}: {}",
                    self.file
                        .metadata()
                        .file_metadata()
                        .schema_descr()
                        .column(wanted.leaf)
                        .path()
                        .string(),
                    crate::words(&e)
                ))
            })?;
        }
        self.filled = rows;
        Ok(())
    }

    fn next_rows(&mut self, out: &mut Vec<u8>) -> Result<bool> {
        if !self.begin_group()? {
            return Ok(false);
        }
        self.fill()?;
        let begin = out.len();
        let mut rows = 0;
        while rows < self.filled && out.len() - begin < BATCH_BYTES {
            self.add_frame(out);
            rows += 1;
        }
        self.filled -= rows;
        self.row_bytes = ((self.row_bytes * 3 + (out.len() - begin) / rows) / 4).max(1);
        self.row += rows;
        self.passed += rows as u64;
        if self.row == self.rows {
            self.end_group();
        }
        Ok(true)
    }

    fn add_frame(&mut self, out: &mut Vec<u8>) {
        let begin = out.len();
        out.extend_from_slice(&[0; 17]);
        let mut any = false;
        for (wanted, column) in self.wanted.iter().zip(&mut self.columns) {
            if wanted.tag.is_none() {
                column.join(&mut any, out);
            }
        }
        let text_bytes = (out.len() - begin - 17) as u64;
        out[begin + 8] = u8::from(any);
        out[begin + 9..begin + 17].copy_from_slice(&text_bytes.to_le_bytes());
        for (wanted, column) in self.wanted.iter().zip(&mut self.columns) {
            let Some(tag) = wanted.tag else { continue };
            let at = out.len();
            out.extend_from_slice(&tag.to_le_bytes());
            out.extend_from_slice(&[0; 5]);
            let kind = column.value(out);
            let bytes = out.len() - at - 9;
            match (kind, u32::try_from(bytes)) {
                (Kind::Token | Kind::String, Ok(bytes)) => {
                    out[at + 4] = u8::from(kind == Kind::String);
                    out[at + 5..at + 9].copy_from_slice(&bytes.to_le_bytes());
                }
                _ => out.truncate(at),
            }
        }
        let frame_bytes = (out.len() - begin - 8) as u64;
        out[begin..begin + 8].copy_from_slice(&frame_bytes.to_le_bytes());
    }
}
