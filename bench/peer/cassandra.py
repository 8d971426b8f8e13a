#!/usr/bin/env python3
"""Apache Cassandra 5.0 as a peer: fetched from Maven Central, configured by us, run on one machine.

As a program: bench/peer/cassandra.py install
              bench/peer/cassandra.py serve [--port 9142] [--data DIR] [--sync periodic|batch|group]
`serve` stays in the foreground until SIGINT or SIGTERM; it is also the oracle for spec tests.

The jars bring neither settings nor start scripts. What is written here is what Cassandra ships: the
defaults of cassandra.yaml (most are the server's own and need no line), its JVM options for JDK 17
and its rule for the heap. Only two things differ: addresses and ports, and no waiting for other
nodes when it starts, which is in its favour.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import process  # noqa: E402

VERSION = "5.0.9"
HOME = pathlib.Path(os.environ.get("ORRERY_CASSANDRA_HOME", pathlib.Path.home() / ".cache/orrery/cassandra-5.0"))
DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
PORT = 9142
STORAGE_PORT = 7100
JMX_PORT = 7299
START_SECONDS_MAX = 180

EXPORTS = """
java.base/java.lang.ref java.base/jdk.internal.misc java.management.rmi/com.sun.jmx.remote.internal.rmi
java.management/com.sun.jmx.remote.security java.rmi/sun.rmi.registry java.rmi/sun.rmi.server java.sql/java.sql
jdk.attach/sun.tools.attach jdk.compiler/com.sun.tools.javac.file jdk.unsupported/sun.misc""".split()
OPENS = """
java.base/java.io java.base/java.lang java.base/java.lang.module java.base/java.lang.reflect java.base/java.nio
java.base/java.util java.base/jdk.internal.loader java.base/jdk.internal.math java.base/jdk.internal.module
java.base/jdk.internal.ref java.base/jdk.internal.reflect java.base/jdk.internal.util.jar java.base/sun.nio.ch
jdk.compiler/com.sun.tools.javac jdk.management/com.sun.management.internal""".split()

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>orrery.bench</groupId><artifactId>cassandra-peer</artifactId><version>1</version>
  <packaging>pom</packaging>
  <dependencies><dependency>
    <groupId>org.apache.cassandra</groupId><artifactId>cassandra-all</artifactId><version>{version}</version>
  </dependency></dependencies>
</project>
"""

LOGBACK = """<configuration>
  <appender name="FILE" class="ch.qos.logback.core.FileAppender">
    <file>{log}</file>
    <encoder><pattern>%-5level %date{{ISO8601}} %logger{{0}} %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="FILE"/></root>
</configuration>
"""

# The lines that Cassandra's own file sets to something else than the code's default, and where we are.
SETTINGS = """cluster_name: orrery-bench
num_tokens: 16
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
listen_address: 127.0.0.1
rpc_address: 127.0.0.1
storage_port: {storage_port}
native_transport_port: {port}
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters: [{{seeds: "127.0.0.1:{storage_port}"}}]
data_file_directories: [{data}/data]
commitlog_directory: {data}/commitlog
saved_caches_directory: {data}/saved_caches
hints_directory: {data}/hints
cdc_raw_directory: {data}/cdc_raw
commitlog_segment_size: 32MiB
concurrent_reads: 32
concurrent_writes: 32
compaction_throughput: 64MiB/s
sstable_preemptive_open_interval: 50MiB
dynamic_snitch: true
user_defined_functions_enabled: {functions}
materialized_views_enabled: {views}
"""
SYNC = {
    "periodic": "commitlog_sync: periodic\ncommitlog_sync_period: 10000ms\n",  # acknowledges before the disk has it
    "batch": "commitlog_sync: batch\n",
    "group": "commitlog_sync: group\ncommitlog_sync_group_window: 10ms\n",
}
# What cassandra_latest.yaml, the other file that 5.0 ships, recommends to new clusters.
LATEST = """memtable:
  configurations:
    skiplist: {class_name: SkipListMemtable}
    trie: {class_name: TrieMemtable}
    default: {inherits: trie}
memtable_allocation_type: offheap_objects
sstable: {selected_format: bti}
default_compaction: {class_name: UnifiedCompactionStrategy, parameters: {scaling_parameters: T4, target_sstable_size: 1GiB}}
"""


