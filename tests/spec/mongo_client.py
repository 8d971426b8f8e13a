"""Speaks OP_MSG to a MongoDB server: commands go as they are written, replies come as they are sent. Needs Python's bson."""
import itertools
import socket
import struct

import bson
from bson.codec_options import CodecOptions
from bson.son import SON

OP_MSG = 2013
# Texts that are not UTF-8 are shown, not refused.
OPTIONS = CodecOptions(document_class=SON, tz_aware=True, unicode_decode_error_handler="backslashreplace")
# What a server adds to every reply, for itself and for clusters.
GENERIC = ("$clusterTime", "operationTime", "electionId", "opTime", "topologyVersion")
TIMEOUT_S = 60


class CommandError(Exception):
    """A reply that is not ok, or has a write error: its first one then."""

    def __init__(self, reply):
        first = next(iter(reply.get("writeErrors", [])), reply)
        self.reply = reply
        self.code = first.get("code")
        self.message = first.get("errmsg", "")
        super().__init__(f"{self.code} {self.message}")


class Client:
    """One connection."""

    def __init__(self, port, host="127.0.0.1"):
        self.socket = socket.create_connection((host, port), TIMEOUT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.numbers = itertools.count(1)

    def close(self):
        self.socket.close()

    def ask(self, database, command):
        """The reply as a SON, whatever it says."""
        body = bson.BSON.encode(SON([*command.items(), ("$db", database)]), codec_options=OPTIONS)
        payload = struct.pack("<I", 0) + b"\0" + bytes(body)
        self.socket.sendall(struct.pack("<iiii", 16 + len(payload), next(self.numbers), 0, OP_MSG) + payload)
        size, _, _, code = struct.unpack("<iiii", self._read(16))
        payload = self._read(size - 16)
        if code != OP_MSG or payload[4] != 0:
            raise ConnectionError(f"not a reply: opcode {code}")
        reply = bson.BSON(payload[5:]).decode(OPTIONS)
        for name in GENERIC:
            reply.pop(name, None)
        return reply

    def run(self, database, command):
        """The reply. CommandError if it is not ok or has a write error."""
        reply = self.ask(database, command)
        if not reply.get("ok") or "writeErrors" in reply:
            raise CommandError(reply)
        return reply

    def read(self, database, command):
        """All documents of a command that gives a cursor."""
        cursor = self.run(database, command)["cursor"]
        documents = cursor["firstBatch"]
        while cursor["id"]:
            collection = cursor["ns"].partition(".")[2]
            cursor = self.run(database, SON([("getMore", bson.int64.Int64(cursor["id"])), ("collection", collection)]))["cursor"]
            documents += cursor["nextBatch"]
        return documents

    def _read(self, size):
        parts = []
        while size > 0:
            part = self.socket.recv(min(size, 1 << 20))
            if not part:
                raise ConnectionError("the server closed the connection")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)
