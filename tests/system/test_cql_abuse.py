"""Bytes that are no CQL requests, and clients that behave badly on the wire: the protocol's own error, the server unhurt."""
import random
import struct
import unittest

import cql_wire as cql
from cql_abuse import AbuseTest, ROUNDS, SEED
from cql_wire import INVALID, PROTOCOL, QUERY, envelope, query_body

QUESTION = "SELECT v FROM lasting.kept WHERE k = 1"
ROWS = 2  # the kind of a result
VERSIONS = (3, 4, 5)


class Envelopes(AbuseTest):
    def test_every_cut_of_a_conversation(self):
        for version in (4, 5):
            startup = envelope(cql.STARTUP, cql.string_map({"CQL_VERSION": "3.0.0"}), version=version)
            query = envelope(QUERY, query_body(QUESTION, version), version=version)
            whole = startup + (cql.frame(query) if version == 5 else query)
            for cut in range(len(whole)):
                with self.connect(version=version, start=False) as connection:
                    connection.send_raw(whole[:cut])
                    if cut % 2:
                        connection.reset()
                        continue
                    connection.framed = False
                    answers = connection.finish() if version == 4 else []
                    if version == 4:
                        self.assertEqual(len(answers), 1 if cut >= len(startup) else 0)

    def test_bodies_that_are_too_large_are_skipped(self):
        for version in (3, 4):
            connection = self.ready(version=version)
            for size in (16 << 20, 256 << 20, 0x7FFFFFFF):
                connection.send_raw(struct.pack(">BBhBi", version, 0, 9, QUERY, size + (size < 0x7FFFFFFF)))
                refused = connection.receive()
                self.assertError(refused, INVALID)
                self.assertEqual(refused.stream, 9)
                self.assertIn("too big", refused.text())
                if size == 16 << 20:
                    connection.send_raw(bytes(size + 1))
                    self.assertServed(connection)
                else:
                    # All that comes now belongs to the refused message.
                    connection.send_raw(envelope(QUERY, query_body(QUESTION), version=version))
                    self.assertEqual(connection.finish(), [])
                    connection = self.ready(version=version)
        for size in ((256 << 20) + 1, 0x7FFFFFFF):
            connection = self.ready(version=5)
            head = struct.pack(">BBhBi", 5, 0, 9, QUERY, size)
            connection.send_raw(cql.frame(head + bytes(100), self_contained=False))
            self.assertError(connection.receive(), PROTOCOL, INVALID)
            self.assertClosed(connection)

    def test_negative_sizes_end_the_connection(self):
        for version in VERSIONS:
            for size in (-1, -0x80000000):
                connection = self.ready(version=version)
                head = struct.pack(">BBhBi", version, 0, 9, QUERY, size)
                connection.send_raw(connection.wrap(head))
                self.assertError(connection.receive(), PROTOCOL)
                self.assertClosed(connection)

    def test_every_opcode(self):
        requests = {cql.STARTUP, cql.OPTIONS, QUERY, cql.PREPARE, cql.EXECUTE, cql.REGISTER, cql.BATCH, cql.AUTH_RESPONSE}
        for version in VERSIONS:
            connection = self.ready(version=version)
            for opcode in range(256):
                answer = connection.ask(opcode, bytes(3), stream=opcode)
                if opcode == cql.OPTIONS:
                    self.assertEqual(answer.opcode, cql.SUPPORTED)
                else:
                    # Three zeros are a list of no events.
                    self.assertEqual(answer.opcode, cql.READY if opcode == cql.REGISTER else cql.ERROR, answer)
                    self.assertTrue(opcode in requests or answer.code() == PROTOCOL, answer)
                self.assertEqual(answer.stream, opcode)
            self.assertServed(connection)

    def test_every_version_and_direction(self):
        for first in set(range(256)) - {0x16}:  # that one begins a TLS handshake
            with self.connect(start=False) as connection:
                connection.send_raw(bytes([first]) + envelope(cql.OPTIONS)[1:])
                answer = connection.receive()
                if first in VERSIONS:
                    self.assertEqual(answer.opcode, cql.SUPPORTED)
                    continue
                self.assertError(answer, PROTOCOL)
                self.assertClosed(connection)

    def test_messages_out_of_turn(self):
        for opcode in (QUERY, cql.PREPARE, cql.EXECUTE, cql.BATCH, cql.REGISTER, cql.AUTH_RESPONSE):
            with self.connect(start=False) as connection:
                self.assertError(connection.ask(opcode, query_body(QUESTION)), PROTOCOL)
                self.assertEqual(connection.start().opcode, cql.READY)
                self.assertError(connection.start(), PROTOCOL)
                self.assertError(connection.log_in("a", "b"), PROTOCOL)
                self.assertServed(connection)
        for version, other in ((3, 4), (4, 3), (4, 5), (5, 4)):
            connection = self.ready(version=version)
            connection.send_raw(connection.wrap(envelope(QUERY, query_body(QUESTION, other), version=other)))
            self.assertError(connection.receive(), PROTOCOL)
            self.assertClosed(connection)

    def test_startups_of_all_sorts(self):
        bodies = [b"", b"\0", b"\xff\xff", cql.string_map({}), cql.string_map({"CQL_VERSION": "nine"}),
                  cql.string_map({"CQL_VERSION": "2.0.0"}), cql.string_map({"CQL_VERSION": "3.0.0", "COMPRESSION": "zip"}),
                  b"\xff\xff" + cql.string("CQL_VERSION") + cql.string("3.0.0"), b"\0\x01" + cql.string(b"\xff\xfe") + b"\0\0"]
        for version in VERSIONS:
            with self.connect(version=version, start=False) as connection:
                for body in bodies:
                    self.assertSane(connection.ask(cql.STARTUP, body))
                self.assertEqual(connection.start().opcode, cql.READY)
                self.assertServed(connection)

    def test_other_protocols(self):
        for greeting in (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\x16\x03\x01\xff\xff" + bytes(300), b"\x16\x03\x01\0\0",
                         b"SSH-2.0-a\r\n", b"\n" * 100, bytes(100), b"\xff" * 100):
            with self.connect(start=False) as connection:
                connection.send_raw(greeting)
                connection.finish()

    def test_noise(self):
        dice = random.Random(SEED)
        for _ in range(150 * ROUNDS):
            with self.connect(version=dice.choice(VERSIONS), start=dice.random() < 0.8) as connection:
                noise = dice.randbytes(dice.randrange(1, 200))
                if dice.random() < 0.5:
                    noise = connection.wrap(noise)
                connection.send_raw(noise)
                connection.reset() if dice.random() < 0.5 else connection.finish()

    def test_requests_with_a_few_wrong_bytes(self):
        dice = random.Random(SEED)
        for version in VERSIONS:
            connection = self.ready(version=version)
            known = connection.prepare("SELECT v FROM lasting.kept WHERE k = ?").prepared_id()
            good = [(QUERY, query_body(QUESTION, version, page=5, state=b"abc")),
                    (QUERY, query_body("SELECT v FROM lasting.kept WHERE k = ?", version, values=[b"\0\0\0\x01"])),
                    (QUERY, query_body("SELECT v FROM lasting.kept WHERE k = :k", version, values=[b"\0\0\0\x01"], names=["k"])),
                    (cql.PREPARE, cql.long_string(QUESTION) + bytes(4)),
                    (cql.EXECUTE, cql.execute_body(known, version, values=[b"\0\0\0\x01"], page=1)),
                    (cql.BATCH, cql.batch_body([("INSERT INTO lasting.kept (k) VALUES (2)", ())], version=version)),
                    (cql.REGISTER, b"\0\x01" + cql.string("SCHEMA_CHANGE"))]
            for _ in range(400 * ROUNDS):
                opcode, body = dice.choice(good)
                body = bytearray(body)
                for _ in range(dice.randrange(1, 4)):
                    at = dice.randrange(len(body))
                    body[at] = dice.choice((0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)))
                if dice.random() < 0.2:
                    del body[dice.randrange(len(body)):]
                flags = dice.choice((0, 0, 0, cql.TRACING, cql.PAYLOAD, cql.WARNING))
                self.assertSane(connection.ask(opcode, bytes(body), flags=flags))
            self.assertServed(connection)


