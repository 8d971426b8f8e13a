#!/usr/bin/env python3
"""run.py BINARY [test_module ...]: attacks a built `orrery` on loopback, in the short form; ATTACK_SECONDS makes it longer."""
import pathlib
import sys
import unittest

import attack


def main():
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1]).is_file():
        sys.exit(__doc__)
    attack.harness.BINARY = str(pathlib.Path(sys.argv[1]).resolve())
    here = pathlib.Path(__file__).parent
    names = sys.argv[2:] or sorted(path.stem for path in here.glob("test_*.py"))
    result = unittest.TextTestRunner(verbosity=2).run(unittest.TestLoader().loadTestsFromNames(names))
    sys.exit(0 if result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
