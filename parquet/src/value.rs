//! Values of columns as tokens of JSON: numbers and truth values as written there, everything else as the bytes of a
//! string. Dates and times are written as ISO 8601 does, decimals as numbers.
use parquet::basic::{ConvertedType, LogicalType, TimeUnit};
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::schema::types::ColumnDescriptor;

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Plain,
    Unsigned,
    Date,
    /// Units in a second; true: with a Z.
    Time(i64),
    Timestamp(i64, bool),
    Decimal(usize),
    Uuid,
    Half,
}

/// What a value became.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Token,
    String,
    /// NaN and infinity: JSON has none, so the value counts as missing.
    None,
}

fn units(unit: &TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => 1_000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    }
}

pub fn form_of(column: &ColumnDescriptor) -> Form {
    let scale = column.type_scale().max(0) as usize;
    match column.logical_type_ref() {
        Some(LogicalType::Date) => return Form::Date,
        Some(LogicalType::Time(time)) => return Form::Time(units(&time.unit)),
        Some(LogicalType::Timestamp(time)) => {
            return Form::Timestamp(units(&time.unit), time.is_adjusted_to_u_t_c)
        }
        Some(LogicalType::Integer(int)) if !int.is_signed => return Form::Unsigned,
        Some(LogicalType::Decimal(_)) => return Form::Decimal(scale),
        Some(LogicalType::Uuid) => return Form::Uuid,
        Some(LogicalType::Float16) => return Form::Half,
        _ => {}
    }
    match column.converted_type() {
        ConvertedType::DATE => Form::Date,
        ConvertedType::TIME_MILLIS => Form::Time(1_000),
        ConvertedType::TIME_MICROS => Form::Time(1_000_000),
        ConvertedType::TIMESTAMP_MILLIS => Form::Timestamp(1_000, true),
        ConvertedType::TIMESTAMP_MICROS => Form::Timestamp(1_000_000, true),
        ConvertedType::UINT_8
        | ConvertedType::UINT_16
        | ConvertedType::UINT_32
        | ConvertedType::UINT_64 => Form::Unsigned,
        ConvertedType::DECIMAL => Form::Decimal(scale),
        _ => Form::Plain,
    }
}

/// Appends a value; returns what it became.
pub trait Write {
    fn write(&self, form: Form, out: &mut Vec<u8>) -> Kind;
}

fn push(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    let _ = std::io::Write::write_fmt(out, text);
}

/// The day of the calendar, by days since 1970-01-01 (H. Hinnant, "chrono-compatible low-level date algorithms").
fn write_day(days: i64, out: &mut Vec<u8>) {
    let shifted = days.saturating_add(719_468);
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    push(out, format_args!("{year:04}-{month:02}-{day:02}"));
}

