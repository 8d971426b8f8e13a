"""What /metrics counts, and that the dashboard and the alert rules name nothing else."""
import json
import pathlib
import re
import time

from harness import OrreryTest, PATIENCE_S

MONITORING = pathlib.Path(__file__).resolve().parents[2] / "docs" / "operations" / "monitoring"
NAME = re.compile(r"\b(?:orrery|process)_[a-z_]+")


class Metrics(OrreryTest):
    def metrics(self):
        """Of each sample its value, by name and labels as written."""
        text = self.server.request("GET", "/metrics").body.decode()
        return dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))

    def eventually(self, name, wanted):
        end = time.monotonic() + PATIENCE_S
        while not wanted(float(self.metrics().get(name, "nan"))) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertTrue(wanted(float(self.metrics()[name])), name)

    def test_requests_are_counted_by_api_and_operation(self):
        self.server = self.start("--limit-partition-rate", "1000", "--mongo-port", "any", "--gremlin-port", "any",
                                 "--table-port", "any", cassandra_port="any")
        container = self.make_container(self.server, throughput={"manual": 1000})
        # What came before the first look at a partition is of no second.
        end = time.monotonic() + PATIENCE_S
        while (not self.server.admin("GET", "history?database=db&container=c").json()["partitions"]
               and time.monotonic() < end):
            time.sleep(0.1)
        for i in range(5):
            self.assertStatus(201, container.create({"id": str(i), "pk": str(i)}))
        found = self.metrics()
        for api in ("sql", "cassandra", "mongo", "gremlin", "table"):
            for metric in ("orrery_request_duration_seconds_count", "orrery_request_charge_units_count",
                           "orrery_requests_failed_total"):
                self.assertIn(f'{metric}{{api="{api}",operation="query"}}', found)
        self.eventually('orrery_container_items{database="db",container="c"}', lambda items: items == 5)
        labels = next(name for name in found if name.startswith("orrery_partition_request_units_total") and "'c'" in name)
        self.assertGreater(float(self.metrics()[labels]), 5)
        partition = re.search(r'partition="(\d+)"', labels).group(1)
        self.eventually(f'orrery_partition_request_units_highest{{partition="{partition}"}}', lambda units: units > 0)
        self.assertGreater(float(found["process_open_fds"]), 10)
        self.assertGreaterEqual(float(found["process_max_fds"]), float(found["process_open_fds"]))
        self.eventually("orrery_event_loop_lags_seconds_count", lambda count: count > 0)
        self.assertStatus(200, self.server.admin("POST", "databases/db/containers/c/split", {}))
        self.eventually('orrery_partition_changes_total{kind="split"}', lambda count: count == 1)
        self.assertGreater(float(self.metrics()['orrery_partition_change_pause_seconds_total{kind="split"}']), 0)

    def test_the_dashboard_and_the_alerts_name_what_is_there(self):
        self.server = self.start("--limit-partition-rate", "1000")
        self.make_container(self.server, throughput={"manual": 1000})
        text = self.server.request("GET", "/metrics").body.decode()
        known = {name for line in text.splitlines() if not line.startswith("#") for name in NAME.findall(line.split("{")[0])}
        dashboard = json.loads((MONITORING / "dashboard.json").read_text())
        expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        rules = (MONITORING / "alerts.yml").read_text()
        expressions += re.findall(r"expr: (.*)", rules)
        self.assertGreater(len(expressions), 20)
        named = {name for expression in expressions for name in NAME.findall(expression)}
        self.assertEqual(named - known, set())
        documented = set(NAME.findall((MONITORING.parent / "monitoring.md").read_text()))
        self.assertGreater(len(named & documented), 10)
