"""Orrery as a peer among others: the release build, on a port where nothing collides."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import process  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = ROOT / "build/release/bin"
PORT = 9242
START_SECONDS_MAX = 60


class Orrery(process.ServerProcess):
    """One server on `data`, which is made if it is not there. Answers once the constructor returns."""

    def __init__(self, data: pathlib.Path, durability: str, port: int = PORT, sql_port: int = 0, flags=()):
        data.mkdir(parents=True, exist_ok=True)
        self.sql_port = sql_port
        super().__init__(
            [BIN / "orrery", "serve", "--data", data / "orrery", "--cassandra-port", str(port), "--sql-port", str(sql_port),
             "--durability", durability, "--sql-default-throughput", "0", *flags], port, data / "output.log", START_SECONDS_MAX)