def install() -> str:
    """Fetches the jars if they are not there. Returns why that is not possible, or nothing."""
    lib = HOME / "lib"
    if (lib / f"cassandra-all-{VERSION}.jar").exists():
        return ""
    if not shutil.which("mvn") or not shutil.which("java"):
        return "mvn or java is not installed (Debian: maven, openjdk-17-jre-headless)"
    HOME.mkdir(parents=True, exist_ok=True)
    (HOME / "pom.xml").write_text(POM.format(version=VERSION))
    print(f"fetching Cassandra {VERSION} into {HOME}", file=sys.stderr)
    fetched = HOME / "lib.new"
    shutil.rmtree(fetched, ignore_errors=True)
    done = subprocess.run(
        ["mvn", "-q", "-B", f"-Dmaven.repo.local={HOME / 'm2'}", DEPENDENCY_PLUGIN, "-DincludeScope=runtime",
         f"-DoutputDirectory={fetched}"], cwd=HOME, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        return "Maven Central gave no Cassandra: " + done.stdout.strip().splitlines()[-1]
    shutil.rmtree(lib, ignore_errors=True)
    fetched.rename(lib)
    return ""


def heap_mb() -> int:
    """cassandra-env.sh: max(min(1/2 ram, 1024 MB), min(1/4 ram, 8 GB))."""
    ram = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (1 << 20)
    return max(min(ram // 2, 1024), min(ram // 4, 8192))


class Cassandra(process.ServerProcess):
    """One node on `data`, which is made if it is not there. Answers once the constructor returns."""

    def __init__(self, data: pathlib.Path, sync: str, port: int = PORT, latest: bool = False, all_features: bool = False):
        conf = data / "conf"
        conf.mkdir(parents=True, exist_ok=True)
        (conf / "logback.xml").write_text(LOGBACK.format(log=data / "system.log"))
        feature = str(all_features).lower()
        (conf / "cassandra.yaml").write_text(
            SETTINGS.format(port=port, storage_port=STORAGE_PORT, data=data, functions=feature, views=feature)
            + SYNC[sync] + (LATEST if latest else ""))
        super().__init__(self.command(data, conf), port, data / "output.log", START_SECONDS_MAX,
                         environment={"MALLOC_ARENA_MAX": "4"})

    @staticmethod
    def command(data: pathlib.Path, conf: pathlib.Path) -> list[str]:
        heap = heap_mb()
        options = [
            "-ea", "-da:net.openhft...", "-XX:+UseThreadPriorities", "-Xss256k", "-XX:+AlwaysPreTouch", "-XX:+UseTLAB",
            "-XX:+ResizeTLAB", "-XX:+UseNUMA", "-XX:+PerfDisableSharedMem", "-Djava.net.preferIPv4Stack=true",
            "-XX:+UseG1GC", "-XX:+ParallelRefProcEnabled", "-XX:MaxTenuringThreshold=1", "-XX:G1HeapRegionSize=16m",
            "-XX:G1RSetUpdatingPauseTimePercent=5", "-XX:MaxGCPauseMillis=300", "-XX:InitiatingHeapOccupancyPercent=70",
            f"-Xms{heap}M", f"-Xmx{heap}M", "-Djdk.attach.allowAttachSelf=true",
            "-Dio.netty.tryReflectionSetAccessible=true", "-Dio.netty.allocator.useCacheForAllThreads=true",
            "-Dio.netty.allocator.maxOrder=11", f"-javaagent:{next((HOME / 'lib').glob('jamm-*.jar'))}",
            f"-Dcassandra.config={(conf / 'cassandra.yaml').as_uri()}", f"-Dlogback.configurationFile={conf / 'logback.xml'}",
            f"-Dcassandra.storagedir={data}", f"-Dcassandra.logdir={data}", "-Dcassandra-foreground=yes",
            f"-Dcassandra.jmx.local.port={JMX_PORT}", "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "-Dcassandra.ring_delay_ms=1"]
        for flag, packages in (("--add-exports", EXPORTS), ("--add-opens", OPENS)):
            options += [f"{flag}={package}=ALL-UNNAMED" for package in packages]
        return ["java", *options, "-cp", f"{conf}:{HOME / 'lib'}/*", "org.apache.cassandra.service.CassandraDaemon"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["install", "serve"])
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--data", type=pathlib.Path, help="kept; without it a fresh directory that is removed at the end")
    parser.add_argument("--sync", choices=sorted(SYNC), default="periodic")
    parser.add_argument("--latest", action="store_true", help="the settings of cassandra_latest.yaml")
    arguments = parser.parse_args()
    problem = install()
    if problem:
        print(f"cassandra: {problem}", file=sys.stderr)
        return 1
    if arguments.verb == "install":
        print(HOME)
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    data = (arguments.data or pathlib.Path(tempfile.mkdtemp(prefix="cassandra-peer-"))).resolve()
    try:
        with Cassandra(data, arguments.sync, arguments.port, arguments.latest, all_features=True) as server:
            print(f"Ready on 127.0.0.1:{arguments.port} after {server.start_seconds:.1f} s, pid {server.pid}", flush=True)
            while server.running():
                time.sleep(0.2)
        return 1
    except KeyboardInterrupt:
        return 0
    finally:
        if not arguments.data:
            shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
