#!/usr/bin/env python3
"""run.py SUITE BINARY BUILD_FOLDER [TestClass ...]: runs the JUnit tests of a folder against a built `orrery`.

SUITE has a pom.xml and Java sources. Without names all classes *Test run. Exit code 77: a JDK, Maven or Maven
Central is not to be had (with CI=true that fails). ORRERY_JVM_LOG=debug shows what the client logs."""
import os
import pathlib
import sys

import junit
import maven


def main():
    if len(sys.argv) < 4 or not pathlib.Path(sys.argv[2]).is_file():
        sys.exit(__doc__)
    suite, binary, folder = (pathlib.Path(each).resolve() for each in sys.argv[1:4])
    command = junit.command(suite, binary, folder, sys.argv[4:])
    os.chdir(folder)
    os.execv(command[0], command)


if __name__ == "__main__":
    try:
        main()
    except maven.NotAvailable as missing:
        maven.skip(missing)
    except maven.MavenError as error:
        sys.exit(f"failed: {error}")
