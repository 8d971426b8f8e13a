"""Java programs whose libraries come from Maven Central: fetch, compile, run.

Maven is asked only when a pom.xml changed or a jar is gone, first offline, then online. What it finds stays in
its local repository (~/.m2, or where the user's settings.xml says), which all build folders share; the class path
and the compiled classes are kept in a build folder.

Missing programs and an unreachable repository are NotAvailable, which callers tell with skip(). Everything else
that goes wrong is an error of ours: MavenError."""
import contextlib
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77  # what ctest takes for "not run"
JAVA_RELEASE = 17
HEAP = "512m"
FETCH_SECONDS_MAX = 900
DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
SHARED = pathlib.Path(__file__).resolve().parent
# What Maven says when it cannot talk to a repository. An artifact that does not exist is told in other words.
NOT_REACHED = re.compile(r"Could not transfer|Unknown host|Temporary failure in name resolution|No route to host|"
                         r"Connection refused|Connect timed out|transfer failed for", re.IGNORECASE)


class NotAvailable(Exception):
    """Something that this machine does not have; the text says what and how to get it."""


class MavenError(Exception):
    pass


def skip(reason):
    """Ends the program as skipped or, where CI=true promises that everything is there, as failed."""
    if os.environ.get("CI") == "true":
        sys.exit(f"failed: {reason} (CI=true: nothing is skipped)")
    print(f"skipped: {reason}", flush=True)
    sys.exit(SKIPPED)


def program(name):
    found = shutil.which(name)
    if found is None:
        raise NotAvailable(f"no {name} on this machine; tools/bootstrap installs it")
    return found


def classpath(pom, folder):
    """The jars that `pom` needs, fetched where they are not there yet. `folder` remembers the answer."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp, answer = folder / "classpath.stamp", folder / "classpath"
    wanted = digest([pom, SHARED / "pom.xml"], DEPENDENCY_PLUGIN)
    with lock(folder / "lock"):
        if stamp.exists() and stamp.read_text() == wanted:
            jars = answer.read_text().split(os.pathsep)
            if all(os.path.exists(jar) for jar in jars):
                return jars
        resolve(pom, answer)
        stamp.write_text(wanted)
    return answer.read_text().split(os.pathsep)


def resolve(pom, answer):
    command = [program("mvn"), "-B", "-f", str(pom), f"{DEPENDENCY_PLUGIN}:build-classpath",
               f"-Dmdep.outputFile={answer.resolve()}"]
    # Maven 3 does not expect others in its local repository.
    with lock(pathlib.Path.home() / ".m2" / "orrery.lock"):
        if ask(command + ["-o"]).returncode == 0:
            return
        print(f"fetching what {pom} names", flush=True)
        done = ask(command)
    if done.returncode == 0:
        return
    errors = [line for line in done.stdout.splitlines() if line.startswith("[ERROR]")]
    if NOT_REACHED.search(done.stdout):
        raise NotAvailable("Maven Central is not reached: " + (errors or [done.stdout.strip()])[0])
    raise MavenError("\n".join(errors) or done.stdout)


def ask(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=FETCH_SECONDS_MAX, env={**os.environ, "MAVEN_OPTS": f"-Xmx{HEAP}"})
    except subprocess.TimeoutExpired as error:
        raise NotAvailable(f"Maven Central is not reached: no end after {FETCH_SECONDS_MAX} s") from error


def compile_java(sources, jars, folder):
    """Compiles `sources` unless that was done before, and returns the folder of the classes."""
    classes, stamp = folder / "classes", folder / "classes.stamp"
    wanted = digest(sources, os.pathsep.join(jars))
    with lock(folder / "lock"):
        if stamp.exists() and stamp.read_text() == wanted:
            return classes
        stamp.unlink(missing_ok=True)  # whatever interrupts the compiler
        shutil.rmtree(classes, ignore_errors=True)
        classes.mkdir(parents=True)
        done = subprocess.run([program("javac"), f"-J-Xmx{HEAP}", "--release", str(JAVA_RELEASE), "-parameters",
                               "-encoding", "UTF-8", "-Xlint:deprecation", "-cp", os.pathsep.join(jars), "-d", str(classes),
                               *map(str, sources)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise MavenError(done.stdout)
        stamp.write_text(wanted)
    return classes


def java(path, *arguments, heap=HEAP):
    """The command line that runs a class with `path` (jars and folders) as class path."""
    return [program("java"), f"-Xmx{heap}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-ea",
            "-XX:-UsePerfData", "-cp", os.pathsep.join(map(str, path)), *arguments]


def digest(files, *words):
    hashed = hashlib.sha256()
    for file in files:
        hashed.update(str(file).encode() + b"\0" + pathlib.Path(file).read_bytes() + b"\0")
    for word in words:
        hashed.update(word.encode() + b"\0")
    return hashed.hexdigest()


@contextlib.contextmanager
def lock(path):
    """Waits for other programs that hold the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
