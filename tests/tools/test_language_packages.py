"""The packages for Python and Node: installed without a network, and used by the recipes as they are written."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_S = 240


def run(*command, **options):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ORRERY_")}
    environment.update(options.pop("env", {}))
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=PATIENCE_S,
                          env=environment, **options)


class LanguagePackages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        made = run(ROOT / "tools/language_packages", "--binary", sys.argv[-1], "--output", cls.path)
        assert made.returncode == 0, made.stderr
        cls.wheel = next(cls.path.glob("*.whl"))
        cls.tarball = next(cls.path.glob("*.tgz"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, done, *parts):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for part in parts:
            self.assertIn(part, done.stdout)

    def test_python(self):
        python = self.path / "venv/bin/python"
        self.check(run("/usr/bin/python3", "-m", "venv", "--system-site-packages", self.path / "venv"))
        self.check(run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", self.wheel))
        self.check(run(self.path / "venv/bin/orrery", "version"), "orrery ")
        self.check(run(self.path / "venv/bin/orrery", "run", "--", "sh", "-c", "echo at $COSMOS_ENDPOINT"), "at http://127.0.0.1:")
        self.check(run(python, "-c", """
import orrery_server, os
with orrery_server.start() as server:
    os.kill(server.pid, 0)
    print(server.variables["MONGODB_URI"], server.ports["sql"])
try:
    os.kill(server.pid, 0)
except ProcessLookupError:
    print("stopped")
try:
    orrery_server.start("--no-such-flag")
except RuntimeError as error:
    print(error)
"""), "mongodb://127.0.0.1:", "stopped", "unknown flag --no-such-flag")
        self.check(run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=ROOT / "docs/recipes/pytest"), "2 passed")

    @unittest.skipUnless(shutil.which("npm"), "npm is not installed")
    def test_node(self):
        project = self.path / "project"
        shutil.copytree(ROOT / "docs/recipes/node", project)
        (project / "package.json").write_text('{"private": true}')
        self.check(run("npm", "install", "--offline", "--no-audit", "--no-fund", self.tarball, cwd=project))
        self.check(run("npx", "--no-install", "orrery", "version", cwd=project), "orrery ")
        code = run("npx", "--no-install", "orrery", "run", "--", "sh", "-c", "exit 7", cwd=project)
        self.assertEqual(code.returncode, 7, code.stderr)
        done = run("node", "--test", project, cwd=project)
        self.check(done, "# pass 2", "# fail 0")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
