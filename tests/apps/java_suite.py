"""Applications in Java, written as JUnit tests in a folder beside this file."""
import pathlib
import shutil
import xml.etree.ElementTree

import junit
from application import Application, follow

HERE = pathlib.Path(__file__).resolve().parent
SECONDS_MAX = 3600


class JavaSuite(Application):
    """Each test method is a check. The tests start their server themselves."""

    def __init__(self, suite, **description):
        super().__init__(**description)
        self.suite = HERE / suite

    def run(self, binary, folder, log):
        reports = folder / "reports"
        shutil.rmtree(reports, ignore_errors=True)
        command = junit.command(self.suite, binary, folder, options=[f"--reports-dir={reports}"], heap="1g")
        follow(command, log, SECONDS_MAX, cwd=folder)
        return outcomes(reports)


def outcomes(reports):
    found = {}
    for file in reports.glob("*.xml"):
        for case in xml.etree.ElementTree.parse(file).iter("testcase"):
            name = f"{case.get('classname').rsplit('.', 1)[-1]}.{case.get('name')}"
            if case.find("failure") is not None or case.find("error") is not None:
                found[name] = "failed"
            else:
                found[name] = "skipped" if case.find("skipped") is not None else "passed"
    return found
