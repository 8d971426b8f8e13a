"""DSBulk with a million rows: load, count, unload, compare."""
import os
import pathlib
import shutil
import subprocess

import maven
from application import Application, follow, serving

POM = pathlib.Path(__file__).resolve().parents[1] / "clients/cassandra/dsbulk/pom.xml"
MAIN = "com.datastax.oss.dsbulk.runner.DataStaxBulkLoader"
ROWS = 1_000_000
CUSTOMERS = 20_000
HEADER = "customer,number,price,note"
HEAP = "1g"
SECONDS_MAX = 3600


class Dsbulk(Application):
    def __init__(self, **expected):
        super().__init__(f"DSBulk with {ROWS:,} rows: load, count, unload, compare", "1.10.0", **expected)

    def run(self, binary, folder, log):
        jars = maven.classpath(POM, folder)
        sent = folder / "sent.csv"
        write_rows(sent)
        with serving(binary, folder) as server:
            def dsbulk(operation, *arguments):
                command = maven.java(jars, MAIN, operation, "-h", "127.0.0.1", "-port", str(server.cql_port), "-dc",
                                     "datacenter1", "-logDir", str(folder / "logs"), *map(str, arguments), heap=HEAP)
                return follow(command, log, SECONDS_MAX, cwd=folder)[0]

            def unload(name, query):
                """DSBulk asks for each range of the ring apart: a count comes in parts."""
                out = folder / name
                shutil.rmtree(out, ignore_errors=True)
                code = dsbulk("unload", "-url", out, "-header", "false", "-query", query)
                return code, sorted(out.glob("*.csv"))

            create_schema(server)
            results = {}
            results["load"] = dsbulk("load", "-k", "apps", "-t", "orders", "-url", sent) == 0
            code, files = unload("count", "SELECT count(*) FROM apps.orders")
            results["count"] = code == 0 and sum(int(n) for file in files for n in file.read_text().split()) == ROWS
            code, files = unload("unloaded", "SELECT customer, number, price, note FROM apps.orders")
            results["unload"] = code == 0
            results["compare"] = bool(files) and same_lines(sent, files, folder)
        return {name: "passed" if good else "failed" for name, good in results.items()}


def create_schema(server):
    """Makes the table with Debian's driver: DSBulk makes none."""
    from cassandra.cluster import Cluster
    with Cluster(["127.0.0.1"], port=server.cql_port) as cluster:
        session = cluster.connect()
        session.execute("CREATE KEYSPACE apps WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        session.execute("CREATE TABLE apps.orders (customer int, number int, price decimal, note text, "
                        "PRIMARY KEY (customer, number))")


def write_rows(path):
    with open(path, "w") as file:
        file.write(HEADER + "\n")
        for i in range(ROWS):
            file.write(f"{i * 7919 % CUSTOMERS},{i},{i % 1000}.{1 + i % 9},note number {i} of many\n")


def same_lines(sent, files, folder):
    """Compares as sets of lines, with sort(1): a million of them need no memory of ours."""
    environment = {**os.environ, "LC_ALL": "C"}
    expected, found = folder / "expected.sorted", folder / "found.sorted"
    body = subprocess.Popen(["tail", "-n", "+2", sent], stdout=subprocess.PIPE)
    subprocess.run(["sort", "-o", expected], stdin=body.stdout, env=environment, check=True)
    body.wait()
    subprocess.run(["sort", "-o", found, *files], env=environment, check=True)
    return subprocess.run(["cmp", expected, found]).returncode == 0
