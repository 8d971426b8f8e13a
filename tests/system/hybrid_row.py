"""Batches as the client for .NET sends and reads them: RecordIO streams of HybridRow rows (docs/format/sql.md).

Written from the format's description, apart from the server's own reader and writer.
"""
import struct
import zlib

VERSION = 0x81
SEGMENT, RECORD, OPERATION, RESULT = 2147473648, 2147473649, 2145473648, 2145473649
OPERATION_TYPES = {"Create": 0, "Patch": 1, "Read": 2, "Delete": 4, "Replace": 5, "Upsert": 20}
DOCUMENT = 2
VARIABLE = ["partitionKey", "effectivePartitionKey", "id", "binaryId", "resourceBody"]
# Names have numbers from 1 on, fixed and variable columns first.
SPARSE_TEXTS = {"indexingDirective": 8, "ifMatch": 9, "ifNoneMatch": 10}
MINIMAL = 12
RESULT_NAMES = ["statusCode", "subStatusCode", "eTag", "resourceBody", "retryAfterMilliseconds", "requestCharge"]


def varint(number: int) -> bytes:
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def counted(data: bytes) -> bytes:
    return varint(len(data)) + data


def header(schema: int) -> bytes:
    return struct.pack("<Bi", VERSION, schema)


def record(row: bytes) -> bytes:
    return header(RECORD) + struct.pack("<II", len(row), zlib.crc32(row)) + row


def operation(kind: str, minimal=False, **columns) -> bytes:
    """One operation; columns as text."""
    present, variable, sparse = 0b11, b"", b""
    for index, name in enumerate(VARIABLE):
        if name in columns:
            present |= 1 << (2 + index)
            variable += counted(columns[name].encode())
    for name, number in SPARSE_TEXTS.items():
        if name in columns:
            sparse += b"\x14" + varint(number) + counted(columns[name].encode())
    if minimal:
        sparse += b"\x03" + varint(MINIMAL)
    return record(header(OPERATION) + struct.pack("<Bii", present, OPERATION_TYPES[kind], DOCUMENT) + variable + sparse)


def batch(*operations: bytes) -> bytes:
    return header(SEGMENT) + struct.pack("<Bi", 1, 10) + b"".join(operations)


class Reader:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        taken = self.data[self.at:self.at + count]
        assert len(taken) == count, "the stream ends too soon"
        self.at += count
        return taken

    def unpack(self, form: str):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def varint(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def counted(self) -> bytes:
        return self.take(self.varint())

    @property
    def done(self) -> bool:
        return self.at == len(self.data)


def result(row: bytes) -> dict:
    reader = Reader(row)
    assert reader.unpack("Bi") == (VERSION, RESULT)
    (present,) = reader.unpack("B")
    found = dict(zip(RESULT_NAMES, reader.unpack("ii")))
    for bit, name in ((2, "eTag"), (3, "resourceBody")):
        if present >> bit & 1:
            found[name] = reader.counted().decode()
    while not reader.done:
        (code,) = reader.unpack("B")
        name = RESULT_NAMES[reader.varint() - 1]
        (found[name],) = reader.unpack({11: "I", 16: "d"}[code])
    return found


def results(stream: bytes) -> list:
    reader = Reader(stream)
    assert reader.unpack("Bi") == (VERSION, SEGMENT)
    assert reader.unpack("Bi") == (1, 10)
    rows = []
    while not reader.done:
        assert reader.unpack("Bi") == (VERSION, RECORD)
        length, checksum = reader.unpack("II")
        row = reader.take(length)
        assert zlib.crc32(row) == checksum, "a wrong checksum"
        rows.append(result(row))
    return rows
