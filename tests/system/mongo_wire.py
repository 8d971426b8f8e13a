"""Just enough of MongoDB's wire protocol to send a command and read its reply."""
import socket
import struct


class Uuid(bytes):
    """16 bytes of BSON's binary subtype 4."""


class Long(int):
    """An int64."""


def _element(name, value):
    key = name.encode() + b"\0"
    if isinstance(value, bool):
        return b"\x08" + key + (b"\1" if value else b"\0")
    if isinstance(value, Long):
        return b"\x12" + key + struct.pack("<q", value)
    if isinstance(value, int):
        return b"\x10" + key + struct.pack("<i", value)
    if isinstance(value, float):
        return b"\x01" + key + struct.pack("<d", value)
    if isinstance(value, str):
        text = value.encode() + b"\0"
        return b"\x02" + key + struct.pack("<i", len(text)) + text
    if isinstance(value, Uuid):
        return b"\x05" + key + struct.pack("<i", len(value)) + b"\4" + bytes(value)
    if isinstance(value, dict):
        return b"\x03" + key + encode(value)
    if isinstance(value, list):
        return b"\x04" + key + encode({str(i): x for i, x in enumerate(value)})
    raise TypeError(type(value))


def encode(document):
    body = b"".join(_element(name, value) for name, value in document.items())
    return struct.pack("<i", len(body) + 5) + body + b"\0"


def decode(data):
    """Documents of the types above; others are an error."""
    at, end, document = 4, struct.unpack_from("<i", data)[0] - 1, {}
    while at < end:
        kind, stop = data[at], data.index(b"\0", at + 1)
        name, at = data[at + 1:stop].decode(), stop + 1
        if kind in (0x03, 0x04):
            size = struct.unpack_from("<i", data, at)[0]
            value, at = decode(data[at:at + size]), at + size
            if kind == 0x04:
                value = list(value.values())
        elif kind == 0x02:
            size = struct.unpack_from("<i", data, at)[0]
            value, at = data[at + 4:at + 3 + size].decode(), at + 4 + size
        elif kind == 0x05:
            size = struct.unpack_from("<i", data, at)[0]
            value, at = data[at + 5:at + 5 + size], at + 5 + size
        elif kind in (0x01, 0x10, 0x12, 0x09, 0x11):
            code = {0x01: "<d", 0x10: "<i", 0x12: "<q", 0x09: "<q", 0x11: "<Q"}[kind]
            value = struct.unpack_from(code, data, at)[0]
            at += struct.calcsize(code)
        elif kind == 0x07:
            value, at = data[at:at + 12], at + 12
        elif kind == 0x08:
            value, at = data[at] != 0, at + 1
        elif kind == 0x0A:
            value = None
        else:
            raise ValueError(f"a BSON type of {kind:#x}")
        document[name] = value
    return document


class Connection:
    def __init__(self, port, timeout=60, host="127.0.0.1"):
        self.socket = socket.create_connection((host, port), timeout)

    def send(self, command):
        body = b"\0\0\0\0\0" + encode(command)
        self.socket.sendall(struct.pack("<iiii", len(body) + 16, 1, 0, 2013) + body)

    def receive(self):
        size = struct.unpack("<i", self._read(4))[0]
        message = self._read(size - 4)
        return decode(message[17:])

    def ask(self, command):
        self.send(command)
        return self.receive()

    def _read(self, size):
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise ConnectionError("the server closed the connection")
            data += more
        return data

    def close(self):
        self.socket.close()
