"""What the runners of all APIs share: going through files and cases, trying again, telling what failed, a server of one's own."""
import contextlib
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "system"))

import harness
import spec_file

# How long an `eventually` may take.
PATIENCE_S = 15
RETRY_S = 0.05


class Mismatch(Exception):
    """A case did not come out as its file says."""

    def __init__(self, expected, got):
        super().__init__("\n".join(["expected:", *expected, "got:", *got]))


class Runner:
    """Runs files one after another and remembers what failed. An API says how a file starts and how a case is tried."""

    def __init__(self, target, dialect):
        self.target = target
        self.dialect = dialect
        self.passed = 0
        self.skipped = 0
        self.failures = []

    # Of each API.
    def start(self):
        """Makes everything new for the next file."""
        raise NotImplementedError

    def try_case(self, case):
        """Raises Mismatch, or whatever a broken server may cause."""
        raise NotImplementedError

    # One case.
    def run_case(self, case):
        give_up = time.monotonic() + (PATIENCE_S if "eventually" in case.flags else 0)
        while True:
            try:
                return self.try_case(case)
            except Mismatch:
                if time.monotonic() >= give_up:
                    raise
            time.sleep(RETRY_S)

    # One file.
    def applies(self, only):
        return not only or self.target in only

    def run(self, path):
        file = spec_file.SpecFile(path, self.dialect)
        cases = [case for case in file.cases if self.applies(file.only) and self.applies(case.only)]
        self.skipped += len(file.cases) - len(cases)
        if not cases:
            return
        failed_before = len(self.failures)
        try:
            self.start()
        except Exception as failure:
            # Whatever a server that is not finished or not alive may do: the other files still get their chance.
            self.failures += cases
            print(f"{path.name}: not run, nothing to start from: {failure!r}", flush=True)
            return
        for case in cases:
            try:
                self.run_case(case)
            except Exception as failure:
                self.failures.append(case)
                shown = failure if isinstance(failure, Mismatch) else repr(failure)
                print(f"{case.where()}: {case.directive}\n{case.statement}\n{shown}\n", flush=True)
        failed = len(self.failures) - failed_before
        self.passed += len(cases) - failed
        print(f"{path.stem}: {len(cases) - failed} of {len(cases)} passed", flush=True)

    def report(self):
        """Prints the sum; returns the exit code."""
        print(f"{self.passed} passed, {len(self.failures)} failed, {self.skipped} not for {self.target}")
        return 1 if self.failures else 0


@contextlib.contextmanager
def own_server(binary, *flags, **options):
    """A server with data of its own that ends with the block."""
    harness.BINARY = str(pathlib.Path(binary).resolve())
    with tempfile.TemporaryDirectory(prefix="orrery_spec_") as root:
        try:
            started = harness.Server(pathlib.Path(root) / "data", *flags, **options)
        except RuntimeError as failure:
            sys.exit(str(failure))
        try:
            yield started
        finally:
            started.stop()


# The command line.


def add_options(parser, targets):
    parser.add_argument("--binary", default=HERE.parents[1] / "build/release/bin/orrery", help="the server to start")
    parser.add_argument("--target", choices=targets, default="orrery", help="whose `only` lines hold")
    parser.add_argument("files", nargs="*", help="names of files of this API, all without")


def paths(api, names):
    return [HERE / api / f"{pathlib.Path(name).stem}.test" for name in names] or sorted((HERE / api).glob("*.test"))
