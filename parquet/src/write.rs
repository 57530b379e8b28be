//! Rows of a file copied to a file like it: the same schema, one row group for each that keeps a row. Columns of a group
//! that loses no row are copied byte for byte, but for that of texts if some of these change; of another group each leaf
//! column is read as values and levels, and those of kept rows are written again, in the way of the group they come from.
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::{
    get_column_writer, ColumnCloseResult, ColumnWriter, ColumnWriterImpl,
};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::Result;
use parquet::file::metadata::{
    ColumnChunkMetaData, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
    SortingColumn,
};
use parquet::file::properties::{
    CdcOptions, EnabledStatistics, WriterProperties, WriterVersion,
    DEFAULT_DICTIONARY_PAGE_SIZE_LIMIT,
};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};

use crate::pages::column_reader;
use crate::read::File;
use crate::source::{fault, Sink, Source};
use crate::spool::{Pieces, Spooled, PIECE_BYTES};
use crate::{guard, words};

/// Rows of a column that are read and written at once take about so many bytes.
const BATCH_BYTES: usize = 1 << 20;
/// Its value tells Hugging Face's tools how pages were cut: at contents.
const CHUNKED_KEY: &str = "content_defined_chunking";

/// The level is not in a file: writers of Arrow's C++ take 1 unless told otherwise, others 3.
fn zstd_level(meta: &ParquetMetaData) -> ZstdLevel {
    let by_arrow = meta
        .file_metadata()
        .created_by()
        .is_some_and(|name| name.starts_with("parquet-cpp"));
    ZstdLevel::try_new(if by_arrow { 1 } else { 3 }).unwrap_or_default()
}

/// The number after `"name":`.
fn number(json: &str, name: &str) -> Option<i64> {
    let rest = json
        .split(&format!("\"{name}\""))
        .nth(1)?
        .trim_start()
        .strip_prefix(':')?
        .trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_digit() && c != '-')
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

fn chunking(meta: &ParquetMetaData) -> Option<CdcOptions> {
    let entry = meta
        .file_metadata()
        .key_value_metadata()?
        .iter()
        .find(|entry| entry.key == CHUNKED_KEY)?;
    let json = entry.value.as_deref().unwrap_or("");
    let mut options = CdcOptions::default();
    let bytes = |name, usual| {
        number(json, name)
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(usual)
    };
    let (least, most) = (
        bytes("min_chunk_size", options.min_chunk_size),
        bytes("max_chunk_size", options.max_chunk_size),
    );
    if 0 < least && least < most {
        (options.min_chunk_size, options.max_chunk_size) = (least, most);
    }
    options.norm_level = number(json, "norm_level")
        .and_then(|n| i32::try_from(n).ok())
        .filter(|n| n.abs() <= 3)
        .unwrap_or(0);
    Some(options)
}

fn has_page_index(group: &RowGroupMetaData) -> bool {
    group
        .columns()
        .iter()
        .any(|chunk| chunk.offset_index_offset().is_some())
}

/// How the rows of every group are sorted; None if groups differ: a writer declares one order for all. Rows are no
/// longer in the order of column `edited`, nor within it in that of the columns after it.
fn sorting(meta: &ParquetMetaData, edited: Option<usize>) -> Option<Vec<SortingColumn>> {
    let first = meta.row_groups().first()?.sorting_columns()?;
    let left: Vec<_> = first
        .iter()
        .take_while(|column| usize::try_from(column.column_idx).ok() != edited)
        .cloned()
        .collect();
    let same = |group: &RowGroupMetaData| group.sorting_columns() == Some(first);
    (!left.is_empty() && meta.row_groups().iter().all(same)).then_some(left)
}

/// Every page of values takes them from the dictionary: none was too large for it.
fn is_all_dictionary(chunk: &ColumnChunkMetaData) -> bool {
    chunk.page_encoding_stats_mask().is_some_and(|mask| {
        mask.is_only(Encoding::PLAIN_DICTIONARY) || mask.is_only(Encoding::RLE_DICTIONARY)
    })
}

