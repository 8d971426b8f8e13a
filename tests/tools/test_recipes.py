"""The recipes of docs/recipes that need no daemon: run as they are written, with the built program where they name the image."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import docker_stand_in
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECIPES = ROOT / "docs/recipes"
PATIENCE_S = 120
# Beside what a recipe says: this machine's ports may be taken.
PORTS = {"ORRERY_SQL_PORT": "0", "ORRERY_SQL_DIRECT_PORT": "any", "ORRERY_CASSANDRA_PORT": "any", "ORRERY_MONGO_PORT": "any",
         "ORRERY_TABLE_PORT": "any", "ORRERY_GREMLIN_PORT": "any", "ORRERY_HEALTH_PORT": "any", "ORRERY_LISTEN": "127.0.0.1"}


def image_environment():
    """The environment that the image has."""
    sys.path.insert(0, str(ROOT / "tools"))
    from ship import oci
    return dict(entry.split("=", 1) for entry in oci.ENVIRONMENT)


def clean(extra=None):
    return {**{name: value for name, value in os.environ.items() if not name.startswith("ORRERY_")}, **(extra or {})}


def get(url, key=None):
    request = urllib.request.Request(url, headers={"Authorization": "Bearer " + key} if key else {})
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        return answer.read().decode()


@contextlib.contextmanager
def running(arguments, variables, folder):
    """`orrery` as a container's command; yields its ready file."""
    ready = pathlib.Path(folder) / "ready.json"
    process = subprocess.Popen([sys.argv[-1], *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env=clean({**image_environment(), **variables, **PORTS, "PATH": os.environ["PATH"],
                                          "ORRERY_READY_FILE": str(ready)}))
    try:
        end = time.monotonic() + PATIENCE_S
        while not ready.exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        if not ready.exists():
            process.kill()
            raise AssertionError(process.stderr.read())
        yield json.loads(ready.read_text())
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)
        process.stderr.close()


