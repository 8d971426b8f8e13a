"""The server's WebSocket with a client of somebody else: Debian's python3-websockets.

usage: test_python_client.py ECHO_SERVER
"""
import asyncio
import os
import signal
import ssl
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "system"))
import skipping  # noqa: E402

skipping.need(websockets="python3-websockets")
import websockets  # noqa: E402

SERVER = None
TIME_OUT = 60  # of one answer: for a hang, not for speed


class EchoServer:
    """The program, for one test."""

    def __enter__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="orrery-websocket-")
        self.process = subprocess.Popen([SERVER, self.directory.name], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(TIME_OUT)
        self.process.stdout.close()
        self.directory.cleanup()

    def tls(self):
        return ssl.create_default_context(cafile=os.path.join(self.directory.name, "tls-certificate.pem"))

    def connect(self, secure=False, path="/", **options):
        if secure:
            options["ssl"] = self.tls()
        scheme = "wss" if secure else "ws"
        return websockets.connect(f"{scheme}://localhost:{self.port}{path}", **options)


def run(scenario):
    """Runs a coroutine with an echo server."""
    with EchoServer() as server:
        asyncio.run(asyncio.wait_for(scenario(server), TIME_OUT))


class PythonClient(unittest.TestCase):
    def test_messages_of_all_sizes_plain_and_tls(self):
        async def scenario(server):
            for secure in (False, True):
                async with server.connect(secure) as socket:
                    for size in (0, 1, 125, 126, 127, 65535, 65536, 1 << 20):
                        for message in ("x" * size, b"\xff" * size):
                            await socket.send(message)
                            self.assertEqual(await socket.recv(), message)
        run(scenario)

    def test_text_is_unicode(self):
        async def scenario(server):
            async with server.connect() as socket:
                for text in ("Zürich", "東京", "😀" * 1000, "\0"):
                    await socket.send(text)
                    self.assertEqual(await socket.recv(), text)
        run(scenario)

    def test_fragments_are_joined(self):
        async def scenario(server):
            async with server.connect() as socket:
                await socket.send(["one ", "two ", "", "three"])
                self.assertEqual(await socket.recv(), "one two three")
                await socket.send([b"\0", b"\1"])
                self.assertEqual(await socket.recv(), b"\0\1")
        run(scenario)

    def test_many_at_once(self):
        async def scenario(server):
            async with server.connect() as socket:
                async def send():
                    for number in range(5000):
                        await socket.send(str(number))
                sender = asyncio.ensure_future(send())
                for number in range(5000):
                    self.assertEqual(await socket.recv(), str(number))
                await sender
        run(scenario)

    def test_pings_are_answered(self):
        async def scenario(server):
            async with server.connect(ping_interval=None) as socket:
                await (await socket.ping())
                await (await socket.ping(b"payload"))
        run(scenario)

    def test_subprotocols(self):
        async def scenario(server):
            async with server.connect(subprotocols=["unknown", "shout", "echo"]) as socket:
                self.assertEqual(socket.subprotocol, "shout")
                await socket.send("loud")
                self.assertEqual(await socket.recv(), "LOUD")
            async with server.connect(subprotocols=["unknown"]) as socket:
                self.assertIsNone(socket.subprotocol)
        run(scenario)

    def test_compression_is_offered_and_not_accepted(self):
        async def scenario(server):
            async with server.connect(compression="deflate") as socket:
                self.assertEqual(list(socket.extensions), [])
                await socket.send("a" * 10000)
                self.assertEqual(await socket.recv(), "a" * 10000)
        run(scenario)

    def test_refusals_of_the_handshake_are_http(self):
        async def scenario(server):
            with self.assertRaises(websockets.InvalidStatusCode) as refused:
                async with server.connect(path="/forbidden"):
                    pass
            self.assertEqual(refused.exception.status_code, 403)
        run(scenario)

    def test_close_codes(self):
        async def scenario(server):
            socket = await server.connect()
            await socket.close(4321, "my own")
            self.assertEqual((socket.close_code, socket.close_reason), (4321, ""))
            socket = await server.connect()
            await socket.send("x" * ((1 << 20) + 1))
            with self.assertRaises(websockets.ConnectionClosedError) as closed:
                await socket.recv()
            self.assertEqual(closed.exception.code, 1009)
        run(scenario)

    def test_stopping_says_going_away(self):
        async def scenario(server):
            socket = await server.connect()
            await socket.send("before")
            self.assertEqual(await socket.recv(), "before")
            server.process.send_signal(signal.SIGTERM)
            with self.assertRaises(websockets.ConnectionClosed) as closed:
                await socket.recv()
            self.assertEqual(closed.exception.code, 1001)
        run(scenario)


if __name__ == "__main__":
    SERVER = sys.argv.pop(1)
    unittest.main(verbosity=2)