/// The properties of a group: codec, dictionary, encodings, statistics and bloom filter of each column, sorting.
/// `indexed`: it has a page index; `edited`: a column whose values change.
fn like(
    meta: &ParquetMetaData,
    group: Option<&RowGroupMetaData>,
    indexed: bool,
    edited: Option<usize>,
) -> WriterProperties {
    let file = meta.file_metadata();
    let mut made = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(format!("twinset {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(file.key_value_metadata().cloned())
        .set_max_row_group_row_count(None)
        .set_content_defined_chunking(chunking(meta))
        .set_statistics_enabled(EnabledStatistics::None);
    let Some(group) = group else {
        return made.build();
    };
    made = made
        .set_sorting_columns(sorting(meta, edited))
        .set_offset_index_disabled(!indexed);
    for chunk in group.columns() {
        let path = chunk.column_path().clone();
        let codec = match chunk.compression() {
            Compression::ZSTD(_) => Compression::ZSTD(zstd_level(meta)),
            Compression::GZIP(_) => Compression::GZIP(GzipLevel::default()),
            Compression::LZ4 => Compression::LZ4_RAW, // The older framing that nobody should write.
            other => other,
        };
        let dictionary = chunk.dictionary_page_offset().is_some();
        made = made
            .set_column_compression(path.clone(), codec)
            .set_column_dictionary_enabled(path.clone(), dictionary);
        if is_all_dictionary(chunk) {
            let most = usize::try_from(chunk.uncompressed_size()).unwrap_or(0);
            made = made.set_column_dictionary_page_size_limit(
                path.clone(),
                most.max(DEFAULT_DICTIONARY_PAGE_SIZE_LIMIT),
            );
        }
        let encoding = chunk.encodings().find(|encoding| {
            matches!(
                encoding,
                Encoding::DELTA_BINARY_PACKED
                    | Encoding::DELTA_LENGTH_BYTE_ARRAY
                    | Encoding::DELTA_BYTE_ARRAY
                    | Encoding::BYTE_STREAM_SPLIT
            )
        });
        if let (false, Some(encoding)) = (dictionary, encoding) {
            made = made.set_column_encoding(path.clone(), encoding);
        }
        let statistics = match (chunk.column_index_offset(), chunk.statistics()) {
            (Some(_), _) => EnabledStatistics::Page,
            (None, Some(_)) => EnabledStatistics::Chunk,
            (None, None) => EnabledStatistics::None,
        };
        made = made.set_column_statistics_enabled(path.clone(), statistics);
        if chunk.bloom_filter_offset().is_some() {
            let rows = u64::try_from(group.num_rows()).unwrap_or(1).max(1);
            made = made
                .set_column_bloom_filter_enabled(path.clone(), true)
                .set_column_bloom_filter_max_ndv(path, rows);
        }
    }
    made.build()
}

fn keeps(keep: &[u8], row: usize) -> bool {
    keep[row / 8] >> (row % 8) & 1 == 1
}

/// Runs of rows that are kept or not. Rows without a mark are not, and cost nothing: their number is the file's claim.
fn runs(keep: &[u8], rows: Range<usize>) -> impl Iterator<Item = (bool, usize)> + '_ {
    let marked = rows.end.min(keep.len() * 8).max(rows.start);
    let mut row = rows.start;
    std::iter::from_fn(move || {
        let begin = row;
        if begin == rows.end {
            return None;
        }
        let kept = begin < marked && keeps(keep, begin);
        while row < marked && keeps(keep, row) == kept {
            row += 1;
        }
        if row == marked && !kept {
            row = rows.end;
        }
        Some((kept, row - begin))
    })
}

/// New values of rows of a group's column of texts, from the spool.
struct Edits {
    bytes: BufReader<Spooled>,
    /// The row that the next one is of; None after the last.
    row: Option<usize>,
}

impl Edits {
    fn new(spooled: Spooled) -> Result<Edits> {
        let mut made = Edits {
            bytes: BufReader::with_capacity(PIECE_BYTES, spooled),
            row: None,
        };
        made.find_row()?;
        Ok(made)
    }

    fn number(&mut self) -> Result<usize> {
        let mut bytes = [0; 8];
        self.bytes.read_exact(&mut bytes)?;
        Ok(usize::try_from(u64::from_le_bytes(bytes))?)
    }

    fn find_row(&mut self) -> Result<()> {
        let ended = self.bytes.fill_buf()?.is_empty();
        self.row = if ended { None } else { Some(self.number()?) };
        Ok(())
    }

    /// Replaces values of rows, of which `first` is the first; `defined` has a level for each, or none if all have values.
    fn apply(
        &mut self,
        rows: Range<usize>,
        most_defined: i16,
        defined: &[i16],
        values: &mut [ByteArray],
    ) -> Result<()> {
        let (mut row, mut value) = (rows.start, 0);
        while let Some(edited) = self.row.filter(|edited| *edited < rows.end) {
            while row < edited {
                value += usize::from(is_defined(defined, row - rows.start, most_defined));
                row += 1;
            }
            if !is_defined(defined, row - rows.start, most_defined) || value >= values.len() {
                return Err(fault("a text that was read is null now"));
            }
            let mut text = vec![0; self.number()?];
            self.bytes.read_exact(&mut text)?;
            values[value] = text.into();
            self.find_row()?;
        }
        Ok(())
    }
}

fn is_defined(defined: &[i16], level: usize, most: i16) -> bool {
    defined.get(level).is_none_or(|defined| *defined == most)
}

/// `edit` takes rows of the group, and their values and levels.
fn copy_column<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    writer: &mut ColumnWriterImpl<T>,
    runs: impl Iterator<Item = (bool, usize)>,
    at_once: usize,
    sink: &Sink,
    mut edit: impl FnMut(Range<usize>, &[i16], &mut [T::T]) -> Result<()>,
) -> Result<()> {
    let column = writer.get_descriptor();
    let (has_defined, has_repeated) = (column.max_def_level() > 0, column.max_rep_level() > 0);
    let (mut values, mut defined, mut repeated): (Vec<T::T>, Vec<i16>, Vec<i16>) =
        Default::default();
    let (mut rows, mut row, mut passed) = (0, 0, 0);
    for (kept, count) in runs {
        if !kept {
            passed = count;
            row += count;
            continue;
        }
        // Pages after the last kept row are not looked at.
        if passed > 0 && reader.skip_records(passed)? != passed {
            return Err(fault("it ends early"));
        }
        passed = 0;
        let mut left = count;
        while left > 0 {
            let wanted = left.min(at_once - rows);
            let held = (defined.len(), values.len());
            let (got, _, _) = reader.read_records(
                wanted,
                has_defined.then_some(&mut defined),
                has_repeated.then_some(&mut repeated),
                &mut values,
            )?;
            if got == 0 {
                return Err(fault("it ends early"));
            }
            edit(row..row + got, &defined[held.0..], &mut values[held.1..])?;
            left -= got;
            row += got;
            rows += got;
            if rows == at_once {
                sink.check_stopped()?;
                write_rows(writer, &mut values, &mut defined, &mut repeated)?;
                rows = 0;
            }
        }
    }
    if rows > 0 {
        write_rows(writer, &mut values, &mut defined, &mut repeated)?;
    }
    Ok(())
}

