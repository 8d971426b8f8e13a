#!/usr/bin/env python3
"""Apache TinkerPop's Gremlin Server with an empty TinkerGraph as a peer: fetched from Maven Central, configured by us.

As a program: bench/peer/gremlin_server.py install
              bench/peer/gremlin_server.py serve [--port 9492]
`serve` stays in the foreground until SIGINT or SIGTERM.

The graph is in memory; ids are taken as they are given, so that texts name vertices as they do in Orrery.
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

VERSION = "3.7.5"
HOME = pathlib.Path(os.environ.get("ORRERY_GREMLIN_SERVER_HOME", pathlib.Path.home() / ".cache/orrery/gremlin-server-3.7"))
DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
PORT = 9492
START_SECONDS_MAX = 120
HEAP = "2g"

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>orrery.bench</groupId><artifactId>gremlin-server-peer</artifactId><version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.apache.tinkerpop</groupId><artifactId>gremlin-server</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.apache.tinkerpop</groupId><artifactId>tinkergraph-gremlin</artifactId><version>{version}</version></dependency>
    <dependency><groupId>org.apache.tinkerpop</groupId><artifactId>gremlin-groovy</artifactId><version>{version}</version></dependency>
    <dependency><groupId>ch.qos.logback</groupId><artifactId>logback-classic</artifactId><version>1.2.13</version></dependency>
  </dependencies>
</project>
"""
LOGBACK = """<configuration>
  <appender name="FILE" class="ch.qos.logback.core.FileAppender">
    <file>{log}</file>
    <encoder><pattern>%-5level %date{{ISO8601}} %logger{{0}} %msg%n</pattern></encoder>
  </appender>
  <root level="WARN"><appender-ref ref="FILE"/></root>
</configuration>
"""
SETTINGS = """host: 127.0.0.1
port: {port}
evaluationTimeout: 60000
processors:
  - {{className: org.apache.tinkerpop.gremlin.server.op.standard.StandardOpProcessor, config: {{maxParameters: 64}}}}
channelizer: org.apache.tinkerpop.gremlin.server.channel.WebSocketChannelizer
graphs: {{graph: {data}/graph.properties}}
scriptEngines:
  gremlin-groovy:
    plugins:
      org.apache.tinkerpop.gremlin.server.jsr223.GremlinServerGremlinPlugin: {{}}
      org.apache.tinkerpop.gremlin.tinkergraph.jsr223.TinkerGraphGremlinPlugin: {{}}
      org.apache.tinkerpop.gremlin.jsr223.ScriptFileGremlinPlugin: {{files: [{data}/start.groovy]}}
serializers:
  - {{className: org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3, config: {{ioRegistries: [org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerIoRegistryV3]}}}}
  - {{className: org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1}}
"""
GRAPH = """gremlin.graph=org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph
gremlin.tinkergraph.vertexIdManager=ANY
gremlin.tinkergraph.edgeIdManager=ANY
gremlin.tinkergraph.vertexPropertyIdManager=LONG
"""
START = "def globals = [:]\nglobals << [g : traversal().withEmbedded(graph)]\n"


def install() -> str:
    """Fetches the jars if they are not there. Returns why that is not possible, or nothing."""
    lib = HOME / "lib"
    if (lib / f"gremlin-server-{VERSION}.jar").exists():
        return ""
    if not shutil.which("mvn") or not shutil.which("java"):
        return "mvn or java is not installed (Debian: maven, openjdk-17-jre-headless)"
    HOME.mkdir(parents=True, exist_ok=True)
    (HOME / "pom.xml").write_text(POM.format(version=VERSION))
    print(f"fetching Gremlin Server {VERSION} into {HOME}", file=sys.stderr)
    fetched = HOME / "lib.new"
    shutil.rmtree(fetched, ignore_errors=True)
    done = subprocess.run(
        ["mvn", "-q", "-B", f"-Dmaven.repo.local={HOME / 'm2'}", DEPENDENCY_PLUGIN, "-DincludeScope=runtime",
         f"-DoutputDirectory={fetched}"], cwd=HOME, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        return "Maven Central gave no Gremlin Server: " + done.stdout.strip().splitlines()[-1]
    shutil.rmtree(lib, ignore_errors=True)
    fetched.rename(lib)
    return ""


class GremlinServer(process.ServerProcess):
    """One server with an empty graph; `data` is for its settings and logs. Answers once the constructor returns."""

    def __init__(self, data: pathlib.Path, port: int = PORT):
        data.mkdir(parents=True, exist_ok=True)
        (data / "logback.xml").write_text(LOGBACK.format(log=data / "server.log"))
        (data / "graph.properties").write_text(GRAPH)
        (data / "start.groovy").write_text(START)
        (data / "server.yaml").write_text(SETTINGS.format(port=port, data=data))
        opens = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in ("java.util", "java.util.concurrent.atomic", "java.io", "java.lang", "sun.nio.ch")]
        super().__init__(["java", f"-Xms{HEAP}", f"-Xmx{HEAP}", *opens, f"-Dlogback.configurationFile={data / 'logback.xml'}", "-cp", f"{data}:{HOME / 'lib'}/*",
                          "org.apache.tinkerpop.gremlin.server.GremlinServer", data / "server.yaml"], port, data / "output.log", START_SECONDS_MAX,
                         answers=process.listens)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["install", "serve"])
    parser.add_argument("--port", type=int, default=PORT)
    arguments = parser.parse_args()
    problem = install()
    if problem:
        print(f"gremlin-server: {problem}", file=sys.stderr)
        return 1
    if arguments.verb == "install":
        print(HOME)
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with tempfile.TemporaryDirectory(prefix="gremlin-server-") as data:
        try:
            with GremlinServer(pathlib.Path(data), arguments.port) as server:
                print(f"Ready on 127.0.0.1:{arguments.port} after {server.start_seconds:.1f} s, pid {server.pid}", flush=True)
                while server.running():
                    time.sleep(0.2)
            return 1
        except KeyboardInterrupt:
            return 0


if __name__ == "__main__":
    sys.exit(main())
