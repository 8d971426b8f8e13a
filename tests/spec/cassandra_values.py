"""CQL values between wire bytes and the literals of spec files; types are the Python driver's type classes.

Values are formatted from the bytes that came, not from the driver's Python objects: those cannot hold every
timestamp, date, NaN or empty value that CQL can.
"""
import datetime
import decimal
import ipaddress
import re
import struct
import uuid

from cassandra.cqltypes import UserType

QUOTE = "'"
EPOCH = datetime.datetime(1970, 1, 1)
INTEGERS = {"tinyint": 1, "smallint": 2, "int": 4, "bigint": 8, "counter": 8}
NANOS = {"h": 3600 * 10**9, "m": 60 * 10**9, "s": 10**9, "ms": 10**6, "us": 1000, "ns": 1}
# Drivers of this age know no vectors: they arrive as a custom type with this name, the second parameter its size.
VECTOR = "org.apache.cassandra.db.marshal.VectorType"


def type_name(cql_type):
    """The type as CQL writes it, without `frozen`, which results do not carry."""
    name = cql_type.typename.strip(QUOTE)
    if name == "varchar":
        return "text"
    if name in ("list", "set", "map", "tuple"):
        return f"{name}<{', '.join(map(type_name, cql_type.subtypes))}>"
    if name == VECTOR:
        return f"vector<{type_name(cql_type.subtypes[0])}, {cql_type.subtypes[1].typename.strip(QUOTE)}>"
    return name


# Bytes to literal.


def quoted(text):
    shown = "".join(c if c.isprintable() and c != "\\" else c.encode("unicode_escape").decode() for c in text)
    return "'" + shown.replace("'", "''") + "'"


def unquoted(literal):
    plain = literal[1:-1].replace("''", "'")
    return plain.encode("latin-1", "backslashreplace").decode("unicode_escape")


def _shortest_float(data):
    (value,) = struct.unpack(">f", data)
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        try:
            if struct.pack(">f", float(text)) == data:
                return float(text)
        except OverflowError:
            pass
    return value


def _format_real(value):
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def _format_timestamp(ms):
    try:
        moment = EPOCH + datetime.timedelta(milliseconds=ms)
    except OverflowError:
        return str(ms)
    return f"'{moment.strftime('%Y-%m-%d %H:%M:%S').rjust(19, '0')}.{ms % 1000:03}+0000'"


def _format_date(days):
    try:
        return f"'{(EPOCH + datetime.timedelta(days=days)).date()}'"
    except OverflowError:
        return str(days)


def _format_time(nanos):
    seconds, nanos = divmod(nanos, 10**9)
    return f"'{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{nanos:09}'"


def _read_vint(data, at):
    extra = 0
    while extra < 8 and data[at] & (0x80 >> extra):
        extra += 1
    value = data[at] & (0xFF >> extra)
    for byte in data[at + 1:at + 1 + extra]:
        value = value << 8 | byte
    return (value >> 1) ^ -(value & 1), at + 1 + extra