fn write_rows<T: DataType>(
    writer: &mut ColumnWriterImpl<T>,
    values: &mut Vec<T::T>,
    defined: &mut Vec<i16>,
    repeated: &mut Vec<i16>,
) -> Result<()> {
    let column = writer.get_descriptor();
    let (has_defined, has_repeated) = (column.max_def_level() > 0, column.max_rep_level() > 0);
    writer.write_batch(
        values,
        has_defined.then_some(&defined[..]),
        has_repeated.then_some(&repeated[..]),
    )?;
    values.clear();
    defined.clear();
    repeated.clear();
    Ok(())
}

fn unchanged<V>(_: Range<usize>, _: &[i16], _: &mut [V]) -> Result<()> {
    Ok(())
}

/// A column chunk, written into the spool. `edits`: none of another column than that of the texts.
fn encode(
    file: &File,
    sink: Sink,
    group: &Group,
    keep: &[u8],
    leaf: usize,
    mut edits: Option<Edits>,
) -> Result<Encoded> {
    let meta = file.metadata().row_group(group.group);
    let chunk = meta.column(leaf);
    let row_bytes = usize::try_from(chunk.uncompressed_size() / meta.num_rows().max(1))
        .unwrap_or(1)
        .max(1);
    let at_once = (BATCH_BYTES / row_bytes).clamp(1, 1024);
    let runs = runs(keep, group.rows.clone());
    let reader = column_reader(&*file.get_row_group(group.group)?, leaf)?;
    let mut bytes = TrackedWrite::new(Pieces::new(sink));
    let pages = Box::new(SerializedPageWriter::new(&mut bytes));
    let mut writer = get_column_writer(chunk.column_descr_ptr(), group.properties.clone(), pages);
    match (reader, &mut writer) {
        (ColumnReader::BoolColumnReader(r), ColumnWriter::BoolColumnWriter(w)) => {
            copy_column(r, w, runs, at_once, &sink, unchanged)?
        }
        (ColumnReader::Int32ColumnReader(r), ColumnWriter::Int32ColumnWriter(w)) => {
            copy_column(r, w, runs, at_once, &sink, unchanged)?
        }
        (ColumnReader::Int64ColumnReader(r), ColumnWriter::Int64ColumnWriter(w)) => {
            copy_column(r, w, runs, at_once, &sink, unchanged)?
        }
        (ColumnReader::Int96ColumnReader(r), ColumnWriter::Int96ColumnWriter(w)) => {
            copy_column(r, w, runs, at_once, &sink, unchanged)?
        }
        (ColumnReader::FloatColumnReader(r), ColumnWriter::FloatColumnWriter(w)) => {
            copy_column(r, w, runs, at_once, &sink, unchanged)?
        }
        (ColumnReader::DoubleColumnReader(r), ColumnWriter::DoubleColumnWriter(w)) => {
            copy_column(r, w, runs, at_once, &sink, unchanged)?
        }
        (ColumnReader::ByteArrayColumnReader(r), ColumnWriter::ByteArrayColumnWriter(w)) => {
            let most = chunk.column_descr().max_def_level();
            let edit = |rows, defined: &[i16], values: &mut [ByteArray]| {
                edits
                    .as_mut()
                    .map_or(Ok(()), |edits| edits.apply(rows, most, defined, values))
            };
            copy_column(r, w, runs, at_once, &sink, edit)?
        }
        (
            ColumnReader::FixedLenByteArrayColumnReader(r),
            ColumnWriter::FixedLenByteArrayColumnWriter(w),
        ) => copy_column(r, w, runs, at_once, &sink, unchanged)?,
        _ => return Err(fault("its type differs within the file")),
    }
    let closed = writer.close()?;
    Ok((bytes.into_inner()?.finish()?, closed))
}