/// `units` in a second; their digits are written if there are some.
fn write_clock(value: i64, units: i64, out: &mut Vec<u8>) {
    let seconds = value.div_euclid(units);
    let rest = value.rem_euclid(units);
    push(
        out,
        format_args!(
            "{:02}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        ),
    );
    if rest != 0 {
        let digits = units.ilog10() as usize;
        push(out, format_args!(".{rest:0digits$}"));
    }
}

fn write_timestamp(value: i64, units: i64, utc: bool, out: &mut Vec<u8>) {
    let day = units * 86_400;
    write_day(value.div_euclid(day), out);
    out.push(b'T');
    write_clock(value.rem_euclid(day), units, out);
    if utc {
        out.push(b'Z');
    }
}

fn write_decimal(value: i128, scale: usize, out: &mut Vec<u8>) {
    let digits = format!("{:0width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, part) = digits.split_at(digits.len() - scale);
    push(
        out,
        format_args!("{}{whole}", if value < 0 { "-" } else { "" }),
    );
    if scale > 0 {
        push(out, format_args!(".{part}"));
    }
}

fn write_float(value: f64, out: &mut Vec<u8>) -> Kind {
    if !value.is_finite() {
        return Kind::None;
    }
    push(out, format_args!("{value:?}"));
    Kind::Token
}

fn write_integer(value: i64, unsigned: u64, form: Form, out: &mut Vec<u8>) -> Kind {
    match form {
        Form::Unsigned => push(out, format_args!("{unsigned}")),
        Form::Date => write_day(value, out),
        Form::Time(units) => write_clock(value, units, out),
        Form::Timestamp(units, utc) => write_timestamp(value, units, utc, out),
        Form::Decimal(scale) => write_decimal(value.into(), scale, out),
        _ => push(out, format_args!("{value}")),
    }
    match form {
        Form::Date | Form::Time(_) | Form::Timestamp(..) => Kind::String,
        _ => Kind::Token,
    }
}

/// A big-endian two's complement number of at most 16 bytes.
fn big_endian(bytes: &[u8]) -> Option<i128> {
    if bytes.len() > 16 {
        return None;
    }
    let start = if bytes.first().is_some_and(|b| *b >= 0x80) {
        -1
    } else {
        0
    };
    Some(
        bytes
            .iter()
            .fold(start, |value: i128, byte| value << 8 | i128::from(*byte)),
    )
}

fn write_bytes(bytes: &[u8], form: Form, out: &mut Vec<u8>) -> Kind {
    match (form, bytes.len()) {
        (Form::Decimal(scale), _) => {
            if let Some(value) = big_endian(bytes) {
                write_decimal(value, scale, out);
                return Kind::Token;
            }
        }
        (Form::Uuid, 16) => {
            for (i, byte) in bytes.iter().enumerate() {
                let dash = if matches!(i, 4 | 6 | 8 | 10) { "-" } else { "" };
                push(out, format_args!("{dash}{byte:02x}"));
            }
            return Kind::String;
        }
        (Form::Half, 2) => {
            let bits = u16::from_le_bytes([bytes[0], bytes[1]]);
            let (exponent, part) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
            let size = match exponent {
                0 => part * 2f64.powi(-24),
                31 => f64::INFINITY,
                _ => (1024.0 + part) * 2f64.powi(exponent - 25),
            };
            return write_float(if bits >> 15 == 1 { -size } else { size }, out);
        }
        _ => {}
    }
    out.extend_from_slice(bytes);
    Kind::String
}

impl Write for bool {
    fn write(&self, _: Form, out: &mut Vec<u8>) -> Kind {
        push(out, format_args!("{self}"));
        Kind::Token
    }
}
impl Write for i32 {
    fn write(&self, form: Form, out: &mut Vec<u8>) -> Kind {
        write_integer((*self).into(), (*self as u32).into(), form, out)
    }
}
impl Write for i64 {
    fn write(&self, form: Form, out: &mut Vec<u8>) -> Kind {
        write_integer(*self, *self as u64, form, out)
    }
}
impl Write for Int96 {
    /// Nanoseconds of a day, then the Julian day.
    fn write(&self, _: Form, out: &mut Vec<u8>) -> Kind {
        let data = self.data();
        write_day(i64::from(data[2] as i32) - 2_440_588, out);
        out.push(b'T');
        let nanoseconds = u64::from(data[1]) << 32 | u64::from(data[0]);
        write_clock(
            (nanoseconds % 86_400_000_000_000) as i64,
            1_000_000_000,
            out,
        );
        Kind::String
    }
}
impl Write for f32 {
    /// The shortest number that is this one of 32 bits.
    fn write(&self, _: Form, out: &mut Vec<u8>) -> Kind {
        if !self.is_finite() {
            return Kind::None;
        }
        push(out, format_args!("{self:?}"));
        Kind::Token
    }
}
impl Write for f64 {
    fn write(&self, _: Form, out: &mut Vec<u8>) -> Kind {
        write_float(*self, out)
    }
}
impl Write for ByteArray {
    fn write(&self, form: Form, out: &mut Vec<u8>) -> Kind {
        write_bytes(self.data(), form, out)
    }
}
impl Write for FixedLenByteArray {
    fn write(&self, form: Form, out: &mut Vec<u8>) -> Kind {
        write_bytes(self.data(), form, out)
    }
}

/// Appends a string of JSON, with U+FFFD for bytes that are not UTF-8.
pub fn quote(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in String::from_utf8_lossy(bytes).as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0..=0x1f => push(out, format_args!("\\u{byte:04x}")),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
