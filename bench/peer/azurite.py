"""npm's Azurite as a peer for the Table API, and the official JavaScript client that drives it and Orrery.

Both are installed into build/bench-azurite by npm. Processes are named by --title, so that who looks at the
machine can tell them from other programs in Node.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import process  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent / "table_node"
FOLDER = ROOT / "build/bench-azurite"
MODULES = FOLDER / "node_modules"
PROGRAM = MODULES / "azurite/dist/src/table/main.js"
VERSION = "3.35.0"
PORT = 9483
START_SECONDS_MAX = 60
INSTALL_SECONDS_MAX = 600


def install() -> str:
    """Fetches client and emulator if they are not there. Returns why that is not possible, or nothing."""
    if PROGRAM.exists() and (MODULES / "@azure/data-tables").exists():
        return ""
    if not shutil.which("npm") or not shutil.which("node"):
        return "node or npm is not installed; tools/bootstrap installs them"
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "package.json", FOLDER)
    try:
        done = subprocess.run(["npm", "install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"],
                              cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=INSTALL_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        return "npm did not answer in time"
    return "" if done.returncode == 0 else "npm gave no packages: " + done.stdout.strip().splitlines()[-1]


class Azurite(process.ServerProcess):
    """Keeps everything in memory and writes it to files behind; plain HTTP. Answers once the constructor returns."""

    def __init__(self, data: pathlib.Path, port: int = PORT):
        data.mkdir(parents=True, exist_ok=True)
        super().__init__(["node", "--title=bench-peer", PROGRAM, "--tableHost", "127.0.0.1", "--tablePort", str(port),
                          "--location", data / "files", "--silent", "--skipApiVersionCheck"], port, data / "output.log",
                         START_SECONDS_MAX, answers=process.answers_http)


def drive_with_client(port: int, seconds: float, concurrency: int) -> dict:
    """The official client against a server: {"read": {"rate", "failed", "cores"}, "find": .., and so on}."""
    done = subprocess.run(
        ["node", "--title=bench-client", HERE / "drive.js", f"http://127.0.0.1:{port}", str(seconds), str(concurrency)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"NODE_PATH": str(MODULES)},
        timeout=20 * seconds + 120)
    if not done.stdout:
        raise RuntimeError(f"the client against port {port}: {done.stderr.strip()}")
    return json.loads(done.stdout)