/// Its bytes in the spool.
type Encoded = (Spooled, ColumnCloseResult);

/// A group to write.
struct Group {
    group: usize,
    /// Its bits in the marks of the groups that are written.
    rows: Range<usize>,
    loses_rows: bool,
    /// New texts of its rows in the spool.
    texts: Spooled,
    properties: Arc<WriterProperties>,
    columns: Vec<Option<Encoded>>,
}

impl Group {
    /// Columns that are written anew: all of a group that loses rows, else that of changed texts.
    fn encoded(&self, edited: Option<usize>) -> Vec<usize> {
        if self.loses_rows {
            return (0..self.columns.len()).collect();
        }
        edited
            .filter(|_| !self.texts.is_empty())
            .into_iter()
            .collect()
    }
}

pub struct Copier {
    source: Source,
    sink: Sink,
    file: File,
    /// With the page index, where it can be read: groups are copied with theirs.
    indexed: Option<ParquetMetaData>,
    out: SerializedFileWriter<Sink>,
    threads: usize,
    /// The column whose values may be edited.
    edited: Option<usize>,
}

impl Copier {
    pub fn new(
        source: Source,
        sink: Sink,
        threads: usize,
        edited: Option<usize>,
    ) -> Result<Copier> {
        let file = SerializedFileReader::new(source)?;
        let has_index = file.metadata().row_groups().iter().any(has_page_index);
        let read_index = || {
            ParquetMetaDataReader::new()
                .with_page_index_policy(PageIndexPolicy::Optional)
                .parse_and_finish(&source)
        };
        let indexed = if has_index { read_index().ok() } else { None };
        let first = file.metadata().row_groups().first();
        let properties = Arc::new(like(file.metadata(), first, has_index, edited));
        let schema = file
            .metadata()
            .file_metadata()
            .schema_descr()
            .root_schema_ptr();
        let out = SerializedFileWriter::new(sink, schema, properties)?;
        Ok(Copier {
            source,
            sink,
            file,
            indexed,
            out,
            threads: threads.max(1),
            edited,
        })
    }

