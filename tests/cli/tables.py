"""Parquet files by the standard library alone, for the harnesses: columns of strings that have no nulls,
uncompressed, in groups of rows with or without an offset index.

    tables.write("a.parquet", {"id": ["a", "b"], "text": ["one", "two"]}, group_rows=1)

After the format's description (parquet.thrift, Thrift's compact protocol). pyarrow reads them in
tests/python/parquet_test.py.
"""

import pathlib
import struct

BYTE_ARRAY, REQUIRED, UTF8, PLAIN, RLE = 6, 0, 0, 0, 3
I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def coded(kind, value):
    """A value of Thrift's compact protocol."""
    if kind in (I32, I64):
        return varint(value << 1 ^ value >> 63)
    if kind == BINARY:
        return varint(len(value)) + value
    if kind == STRUCT:
        return struct_of(*value)
    inner, values = value
    head = bytes([len(values) << 4 | inner]) if len(values) < 15 else bytes([0xF0 | inner]) + varint(len(values))
    return head + b"".join(coded(inner, each) for each in values)


def struct_of(*fields):
    """Fields are (number, kind, value), by number."""
    out, last = b"", 0
    for number, kind, value in fields:
        out += bytes([number - last << 4 | kind]) + coded(kind, value)
        last = number
    return out + b"\0"


def page(values):
    data = b"".join(struct.pack("<I", len(value)) + value for value in values)
    return struct_of((1, I32, 0), (2, I32, len(data)), (3, I32, len(data)),
                     (5, STRUCT, ((1, I32, len(values)), (2, I32, PLAIN), (3, I32, RLE), (4, I32, RLE)))) + data


def write(path, columns, group_rows=1000, page_rows=100, indexed=lambda group: False):
    """`columns`: name -> list of str. `indexed(i)`: the i-th group has an offset index."""
    rows = len(next(iter(columns.values())))
    out = bytearray(b"PAR1")
    groups, indexes = [], []
    for begin in range(0, rows, group_rows):
        count = min(group_rows, rows - begin)
        chunks = []
        for name, values in columns.items():
            values = [value.encode() for value in values[begin:begin + count]]
            start, places = len(out), []
            for first in range(0, count, page_rows):
                made = page(values[first:first + page_rows])
                places.append(((1, I64, len(out)), (2, I32, len(made)), (3, I64, first)))
                out += made
            size = len(out) - start
            chunks.append([(2, I64, start), (3, STRUCT, (
                (1, I32, BYTE_ARRAY), (2, LIST, (I32, [PLAIN, RLE])), (3, LIST, (BINARY, [name.encode()])),
                (4, I32, 0), (5, I64, count), (6, I64, size), (7, I64, size), (9, I64, start)))])
            if indexed(len(groups)):
                indexes.append((chunks[-1], struct_of((1, LIST, (STRUCT, places)))))
        groups.append((chunks, count))
    for chunk, index in indexes:
        chunk += [(4, I64, len(out)), (5, I32, len(index))]
        out += index
    footer = struct_of(
        (1, I32, 1),
        (2, LIST, (STRUCT, [((4, BINARY, b"schema"), (5, I32, len(columns)))] + [
            ((1, I32, BYTE_ARRAY), (3, I32, REQUIRED), (4, BINARY, name.encode()), (6, I32, UTF8)) for name in columns])),
        (3, I64, rows),
        (4, LIST, (STRUCT, [((1, LIST, (STRUCT, chunks)), (2, I64, sum(dict((f[0], f[2]) for f in chunk[1][2])[6] for chunk in chunks)),
                             (3, I64, count)) for chunks, count in groups])),
        (6, BINARY, b"tests/cli/tables.py"))
    pathlib.Path(path).write_bytes(bytes(out) + footer + struct.pack("<I", len(footer)) + b"PAR1")
