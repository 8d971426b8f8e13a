"""npm's @vercel/cosmosdb-server as a peer, and the official JavaScript client that drives it and Orrery.

Both are installed into build/bench-node by npm. Processes are named by --title, so that who looks at the
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
HERE = pathlib.Path(__file__).resolve().parent / "node"
FOLDER = ROOT / "build/bench-node"
MODULES = FOLDER / "node_modules"
PORT = 9281
START_SECONDS_MAX = 60
INSTALL_SECONDS_MAX = 600
ENVIRONMENT = {"NODE_PATH": str(MODULES)}


def install() -> str:
    """Fetches client and emulator if they are not there. Returns why that is not possible, or nothing."""
    if (MODULES / "@vercel/cosmosdb-server").exists() and (MODULES / "@azure/cosmos").exists():
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


class CosmosdbServer(process.ServerProcess):
    """In memory, over plain HTTP, keep-alive. Answers once the constructor returns."""

    def __init__(self, data: pathlib.Path, port: int = PORT):
        data.mkdir(parents=True, exist_ok=True)
        super().__init__(["node", "--title=bench-peer", HERE / "serve.js", str(port)], port, data / "output.log",
                         START_SECONDS_MAX, environment=ENVIRONMENT, answers=process.answers_http)


def drive_with_client(port: int, seconds: float, concurrency: int) -> dict:
    """The official client against a server: {"read": {"rate", "failed"}, "query": .., "create": ..}."""
    done = subprocess.run(
        ["node", "--title=bench-client", HERE / "drive.js", f"http://127.0.0.1:{port}", str(seconds), str(concurrency)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | ENVIRONMENT,
        timeout=10 * seconds + 120)
    if not done.stdout:
        raise RuntimeError(f"the client against port {port}: {done.stderr.strip()}")
    return json.loads(done.stdout)