    /// Writes the next groups, from `first` on; bit i of `keep` is the i-th row of the first group, and
    /// rows after its last bit are not kept. `texts`: where those of each group begin in the spool, and where the last
    /// group's end.
    pub fn write(&mut self, first: usize, keep: &[u8], texts: &[u64]) -> Result<()> {
        let mut groups = vec![];
        let mut at = 0usize;
        for (i, places) in texts.windows(2).enumerate() {
            let group = first + i;
            let meta = self.file.metadata().row_group(group);
            let rows = usize::try_from(meta.num_rows())?;
            let end = at
                .checked_add(rows)
                .ok_or_else(|| fault("it claims more rows than can be"))?;
            let rows = at..end;
            at = end;
            if !runs(keep, rows.clone()).any(|(kept, _)| kept) {
                continue;
            }
            let indexed = has_page_index(meta);
            let properties = like(self.file.metadata(), Some(meta), indexed, self.edited);
            groups.push(Group {
                group,
                loses_rows: !runs(keep, rows.clone()).all(|(kept, _)| kept),
                rows,
                texts: Spooled::new(self.sink, places[0]..places[1]),
                properties: Arc::new(properties),
                columns: (0..meta.num_columns()).map(|_| None).collect(),
            });
        }
        self.encode_all(&mut groups, keep)?;
        for group in groups {
            self.write_group(group)?;
        }
        Ok(())
    }

    /// Encodes the columns that change, on several threads, the longest first.
    fn encode_all(&self, groups: &mut [Group], keep: &[u8]) -> Result<()> {
        let mut tasks = vec![];
        for (i, group) in groups.iter().enumerate() {
            let meta = self.file.metadata().row_group(group.group);
            let bytes = |leaf| -meta.column(leaf).uncompressed_size();
            let leaves = group.encoded(self.edited).into_iter();
            tasks.extend(leaves.map(|leaf| (bytes(leaf), i, leaf)));
        }
        tasks.sort();
        let (next, done) = (AtomicUsize::new(0), Mutex::new(vec![]));
        let (file, sink, all) = (&self.file, self.sink, &*groups);
        let (tasks, edited) = (&tasks, self.edited);
        let work = || loop {
            let Some(&(_, i, leaf)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let group = &all[i];
            let encode = || {
                let edits = (edited == Some(leaf)).then(|| Edits::new(group.texts.clone()));
                encode(file, sink, group, keep, leaf, edits.transpose()?)
            };
            let made = guard(encode).map_err(|e| {
                let name = file
                    .metadata()
                    .file_metadata()
                    .schema_descr()
                    .column(leaf)
                    .path()
                    .string();
                fault(format!(
                    "row group {}: column {name}: {}",
                    group.group + 1,
                    words(&e)
                ))
            });
            if let Ok(mut done) = done.lock() {
                done.push((i, leaf, made));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.min(tasks.len()) {
                // Where the system gives no thread, this one does its work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut done = done.into_inner().map_err(|_| fault("a thread failed"))?;
        done.sort_by_key(|(i, leaf, _)| (*i, *leaf));
        for (i, leaf, made) in done {
            groups[i].columns[leaf] = Some(made?);
        }
        Ok(())
    }

    /// Columns that were not encoded are copied byte for byte, with their page index and bloom filters.
    fn write_group(&mut self, made: Group) -> Result<()> {
        let group = made.group;
        let meta = self.file.metadata().row_group(group);
        let index = self
            .indexed
            .as_ref()
            .map(|meta| meta.page_index_for_row_group(group));
        let mut out = self.out.next_row_group()?;
        for (leaf, encoded) in made.columns.into_iter().enumerate() {
            self.sink.check_stopped()?;
            if let Some((bytes, closed)) = encoded {
                out.append_column(&bytes, closed)?;
                continue;
            }
            let chunk = meta.column(leaf);
            let (begin, bytes) = chunk.byte_range();
            if chunk
                .dictionary_page_offset()
                .is_some_and(|offset| offset as u64 != begin)
            {
                return Err(fault(format!(
                    "row group {}: the places of its columns are damaged",
                    group + 1
                )));
            }
            let closed = ColumnCloseResult {
                bytes_written: bytes,
                rows_written: u64::try_from(meta.num_rows())?,
                metadata: chunk.clone(),
                bloom_filter: parquet::bloom_filter::Sbbf::read_from_column_chunk(
                    chunk,
                    &self.source,
                )?,
                column_index: index
                    .as_ref()
                    .and_then(|index| index.column_index(leaf))
                    .cloned(),
                offset_index: index
                    .as_ref()
                    .and_then(|index| index.offset_index(leaf))
                    .cloned(),
            };
            out.append_column(&self.source, closed)?;
        }
        out.close()?;
        Ok(())
    }

    pub fn finish(self) -> Result<()> {
        self.out.close()?;
        Ok(())
    }
}
