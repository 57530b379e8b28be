//! Looks at the footer of a file before the crate reads it: that one takes memory for as many columns as the file
//! claims, and goes as deep as they are nested.
//!
//! A footer is a struct of Thrift's compact protocol; its field 2 is the list of all columns and groups of columns,
//! parents first, each a struct whose field 5 is the number of its children.
use parquet::errors::Result;
use parquet::file::reader::ChunkReader;

use crate::source::{fault, take_varint, Source};
use parquet::file::reader::Length;

const MOST_NESTED: usize = 64;
const MAGIC: &[u8] = b"PAR1";
const ENCRYPTED_MAGIC: &[u8] = b"PARE";
const ENCRYPTED: &str = "it is encrypted, which twinset does not read";

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> Result<u8> {
        let (&first, rest) = self
            .0
            .split_first()
            .ok_or_else(|| fault("its footer ends early"))?;
        self.0 = rest;
        Ok(first)
    }

    fn number(&mut self) -> Result<u64> {
        take_varint(&mut self.0).ok_or_else(|| fault("its footer is damaged"))
    }

    fn pass(&mut self, count: u64) -> Result<()> {
        if count > self.0.len() as u64 {
            return Err(fault("its footer ends early"));
        }
        self.0 = &self.0[count as usize..];
        Ok(())
    }

    /// The kind of elements and their number.
    fn list(&mut self) -> Result<(u8, u64)> {
        let head = self.byte()?;
        let count = if head >> 4 == 15 {
            self.number()?
        } else {
            u64::from(head >> 4)
        };
        // Each takes a byte at least.
        if count > self.0.len() as u64 {
            return Err(fault("its footer ends early"));
        }
        Ok((head & 15, count))
    }

    /// The number and kind of the next field of a struct; None at its end.
    fn field(&mut self, last: &mut u64) -> Result<Option<(u64, u8)>> {
        let head = self.byte()?;
        if head == 0 {
            return Ok(None);
        }
        *last = if head >> 4 == 0 {
            self.number()? >> 1
        } else {
            last.saturating_add(u64::from(head >> 4))
        };
        Ok(Some((*last, head & 15)))
    }

    fn skip(&mut self, kind: u8, in_list: bool, depth: usize) -> Result<()> {
        if depth > MOST_NESTED {
            return Err(fault("its footer is nested too deeply"));
        }
        match kind {
            1 | 2 if !in_list => {}
            1..=3 => self.pass(1)?,
            4..=6 => {
                self.number()?;
            }
            7 => self.pass(8)?,
            8 => {
                let bytes = self.number()?;
                self.pass(bytes)?;
            }
            9 | 10 => {
                let (kind, count) = self.list()?;
                for _ in 0..count {
                    self.skip(kind, true, depth + 1)?;
                }
            }
            12 => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    self.skip(kind, false, depth + 1)?;
                }
            }
            _ => return Err(fault("its footer is damaged")),
        }
        Ok(())
    }

    /// The number of children of the next column or group of columns.
    fn children(&mut self) -> Result<u64> {
        let (mut last, mut children) = (0, 0);
        while let Some((number, kind)) = self.field(&mut last)? {
            if number == 5 && (4..=6).contains(&kind) {
                children = self.number()? >> 1;
            } else {
                self.skip(kind, false, 0)?;
            }
        }
        Ok(children)
    }
}

/// Refuses a schema with more columns than its list has, or one nested too deeply.
fn check_schema(bytes: &mut Bytes) -> Result<()> {
    let (_, count) = bytes.list()?;
    let mut open: Vec<u64> = vec![]; // Children still to come, by depth.
    for i in 0..count {
        while open.last() == Some(&0) {
            open.pop();
        }
        if let Some(left) = open.last_mut() {
            *left -= 1;
        }
        let children = bytes.children()?;
        if children > count - i - 1 {
            return Err(fault(
                "its footer is damaged: a group claims more columns than there are",
            ));
        }
        open.push(children);
        if open.len() > MOST_NESTED {
            return Err(fault("its columns are nested too deeply"));
        }
    }
    Ok(())
}

fn check_footer(footer: &[u8]) -> Result<()> {
    let mut bytes = Bytes(footer);
    let mut last = 0;
    let mut has_schema = false;
    while let Some((number, kind)) = bytes.field(&mut last)? {
        match (number, kind) {
            (2, 9) => {
                check_schema(&mut bytes)?;
                has_schema = true;
            }
            // How columns are encrypted, in a footer that is not.
            (8, _) => return Err(fault(ENCRYPTED)),
            _ => bytes.skip(kind, false, 0)?,
        }
    }
    if has_schema {
        Ok(())
    } else {
        Err(fault("its footer names no columns"))
    }
}

/// Errors: no Parquet, a file cut off, an encrypted one, a footer that cannot be.
pub fn check(source: &Source) -> Result<()> {
    let size = source.len();
    if size < 12 {
        return Err(fault(if size == 0 {
            "it is empty"
        } else {
            "it is cut off: Parquet ends with a footer"
        }));
    }
    let end = source.get_bytes(size - 8, 8)?;
    if &end[4..] == ENCRYPTED_MAGIC {
        return Err(fault(ENCRYPTED));
    }
    if &end[4..] != MAGIC {
        return Err(fault("it is cut off: Parquet ends with a footer"));
    }
    let bytes = u64::from(u32::from_le_bytes([end[0], end[1], end[2], end[3]]));
    if bytes > size - 12 {
        return Err(fault(
            "its footer is damaged: it would be longer than the file",
        ));
    }
    check_footer(&source.get_bytes(size - 8 - bytes, bytes as usize)?)
}