class Frames(AbuseTest):
    def test_every_wrong_bit_ends_the_connection(self):
        good = cql.frame(envelope(QUERY, query_body(QUESTION, 5), version=5))
        for bit in range(0, 8 * len(good), 5):
            connection = self.ready(version=5)
            bad = bytearray(good)
            bad[bit // 8] ^= 1 << bit % 8
            connection.send_raw(bytes(bad))
            self.assertError(connection.receive(), PROTOCOL)
            self.assertClosed(connection)
            connection.close()

    def test_pieces_that_do_not_fit_together(self):
        query = envelope(QUERY, query_body(QUESTION, 5), version=5)
        for wrong in (cql.frame(query[:20]),
                      cql.frame(query[:20], self_contained=False) + cql.frame(query),
                      cql.frame(query + query[:3], self_contained=False),
                      cql.frame(query + query[:-1]),
                      cql.frame(query[:4]),
                      cql.frame(query[:5], self_contained=False) + cql.frame(query, self_contained=False)):
            connection = self.ready(version=5)
            connection.send_raw(wrong)
            answers = connection.finish()
            self.assertTrue(answers)
            self.assertError(answers[-1], PROTOCOL)

    def test_tiny_and_empty_pieces_are_a_message_all_the_same(self):
        connection = self.ready(version=5)
        query = envelope(QUERY, query_body(QUESTION, 5), version=5)
        empty = cql.frame(b"", self_contained=False)
        pieces = [cql.frame(query[i:i + 1], self_contained=False) for i in range(len(query))]
        connection.send_raw(cql.frame(b"") * 1000 + empty.join(pieces))
        self.assertEqual(connection.receive().opcode, cql.RESULT)
        self.assertServed(connection)


class Compression(AbuseTest):
    BODY_BYTES_MAX = 16 << 20

    def test_what_is_not_compressed_so_is_refused(self):
        dice = random.Random(SEED)
        for name in ("lz4", "snappy"):
            for version in (3, 4):
                connection = self.ready(version=version, compression=name)
                packed = [b"", b"\0", bytes(4), b"\xff" * 30, b"\x7f\xff\xff\xff" + bytes(20), bytes(3) + b"\x40\xff\xff"]
                packed += [dice.randbytes(dice.randrange(1, 80)) for _ in range(60 * ROUNDS)]
                packed += [struct.pack(">i", dice.randrange(2000)) + dice.randbytes(dice.randrange(80))
                           for _ in range(60 * ROUNDS)]
                for body in packed:
                    answer = connection.ask(QUERY, body, stream=5, flags=cql.COMPRESSED)
                    self.assertError(answer, PROTOCOL)
                    self.assertEqual(answer.stream, 5)
                self.assertServed(connection)

    def test_not_agreed_on(self):
        connection = self.ready()
        body = query_body(QUESTION)
        packed = struct.pack(">i", len(body)) + cql.lz4_literals(body)
        self.assertError(connection.ask(QUERY, packed, flags=cql.COMPRESSED), PROTOCOL)
        self.assertServed(connection)

    def test_well_made_ones_work(self):
        body = query_body(QUESTION)
        for name, packed in (("lz4", struct.pack(">i", len(body)) + cql.lz4_literals(body)),
                             ("snappy", cql.snappy_literals(body))):
            connection = self.ready(compression=name)
            self.assertEqual(connection.ask(QUERY, packed, flags=cql.COMPRESSED).opcode, cql.RESULT)

    def test_bombs(self):
        """Many clients each send a few bytes that become many; they stay, those bytes must not."""
        size = self.BODY_BYTES_MAX
        bomb = cql.lz4_run(b" ", size)
        self.assertLess(len(bomb), size // 250)
        for _ in range(60):
            connection = self.ready(compression="lz4")
            self.assertError(connection.ask(QUERY, struct.pack(">i", size) + bomb, flags=cql.COMPRESSED), PROTOCOL)
            for announced in (size + 1, 0x7FFFFFFF, 0xFFFFFFFF):
                self.assertError(connection.ask(QUERY, struct.pack(">I", announced) + bomb, flags=cql.COMPRESSED), PROTOCOL)

    def test_bombs_in_pieces(self):
        """The same in frames of v5, all but the last piece: what is waited for counts as large as it is."""
        size = (1 << 17) - 1
        first = cql.lz4_literals(struct.pack(">BBhBi", 5, 0, 1, QUERY, self.BODY_BYTES_MAX))
        piece = cql.lz4_frame(cql.lz4_run(b" ", size), size, self_contained=False)
        refused = 0
        for _ in range(60):
            connection = self.ready(version=5, compression="lz4")
            connection.send_raw(cql.lz4_frame(first, 9, self_contained=False) + piece * (self.BODY_BYTES_MAX // size))
            # An OPTIONS would interrupt the message; what tells that all was taken is a refusal or its absence.
            connection.socket.settimeout(0.02)
            try:
                answer = connection.receive()
                self.assertError(answer, cql.OVERLOADED)
                refused += 1
            except TimeoutError:
                pass
        self.assertGreater(refused, 0)

    def test_frames_of_wrong_blocks_end_the_connection(self):
        query = envelope(QUERY, query_body(QUESTION, 5), version=5)
        block = cql.lz4_literals(query)
        good = cql.lz4_frame(block, len(query))
        connection = self.ready(version=5, compression="lz4")
        connection.send_raw(good)
        self.assertEqual(connection.receive().opcode, cql.RESULT)
        for wrong in (cql.lz4_frame(block, len(query) - 1), cql.lz4_frame(block, len(query) + 1),
                      cql.lz4_frame(block, (1 << 17) - 1), cql.lz4_frame(b"\xff" * 50, 50), cql.lz4_frame(b"", 50),
                      cql.lz4_frame(b"\x0f\x00\x00" + bytes(40), 90)):
            connection = self.ready(version=5, compression="lz4")
            connection.send_raw(wrong)
            self.assertError(connection.receive(), PROTOCOL)
            self.assertClosed(connection)


class Clients(AbuseTest):
    def test_wrong_credentials(self):
        for version in VERSIONS:
            with cql.Connection(self.login_port, version=version) as connection:
                for attempt in range(3):
                    self.assertError(connection.query(QUESTION), PROTOCOL)
                    self.assertError(connection.log_in("cassandra", f"guess {attempt}"), cql.BAD_CREDENTIALS)
                self.assertClosed(connection)
        for token in (cql.NULL, b"", b"\0", b"\0\0", b"\0\0\0\0", b"\xff\xff", b"a" * 100_000, b"\0a\0b\0c"):
            with cql.Connection(self.login_port) as connection:
                self.assertError(connection.ask(cql.AUTH_RESPONSE, cql.value(token)), cql.BAD_CREDENTIALS, PROTOCOL)
        with cql.Connection(self.login_port, login=("cassandra", "cassandra")) as connection:
            self.assertServed(connection)

    def test_logins_at_once_on_one_connection(self):
        with cql.Connection(self.login_port) as connection:
            token = cql.value(b"\0cassandra\0wrong")
            connection.send_raw(b"".join(envelope(cql.AUTH_RESPONSE, token, stream) for stream in range(20)))
            answers = [connection.receive() for _ in range(20)]
            for answer in answers:
                self.assertError(answer, PROTOCOL, cql.BAD_CREDENTIALS)

    def test_thousands_of_requests_then_gone(self):
        requests = b"".join(envelope(QUERY, query_body("SELECT * FROM lasting.kept"), stream) for stream in range(5000))
        for ending in ("reset", "close", "half"):
            with self.connect() as connection:
                connection.send_raw(requests)
                if ending == "reset":
                    connection.reset()
                elif ending == "half":
                    self.assertEqual(len(connection.finish()), 5000)

    def test_large_messages_left_half_sent(self):
        half = struct.pack(">BBhBi", 4, 0, 1, QUERY, 16 << 20) + bytes(6 << 20)
        for _ in range(3):
            connections = [self.ready() for _ in range(8)]
            for connection in connections:
                connection.send_raw(half)
            with self.connect() as other:
                self.assertServed(other)
            for connection in connections:
                connection.reset()

    def test_who_does_not_read_large_answers(self):
        with self.connect() as writer:
            self.assertSane(writer.query("CREATE TABLE IF NOT EXISTS ks.large (k int, c int, v blob, PRIMARY KEY (k, c))"))
            for row in range(40):
                inserted = writer.query("INSERT INTO ks.large (k, c, v) VALUES (?, ?, ?)",
                                        values=[struct.pack(">i", row % 5), struct.pack(">i", row), bytes(100_000)])
                self.assertEqual(inserted.opcode, cql.RESULT, inserted)
        for question in ("SELECT * FROM ks.large WHERE k = 1", "SELECT * FROM ks.large",
                         "SELECT * FROM ks.large WHERE k IN (0, 1, 2, 3, 4)",
                         "SELECT * FROM ks.large WHERE k = 3 AND c = 3"):
            for page in (None, 7):
                slow = [self.connect(receive_buffer=1 << 16, version=3 + number % 3) for number in range(6)]
                for connection in slow:
                    request = query_body(question, connection.version, page=page)
                    connection.send_raw(connection.wrap(b"".join(
                        envelope(QUERY, request, stream, connection.version) for stream in range(1500))))
                with self.connect() as other:
                    for _ in range(20):
                        self.assertServed(other)
                # Either it is served or told that others do not read.
                self.assertIn(slow[0].receive().code(), (ROWS, cql.OVERLOADED))
                for connection in slow:
                    connection.close()

    def test_thousands_of_idle_connections(self):
        idle = [self.connect(start=number % 2 == 0) for number in range(2000)]
        with self.connect() as other:
            self.assertServed(other)
        self.assertServed(idle[0])
        self.assertEqual(idle[1].start().opcode, cql.READY)
        for connection in idle:
            connection.close()


if __name__ == "__main__":
    unittest.main()