class Recipes(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="orrery-recipes-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def test_every_recipe_is_in_the_list(self):
        text = (RECIPES / "README.md").read_text()
        for folder in RECIPES.iterdir():
            if folder.is_dir():
                self.assertIn(f"({folder.name})", text.replace("/)", ")"), folder.name)

    def test_github_actions(self):
        recipe = RECIPES / "github-actions"
        job = yaml.safe_load((recipe / "tests.yml").read_text())["jobs"]["test"]
        work, temporary = self.folder / "work", self.folder / "temp"
        shutil.copytree(recipe, work)
        temporary.mkdir()
        made = subprocess.run([ROOT / "tools/package", "--binary", sys.argv[-1], "--output", self.folder], capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        files = {name: self.folder / name.lower() for name in ("GITHUB_PATH", "GITHUB_ENV")}
        for path in files.values():
            path.touch()
        variables = {"RUNNER_TEMP": str(temporary), "ARCHIVE_OF_ORRERY": str(next(self.folder.glob("*.tar.gz"))),
                     **{name: str(path) for name, path in files.items()}}
        self.assertEqual(set(job["env"]), {"ARCHIVE_OF_ORRERY"})
        ran = 0
        try:
            for step in job["steps"]:
                if "run" not in step:
                    self.assertRegex(step["uses"], r"^actions/checkout@v\d+$")
                    continue
                # As the runner does: bash -e, with what earlier steps have added to both files.
                path = os.pathsep.join([*reversed(files["GITHUB_PATH"].read_text().split()), os.environ["PATH"]])
                added = dict(line.split("=", 1) for line in files["GITHUB_ENV"].read_text().splitlines())
                with open(temporary / "output", "w+") as output:
                    done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=work, stdout=output,
                                          stderr=output, env=clean({**variables, **added, "PATH": path}), timeout=PATIENCE_S)
                    output.seek(0)
                    self.assertEqual(done.returncode, 0, step["name"] + ": " + output.read())
                ran += 1
        finally:
            ready = temporary / "ready.json"
            if ready.exists():
                os.kill(json.loads(ready.read_text())["pid"], signal.SIGTERM)
                end = time.monotonic() + PATIENCE_S
                while ready.exists() and time.monotonic() < end:
                    time.sleep(0.01)
        self.assertEqual(ran, 5)

    def test_compose(self):
        recipe = RECIPES / "compose"
        services = yaml.safe_load((recipe / "compose.yaml").read_text())["services"]
        server, app = services["orrery"], services["app"]
        # What compose knows of a service; a typing error would be found by the user only.
        known = {"image", "command", "environment", "volumes", "read_only", "tmpfs", "healthcheck", "depends_on"}
        for service in services.values():
            self.assertLessEqual(set(service), known)
        self.assertEqual(app["depends_on"], {"orrery": {"condition": "service_healthy"}})
        source, target, mode = server["volumes"][0].split(":")
        self.assertEqual((target, mode), (server["environment"]["ORRERY_SEED"], "ro"))
        seed = (recipe / source).resolve()
        self.assertTrue(seed.is_dir())
        variables = {**server["environment"], "ORRERY_SEED": str(seed)}
        with running(server["command"], variables, self.folder) as ready:
            url = ready["variables"]["ORRERY_URL"]
            check = server["healthcheck"]["test"]
            self.assertEqual(check[:2], ["CMD", "/usr/bin/orrery"])
            done = subprocess.run([sys.argv[-1], *check[2:]], env=clean({"ORRERY_URL": url}), capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('"shop"', get(url + "_admin/v1/databases", ready["key"]))
            done = subprocess.run([sys.executable, *app["command"][1:]], env=clean({"ORRERY_URL": url}), capture_output=True, text=True,
                                  timeout=PATIENCE_S)
            self.assertEqual((done.returncode, done.stdout), (0, "ok\n"), done.stderr)

    def test_dev_container(self):
        recipe = RECIPES / "devcontainer"
        container = json.loads((recipe / "devcontainer.json").read_text())
        services = yaml.safe_load((recipe / container["dockerComposeFile"]).read_text())["services"]
        self.assertIn(container["service"], services)
        self.assertLessEqual(set(container["runServices"]), set(services))
        for port in container["forwardPorts"]:
            self.assertIn(port.split(":")[0], services)
            self.assertIn(port, container["portsAttributes"])
        # The variables are those that the server itself would name, but for host and port.
        with running(["serve"], {**services["orrery"]["environment"], "ORRERY_SEED": str(RECIPES / "compose/seed")}, self.folder) as ready:
            for name, value in container["remoteEnv"].items():
                here = re.sub(r"127\.0\.0\.1|localhost", "orrery", ready["variables"][name])
                self.assertEqual(re.sub(r"\d{4,5}", "PORT", value), re.sub(r"\d{4,5}", "PORT", here), name)

    def test_kubernetes(self):
        service, stateful = yaml.safe_load_all((RECIPES / "kubernetes/orrery.yaml").read_text())
        self.assertEqual((service["kind"], stateful["kind"]), ("Service", "StatefulSet"))
        template = stateful["spec"]["template"]
        labels = template["metadata"]["labels"]
        self.assertEqual(service["spec"]["selector"], labels)
        self.assertEqual(stateful["spec"]["selector"]["matchLabels"], labels)
        self.assertEqual(stateful["spec"]["serviceName"], service["metadata"]["name"])
        container = template["spec"]["containers"][0]
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        for port in service["spec"]["ports"]:
            self.assertEqual(ports[port["targetPort"]], port["port"])
        volumes = {volume["name"] for volume in template["spec"]["volumes"]} | {
            claim["metadata"]["name"] for claim in stateful["spec"]["volumeClaimTemplates"]}
        self.assertEqual({mount["name"] for mount in container["volumeMounts"]}, volumes)
        sys.path.insert(0, str(ROOT / "tools"))
        from ship import oci
        self.assertLessEqual(set(ports.values()), set(oci.PORTS))
        self.assertEqual(template["spec"]["securityContext"]["runAsUser"], oci.USER)
        key = "a2V5" * 16
        variables = {each["name"]: each.get("value", key) for each in container["env"]}
        self.assertEqual([each["name"] for each in container["env"] if "valueFrom" in each], ["ORRERY_KEY"])
        # Without --allow-insecure it must be open to other machines by its own key and TLS alone.
        with running(container["args"], {**variables, "ORRERY_DATA": str(self.folder / "data")}, self.folder) as ready:
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                check = container[probe]["httpGet"]
                get(f"http://127.0.0.1:{ready['ports'][check['port']]}{check['path']}")
            self.assertEqual(ready["key"], key)
            self.assertIn("databases", get(ready["variables"]["ORRERY_URL"] + "_admin/v1/databases", key))

    def run_on_stand_in(self, command, folder, **variables):
        """A command that uses Docker; the daemon is a stand-in that runs the built program."""
        with docker_stand_in.Daemon(sys.argv[-1]) as daemon:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, env=clean({
                **variables, "DOCKER_HOST": daemon.host, "TESTCONTAINERS_RYUK_DISABLED": "true", "TESTCONTAINERS_HOST_OVERRIDE": "localhost"}))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(len(daemon.containers), 1)
            self.assertEqual([each.process.poll() for each in daemon.containers.values()], [0])
        return done.stdout

    def test_testcontainers_for_python(self):
        python = self.folder / "venv/bin/python"
        for command in ([sys.executable, "-m", "venv", self.folder / "venv"],
                        [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "testcontainers==4.15.0", "pytest"]):
            done = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE_S)
            self.assertEqual(done.returncode, 0, done.stderr)
        said = self.run_on_stand_in([python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"], RECIPES / "testcontainers/python")
        self.assertIn("1 passed", said)

    def test_testcontainers_for_node(self):
        recipe = RECIPES / "testcontainers/node"
        shutil.copy(recipe / "package.json", self.folder)
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=self.folder, capture_output=True, text=True,
                              timeout=2 * PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = self.run_on_stand_in(["node", "--test"], recipe, NODE_PATH=str(self.folder / "node_modules"))
        self.assertRegex(said, "pass 1")

    def test_prometheus(self):
        config = yaml.safe_load((RECIPES / "prometheus/prometheus.yml").read_text())
        for rules in config["rule_files"]:
            self.assertTrue(yaml.safe_load((RECIPES / "prometheus" / rules).read_text())["groups"])
        job = config["scrape_configs"][0]
        self.assertTrue(job["static_configs"][0]["targets"][0].endswith(":8081"))
        with running(["serve"], {"ORRERY_DATA": "memory", "ORRERY_ALLOW_INSECURE": "false"}, self.folder) as ready:
            text = get(f"http://127.0.0.1:{ready['ports']['sql']}{job['metrics_path']}")
        self.assertRegex(text, r"(?m)^process_open_fds \d")
        self.assertEqual(yaml.safe_load((RECIPES / "prometheus/grafana.yml").read_text())["datasources"][0]["type"], "prometheus")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
