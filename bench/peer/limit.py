"""The bare event loop of `orrery-bench limit` as a peer."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import generator  # noqa: E402
import process  # noqa: E402

PORT = 9352
START_SECONDS_MAX = 120  # it loads its rows first
ANSWERS = {"cql": process.answers, "http": process.answers_http, "mongo": process.listens, "table": process.listens, "websocket": process.answers_http}


class Limit(process.ServerProcess):
    """Serves `keys` rows, all of them cached, over "cql", "http", "mongo", "table" or "websocket"."""

    def __init__(self, data: pathlib.Path, keys: int, port: int = PORT, protocol: str = "cql", value_bytes: int = 1024):
        data.mkdir(parents=True, exist_ok=True)
        super().__init__([generator.BENCH, "limit", "--protocol", protocol, "--port", str(port), "--keys", str(keys), "--value-bytes", str(value_bytes),
                          "--dir", data / "rows"], port, data / "output.log", START_SECONDS_MAX,
                         answers=ANSWERS[protocol])
