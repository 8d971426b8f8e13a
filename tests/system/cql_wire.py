"""Speaks the CQL native protocol byte by byte, so that tests can also speak it wrongly. Standard library only."""
import itertools
import socket
import struct
import zlib

ERROR, STARTUP, READY, AUTHENTICATE, OPTIONS, SUPPORTED, QUERY, RESULT = 0, 1, 2, 3, 5, 6, 7, 8
PREPARE, EXECUTE, REGISTER, EVENT, BATCH, AUTH_CHALLENGE, AUTH_RESPONSE, AUTH_SUCCESS = range(9, 17)
COMPRESSED, TRACING, PAYLOAD, WARNING = 1, 2, 4, 8

SERVER_ERROR, PROTOCOL, BAD_CREDENTIALS, OVERLOADED = 0x0000, 0x000A, 0x0100, 0x1001
SYNTAX, UNAUTHORIZED, INVALID, CONFIG, ALREADY_EXISTS, UNPREPARED = 0x2000, 0x2100, 0x2200, 0x2300, 0x2400, 0x2500

# Only a hung server ever gets there.
PATIENCE_S = 60
# Flags of a query's parameters.
VALUES, SKIP_METADATA, PAGE_SIZE, PAGING_STATE, NAMES = 0x01, 0x02, 0x04, 0x08, 0x40
NULL, UNSET = -1, -2


