//! Pages whose claims are held against their bytes before the crate takes memory for what they claim.
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::{get_column_reader, ColumnReader};
use parquet::errors::Result;
use parquet::file::reader::RowGroupReader;
use parquet::schema::types::ColumnDescriptor;

use crate::source::{fault, take_varint};

/// Values and nulls of a page of lists: a row may take all of them, and repeated ones have no bytes.
const MOST_LISTED: u64 = 1 << 26;
const MOST_BLOCK: u64 = 1 << 20;

struct CheckedPages {
    pages: Box<dyn PageReader>,
    column: Arc<ColumnDescriptor>,
}

/// A reader of a column of a group, as the group's own but for pages that claim what they cannot hold.
pub fn column_reader(group: &dyn RowGroupReader, leaf: usize) -> Result<ColumnReader> {
    let column = group.metadata().column(leaf).column_descr_ptr();
    let pages = Box::new(CheckedPages {
        pages: group.get_column_page_reader(leaf)?,
        column: column.clone(),
    });
    Ok(get_column_reader(column, pages))
}

fn early() -> parquet::errors::ParquetError {
    fault("a page ends early")
}

fn number(bytes: &mut &[u8]) -> Result<u64> {
    take_varint(bytes).ok_or_else(early)
}

fn pass(bytes: &mut &[u8], count: usize) -> Result<()> {
    *bytes = bytes.get(count..).ok_or_else(early)?;
    Ok(())
}

/// Passes over numbers as DELTA_BINARY_PACKED writes them: of a block's size, blocks within it, number of values and the
/// first one; then the blocks. `most`: values that may be.
fn pass_deltas(bytes: &mut &[u8], most: u64) -> Result<()> {
    let (block, parts) = (number(bytes)?, number(bytes)?);
    let mut left = number(bytes)?;
    number(bytes)?;
    if left > most || block > MOST_BLOCK || parts == 0 || block == 0 || block % parts != 0 {
        return Err(fault("a page claims more values than it has"));
    }
    left = left.saturating_sub(1);
    let of_part = block / parts;
    while left > 0 {
        number(bytes)?;
        let widths = *bytes;
        pass(bytes, parts as usize)?;
        for &width in &widths[..parts as usize] {
            if left == 0 {
                break;
            }
            pass(bytes, usize::from(width) * of_part as usize / 8)?;
            left -= left.min(of_part);
        }
    }
    Ok(())
}

/// Passes over the levels of a page of the first version.
fn pass_levels(bytes: &mut &[u8], most: i16, encoding: Encoding, levels: u64) -> Result<()> {
    if most <= 0 {
        return Ok(());
    }
    if encoding == Encoding::RLE {
        let length = bytes.first_chunk().ok_or_else(early)?;
        let length = u32::from_le_bytes(*length) as usize;
        pass(bytes, 4)?;
        return pass(bytes, length);
    }
    let width = u64::from(16 - most.leading_zeros());
    pass(bytes, usize::try_from((levels * width).div_ceil(8))?)
}

impl CheckedPages {
    fn check_dictionary(&self, buf: &Bytes, values: u32) -> Result<()> {
        let least = match self.column.physical_type() {
            Physical::INT64 | Physical::DOUBLE => 8,
            Physical::INT96 => 12,
            Physical::FIXED_LEN_BYTE_ARRAY => self.column.type_length().max(1) as u64,
            Physical::BOOLEAN => 1,
            _ => 4, // Of a text, its length.
        };
        if u64::from(values) * least > buf.len() as u64 {
            return Err(fault("a dictionary claims more values than it has"));
        }
        Ok(())
    }

    fn check_values(&self, mut values: &[u8], encoding: Encoding, most: u64) -> Result<()> {
        if self.column.max_rep_level() > 0 && most > MOST_LISTED {
            return Err(fault(
                "a page claims more values than twinset reads at once",
            ));
        }
        if values.is_empty() {
            return Ok(());
        }
        match encoding {
            Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => {
                pass_deltas(&mut values, most)
            }
            Encoding::DELTA_BYTE_ARRAY => {
                pass_deltas(&mut values, most)?;
                pass_deltas(&mut values, most)
            }
            _ => Ok(()),
        }
    }

    fn check(&self, page: &Page) -> Result<()> {
        match page {
            Page::DictionaryPage {
                buf, num_values, ..
            } => self.check_dictionary(buf, *num_values),
            Page::DataPage {
                buf,
                num_values,
                encoding,
                def_level_encoding,
                rep_level_encoding,
                ..
            } => {
                let (mut values, levels) = (&buf[..], u64::from(*num_values));
                let column = &self.column;
                pass_levels(
                    &mut values,
                    column.max_rep_level(),
                    *rep_level_encoding,
                    levels,
                )?;
                pass_levels(
                    &mut values,
                    column.max_def_level(),
                    *def_level_encoding,
                    levels,
                )?;
                self.check_values(values, *encoding, levels)
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let mut values = &buf[..];
                pass(&mut values, *rep_levels_byte_len as usize)?;
                pass(&mut values, *def_levels_byte_len as usize)?;
                self.check_values(values, *encoding, u64::from(*num_values))
            }
        }
    }

    fn checked(&self, page: Option<Page>) -> Result<Option<Page>> {
        page.as_ref().map_or(Ok(()), |page| self.check(page))?;
        Ok(page)
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        self.checked(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn supports_deferred_dictionary(&self) -> bool {
        self.pages.supports_deferred_dictionary()
    }

    fn take_deferred_dictionary(&mut self) -> Result<Option<Page>> {
        let page = self.pages.take_deferred_dictionary()?;
        self.checked(page)
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}
