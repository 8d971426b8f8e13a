#!/usr/bin/env python3
"""run.py BINARY [test_module ...]: runs the system tests against a built `orrery`."""
import pathlib
import sys
import unittest

import harness


def main():
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1]).is_file():
        sys.exit(__doc__)
    harness.BINARY = str(pathlib.Path(sys.argv[1]).resolve())
    here = pathlib.Path(__file__).parent
    loader = unittest.TestLoader()
    names = sys.argv[2:] or sorted(path.stem for path in here.glob("test_*.py"))
    result = unittest.TextTestRunner(verbosity=2).run(loader.loadTestsFromNames(names))
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
