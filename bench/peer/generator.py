"""Runs of `orrery-bench cql` and `orrery-bench sql`, as dictionaries."""
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BENCH = ROOT / "build/release/bin/orrery-bench"
# How far a run may exceed the seconds it was asked for: connecting, loading, draining.
EXTRA_SECONDS_MAX = 900


def drive(port: int, seconds: float = 0.1, warmup: float = 0.0, program: str = "cql", **flags) -> dict:
    """One run; flags as `in_flight=1` for --in-flight 1, `setup=True` for --setup."""
    command = [str(BENCH), program, "--json", "--port", str(port), "--seconds", str(seconds), "--warmup", str(warmup)]
    for name, value in flags.items():
        if value is not False and value is not None:
            command.append("--" + name.replace("_", "-"))
            if value is not True:
                command.append(str(value))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=seconds + warmup + EXTRA_SECONDS_MAX)
    if not done.stdout:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    run = json.loads(done.stdout)
    if run.get("done") == 0:
        raise RuntimeError(f"{' '.join(command)}: nothing was answered in time: {run['errors']} {done.stderr.strip()}")
    return run


def median(rounds: int, key, **flags) -> dict:
    """The run in the middle of `rounds`, ordered by `key(run)`, with the failures of all of them."""
    runs = sorted((drive(**flags) for _ in range(rounds)), key=key)
    middle = runs[len(runs) // 2]
    middle["failures"] = sum(run["failures"] for run in runs)
    return middle
