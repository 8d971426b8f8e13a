"""Ends a suite whose driver is not installed, in the way that ctest takes for skipped (SKIP_RETURN_CODE)."""
import importlib.util
import sys

SKIPPED = 77


def need(**packages):
    """Goes on if this interpreter has all modules; each is named with the Debian package that brings it."""
    for module, package in packages.items():
        if importlib.util.find_spec(module) is None:
            print(f"skipped: {sys.executable} has no module '{module}'; tools/bootstrap installs {package}")
            sys.exit(SKIPPED)