# Primitives of bodies.
def string(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack(">H", len(data)) + data


def long_string(text):
    data = text if isinstance(text, bytes) else text.encode()
    return struct.pack(">i", len(data)) + data


def value(data):
    """A [value]: bytes, or a length without bytes (NULL, UNSET or what no client should send)."""
    return struct.pack(">i", data) if isinstance(data, int) else struct.pack(">i", len(data)) + data


def string_map(entries):
    return struct.pack(">H", len(entries)) + b"".join(string(k) + string(v) for k, v in entries.items())


def parameters(version=4, values=(), names=None, page=None, state=None, skip_metadata=False):
    """The parameters of QUERY and EXECUTE; the state is bytes or a wrong length."""
    flags, body = 0, b""
    if values:
        flags |= VALUES | (NAMES if names else 0)
        body += struct.pack(">H", len(values))
        for index, data in enumerate(values):
            body += (string(names[index]) if names else b"") + value(data)
    if skip_metadata:
        flags |= SKIP_METADATA
    if page is not None:
        flags |= PAGE_SIZE
        body += struct.pack(">i", page)
    if state is not None:
        flags |= PAGING_STATE
        body += value(state)
    return struct.pack(">HI" if version >= 5 else ">HB", 1, flags) + body


def query_body(text, version=4, **given):
    return long_string(text) + parameters(version, **given)


def execute_body(statement_id, version=4, metadata_id=b"", **given):
    return string(statement_id) + (string(metadata_id) if version >= 5 else b"") + parameters(version, **given)


def batch_body(statements, kind=0, version=4):
    """Of (text or id as bytes, values) pairs."""
    body = bytearray(struct.pack(">BH", kind, len(statements) & 0xFFFF))
    for what, values in statements:
        body += b"\x01" + string(what) if isinstance(what, bytes) else b"\x00" + long_string(what)
        body += struct.pack(">H", len(values)) + b"".join(map(value, values))
    return bytes(body) + struct.pack(">HI" if version >= 5 else ">HB", 1, 0)


def envelope(opcode, body=b"", stream=0, version=4, flags=0):
    return struct.pack(">BBhBi", version, flags, stream, opcode, len(body)) + body


# Compression: blocks that any decoder takes, made without a compressor.
def _lz4_length(size):
    """What follows a token whose half says 15."""
    size -= 15
    return b"\xff" * (size // 255) + bytes([size % 255])


def lz4_literals(data):
    return (bytes([len(data) << 4]) if len(data) < 15 else b"\xf0" + _lz4_length(len(data))) + data


def lz4_run(byte, size):
    """`size` (at least 40) times the same byte, in about a 255th of that."""
    match = size - 1 - 8
    return b"\x1f" + byte + b"\x01\x00" + _lz4_length(match - 4) + lz4_literals(byte * 8)


def lz4_decompress(block):
    out, position = bytearray(), 0

    def length(size):
        nonlocal position
        more = 255 if size == 15 else 0
        while more == 255:
            more = block[position]
            position += 1
            size += more
        return size

    while position < len(block):
        token = block[position]
        position += 1
        literals = length(token >> 4)
        out += block[position:position + literals]
        position += literals
        if position >= len(block):
            break
        distance = struct.unpack_from("<H", block, position)[0]
        position += 2
        match = length(token & 15) + 4
        repeated = bytes(out[-distance:])
        out += (repeated * (match // distance + 1))[:match]
    return bytes(out)


def snappy_literals(data):
    size, head = len(data), b""
    while size >= 0x80:
        head += bytes([size & 0x7F | 0x80])
        size >>= 7
    return head + bytes([size]) + (b"\xfc" + struct.pack("<I", len(data) - 1) + data if data else b"")


# Frames of v5.
def _crc24(data):
    crc = 0x875060
    for byte in data:
        crc ^= byte << 16
        for _ in range(8):
            crc <<= 1
            if crc & 0x1000000:
                crc ^= 0x1974F0B
    return crc.to_bytes(3, "little")


def _crc32(data):
    return zlib.crc32(data, zlib.crc32(b"\xfa\x2d\x55\xca")).to_bytes(4, "little")


def frame(payload, self_contained=True):
    head = (len(payload) | self_contained << 17).to_bytes(3, "little")
    return head + _crc24(head) + payload + _crc32(payload)


def lz4_frame(payload, plain_size=0, self_contained=True):
    """`payload` goes as it is; with a plain size it must be an lz4 block."""
    head = (len(payload) | plain_size << 17 | self_contained << 34).to_bytes(5, "little")
    return head + _crc24(head) + payload + _crc32(payload)


class Answer:
    """A message of the server: .opcode, .stream, .flags and .body behind tracing id, warnings and payload."""

    def __init__(self, opcode, stream, flags, body):
        self.opcode, self.stream, self.flags = opcode, stream, flags
        position = 0
        if flags & TRACING:
            position += 16
        if flags & WARNING:
            count = struct.unpack_from(">H", body, position)[0]
            position += 2
            for _ in range(count):
                position += 2 + struct.unpack_from(">H", body, position)[0]
        if flags & PAYLOAD:
            count = struct.unpack_from(">H", body, position)[0]
            position += 2
            for _ in range(count):
                position += 2 + struct.unpack_from(">H", body, position)[0]
                position += 4 + max(0, struct.unpack_from(">i", body, position)[0])
        self.body = body[position:]

    def is_error(self):
        return self.opcode == ERROR

    def code(self):
        """Of an error; else the kind of the result, which is never the code of an error."""
        return struct.unpack_from(">i", self.body)[0]

    def text(self):
        size = struct.unpack_from(">H", self.body, 4)[0]
        return self.body[6:6 + size].decode()

    def prepared_id(self):
        size = struct.unpack_from(">H", self.body, 4)[0]
        return self.body[6:6 + size]

    def paging_state(self):
        """Of rows; None after the last page."""
        flags = struct.unpack_from(">i", self.body, 4)[0]
        if not flags & 2:
            return None
        size = struct.unpack_from(">i", self.body, 12)[0]
        return self.body[16:16 + size]

    def __repr__(self):
        return f"error {self.code():#x}: {self.text()}" if self.is_error() else f"opcode {self.opcode} {self.body[:40]!r}"


class Connection:
    """One socket. Without `start` it is only open; with a `login` (user, password) it logs in."""

    def __init__(self, port, version=4, compression=None, login=None, start=True, receive_buffer=None,
                 address="127.0.0.1"):
        self.version, self.compression, self.framed = version, compression, False
        self.received = bytearray()
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE_S)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect((address, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._pending = b""
        if start:
            self.started = self.start()
            if login and self.started.opcode == AUTHENTICATE:
                self.started = self.log_in(*login)

    def start(self):
        options = {"CQL_VERSION": "3.4.5"}
        if self.compression:
            options["COMPRESSION"] = self.compression
        answer = self.ask(STARTUP, string_map(options))
        if answer.opcode in (READY, AUTHENTICATE):
            self.framed = self.version >= 5
        return answer

    def log_in(self, user, password):
        return self.ask(AUTH_RESPONSE, value(b"\0" + user.encode() + b"\0" + password.encode()))

    # Sending.
    def send_raw(self, data):
        self.socket.sendall(data)

    def wrap(self, envelopes):
        """What these bytes become on the wire: in v5 a frame, or more for what is too large."""
        if not self.framed:
            return envelopes
        make = lz4_frame if self.compression == "lz4" else frame
        if len(envelopes) < 1 << 17:
            return make(envelopes)
        step = (1 << 17) - 1
        return b"".join(make(envelopes[i:i + step], self_contained=False) for i in range(0, len(envelopes), step))

    def send(self, opcode, body=b"", stream=0, flags=0):
        self.send_raw(self.wrap(envelope(opcode, body, stream, self.version, flags)))

    def ask(self, opcode, body=b"", stream=0, flags=0):
        self.send(opcode, body, stream, flags)
        return self.receive()

    def query(self, text, **given):
        return self.ask(QUERY, query_body(text, self.version, **given))

    def prepare(self, text):
        return self.ask(PREPARE, long_string(text) + (bytes(4) if self.version >= 5 else b""))

    def execute(self, statement_id, **given):
        return self.ask(EXECUTE, execute_body(statement_id, self.version, **given))

    # Receiving.
    def _take(self, size):
        while len(self.received) < size:
            chunk = self.socket.recv(1 << 20)
            if not chunk:
                return None
            self.received += chunk
        taken = bytes(self.received[:size])
        del self.received[:size]
        return taken

    def _take_payload(self):
        """One frame's payload, added to what is pending; False at the end."""
        packed = self.compression == "lz4"
        head = self._take(8 if packed else 6)
        if head is None:
            return False
        fields = int.from_bytes(head[:5 if packed else 3], "little")
        body = self._take((fields & 0x1FFFF) + 4)
        if body is None:
            return False
        plain_size = fields >> 17 & 0x1FFFF if packed else 0
        self._pending += lz4_decompress(body[:-4]) if plain_size else body[:-4]
        return True

    def _take_plain(self, size):
        if not self.framed:
            return self._take(size)
        while len(self._pending) < size:
            if not self._take_payload():
                return None
        taken, self._pending = self._pending[:size], self._pending[size:]
        return taken

    def receive(self):
        """The next message; None when the server has closed the connection."""
        try:
            head = self._take_plain(9)
            if head is None:
                return None
            _, flags, stream, opcode, size = struct.unpack(">BBhBi", head)
            body = self._take_plain(size)
        except (ConnectionResetError, BrokenPipeError):
            return None
        if body is None:
            return None
        if flags & COMPRESSED and self.compression == "lz4":
            body = lz4_decompress(body[4:])
        return Answer(opcode, stream, flags, body)

    def receive_all(self):
        """Everything until the server closes."""
        return list(itertools.takewhile(lambda answer: answer is not None, iter(self.receive, object())))

    def finish(self):
        """Says that nothing more will be sent, and gives all answers until the server closes too."""
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        return self.receive_all()

    def close(self):
        self.socket.close()

    def reset(self):
        """Closes so that the server sees a reset, not an end."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
