#!/usr/bin/env python3
"""run.py BINARY [test_module ...]: drives a built `orrery` with Debian's python3-azure-cosmos, a client of 2019.

Exit code 77 says that the client is not installed (tools/bootstrap installs it)."""
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "system"))


def main():
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1]).is_file():
        sys.exit(__doc__)
    import skipping
    skipping.need(azure="python3-azure-cosmos", requests="python3-requests")
    skipping.need(**{"azure.cosmos": "python3-azure-cosmos"})

    import harness
    harness.BINARY = str(pathlib.Path(sys.argv[1]).resolve())
    names = sys.argv[2:] or sorted(path.stem for path in HERE.glob("test_*.py"))
    result = unittest.TextTestRunner(verbosity=2).run(unittest.TestLoader().loadTestsFromNames(names))
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
