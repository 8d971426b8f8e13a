"""The command that runs the JUnit tests of a folder against a built server."""
import os

import maven

LAUNCHER = "org.junit.platform.console.ConsoleLauncher"


def command(suite, binary, folder, classes=(), options=(), heap=maven.HEAP):
    """Fetches and compiles `suite` (a folder with a pom.xml) into `folder`, and returns the command that runs all its
    classes *Test, or those that are named. `options` go to JUnit's console launcher."""
    sources = sorted([*suite.rglob("*.java"), *(maven.SHARED / "orrery").glob("*.java")])
    jars = maven.classpath(suite / "pom.xml", folder)
    compiled = maven.compile_java(sources, jars, folder)
    selection = [f"--select-class={name}" for name in classes] or [f"--scan-class-path={compiled}",
                                                                    "--include-classname=.*Test"]
    return maven.java([compiled, suite, *jars], f"-Dorrery.binary={binary}",
                      f"-Dorg.slf4j.simpleLogger.defaultLogLevel={os.environ.get('ORRERY_JVM_LOG', 'off')}",
                      LAUNCHER, "execute", *selection, "--fail-if-no-tests", "--disable-banner",
                      "--disable-ansi-colors", "--details=tree", *options, heap=heap)