def _format_duration(data):
    months, at = _read_vint(data, 0)
    days, at = _read_vint(data, at)
    nanos, at = _read_vint(data, at)
    negative = min(months, days, nanos) < 0
    parts = [(abs(months) // 12, "y"), (abs(months) % 12, "mo"), (abs(days), "d")]
    rest = abs(nanos)
    for unit, size in NANOS.items():
        parts.append((rest // size, unit))
        rest %= size
    return ("-" if negative else "") + "".join(f"{count}{unit}" for count, unit in parts if count) if months or days or nanos else "0ns"


def _elements(data, count_of):
    """`count_of` elements, or as many as the bytes say when it is None; None for null."""
    at = 0
    if count_of is None:
        (count_of,) = struct.unpack_from(">i", data)
        at = 4
    elements = []
    while len(elements) < count_of and at < len(data):
        (size,) = struct.unpack_from(">i", data, at)
        at += 4
        elements.append(None if size < 0 else data[at:at + size])
        at += max(size, 0)
    return elements + [None] * (count_of - len(elements))


def _format_vector(data, element):
    """Of elements of a fixed size, which the bytes do not repeat."""
    size = struct.calcsize({"float": ">f", "double": ">d", "int": ">i", "bigint": ">q"}[type_name(element)])
    return "[" + ", ".join(format_value(data[at:at + size], element) for at in range(0, len(data), size)) + "]"


def format_value(data, cql_type):
    if data is None:
        return "null"
    name = type_name(cql_type).partition("<")[0]
    if name in ("text", "ascii"):
        return quoted(data.decode())
    if name == "blob":
        return "0x" + data.hex()
    if not data:
        return "empty"
    if name in INTEGERS or name == "varint":
        return str(int.from_bytes(data, "big", signed=True))
    if name == "boolean":
        return "true" if data != b"\0" else "false"
    if name == "float":
        return _format_real(_shortest_float(data))
    if name == "double":
        return _format_real(struct.unpack(">d", data)[0])
    if name == "decimal":
        unscaled = int.from_bytes(data[4:], "big", signed=True)
        return str(decimal.Decimal((unscaled < 0, tuple(map(int, str(abs(unscaled)))), -struct.unpack(">i", data[:4])[0])))
    if name in ("uuid", "timeuuid"):
        return str(uuid.UUID(bytes=data))
    if name == "inet":
        return f"'{ipaddress.ip_address(data)}'"
    if name == "timestamp":
        return _format_timestamp(struct.unpack(">q", data)[0])
    if name == "date":
        return _format_date(struct.unpack(">I", data)[0] - 2**31)
    if name == "time":
        return _format_time(struct.unpack(">q", data)[0])
    if name == "duration":
        return _format_duration(data)
    if name == "list":
        return "[" + ", ".join(format_value(e, cql_type.subtypes[0]) for e in _elements(data, None)) + "]"
    if name == "set":
        return "{" + ", ".join(format_value(e, cql_type.subtypes[0]) for e in _elements(data, None)) + "}"
    if name == "map":
        (count,) = struct.unpack_from(">i", data)
        flat = _elements(data[4:], 2 * count)
        pairs = zip(flat[::2], flat[1::2])
        return "{" + ", ".join(": ".join(map(format_value, pair, cql_type.subtypes)) for pair in pairs) + "}"
    if name == "tuple":
        return "(" + ", ".join(map(format_value, _elements(data, len(cql_type.subtypes)), cql_type.subtypes)) + ")"
    if name == "vector":
        return _format_vector(data, cql_type.subtypes[0])
    if issubclass(cql_type, UserType):
        fields = _elements(data, len(cql_type.subtypes))
        return "{" + ", ".join(f"{n}: {format_value(f, t)}" for n, f, t in zip(cql_type.fieldnames, fields, cql_type.subtypes)) + "}"
    return f"{name}:0x{data.hex()}"


# Literal to bytes, for the values of bind markers.

TOKEN = re.compile(r"""\s*(?:(?P<string>'(?:[^']|'')*')|(?P<raw>raw\s+0x[0-9a-fA-F]*)|(?P<blob>0x[0-9a-fA-F]*)
    |(?P<uuid>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})|(?P<number>-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)
    |(?P<word>-?[A-Za-z_]\w*)|(?P<mark>[\[\](){},:]))""", re.VERBOSE)
UNSET = object()


class Raw(bytes):
    """Bytes that are sent as they are, whatever the type."""


class _Parser:
    def __init__(self, text):
        self.tokens = []
        at = 0
        while text[at:].strip():
            match = TOKEN.match(text, at)
            if match is None:
                raise ValueError(f"not a literal: {text[at:]}")
            self.tokens.append((match.lastgroup, match.group(match.lastgroup)))
            at = match.end()

    def peek(self):
        return self.tokens[0][1] if self.tokens else ""

    def series(self, end, item):
        items = []
        while self.peek() != end:
            items.append(item())
            if self.peek() != ",":
                break
            self.tokens.pop(0)
        if end:
            self.tokens.pop(0)
        return items

    def pair_or_element(self):
        key = self.value()
        if self.peek() != ":":
            return key
        self.tokens.pop(0)
        return key, self.value()

    def value(self):
        kind, text = self.tokens.pop(0)
        if kind == "mark":
            if text == "{":
                items = self.series("}", self.pair_or_element)
                return dict(items) if items and isinstance(items[0], tuple) else items
            return self.series("]" if text == "[" else ")", self.value)
        if kind == "string":
            return text[1:-1].replace("''", "'")
        if kind == "raw":
            return Raw.fromhex(text.split("0x")[1])
        if kind == "blob":
            return bytes.fromhex(text[2:])
        if kind == "uuid":
            return uuid.UUID(text)
        if kind == "number":
            return int(text) if re.fullmatch(r"-?\d+", text) else decimal.Decimal(text)
        return {"null": None, "unset": UNSET, "true": True, "false": False}.get(text, text)


def parse_values(text):
    """A comma-separated list of literals. Names of UDT fields are written bare: {street: 'x'}."""
    parser = _Parser(text)
    values = parser.series("", parser.value)
    if parser.tokens:
        raise ValueError(f"not a list of literals: {text}")
    return values


def _encode_varint(value):
    return value.to_bytes((value if value >= 0 else ~value).bit_length() // 8 + 1, "big", signed=True)


def _join(parts):
    return b"".join(struct.pack(">i", -1) if p is None else struct.pack(">i", len(p)) + p for p in parts)


def encode_value(value, cql_type):
    """Wire bytes, None for null; UNSET and Raw pass."""
    if value is None or value is UNSET:
        return value
    if isinstance(value, Raw):
        return bytes(value)
    name = type_name(cql_type).partition("<")[0]
    if name in INTEGERS:
        return value.to_bytes(INTEGERS[name], "big", signed=True)
    if name == "varint":
        return _encode_varint(value)
    if name in ("text", "ascii"):
        return value.encode()
    if name == "blob":
        return value
    if name == "boolean":
        return b"\1" if value else b"\0"
    if name in ("float", "double"):
        return struct.pack(">f" if name == "float" else ">d", float(value))
    if name == "decimal":
        sign, digits, exponent = decimal.Decimal(value).as_tuple()
        return struct.pack(">i", -exponent) + _encode_varint((-1 if sign else 1) * int("".join(map(str, digits))))
    if name in ("uuid", "timeuuid"):
        return value.bytes
    if name == "inet":
        return ipaddress.ip_address(value).packed
    if name == "timestamp":
        if isinstance(value, str):
            value = (datetime.datetime.fromisoformat(value) - EPOCH) // datetime.timedelta(milliseconds=1)
        return struct.pack(">q", value)
    if name == "date":
        return struct.pack(">I", (datetime.date.fromisoformat(value) - EPOCH.date()).days + 2**31)
    if name == "time":
        return struct.pack(">q", value)
    if name in ("list", "set"):
        return struct.pack(">i", len(value)) + _join(encode_value(v, cql_type.subtypes[0]) for v in value)
    if name == "map":
        flat = [encode_value(part, t) for pair in dict(value).items() for part, t in zip(pair, cql_type.subtypes)]
        return struct.pack(">i", len(value)) + _join(flat)
    if name == "tuple":
        return _join(map(encode_value, value, cql_type.subtypes))
    if issubclass(cql_type, UserType):
        return _join(encode_value(value.get(n), t) for n, t in zip(cql_type.fieldnames, cql_type.subtypes))
    raise ValueError(f"no literal for {name}: write raw 0x...")
