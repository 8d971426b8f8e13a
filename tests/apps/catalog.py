"""The applications that tools/apps knows, by name, and what is expected of each."""
import dsbulk
import java_suite
import temporal

APPLICATIONS = {
    "temporal": temporal.Temporal(expected_passes=204),
    "janusgraph": java_suite.JavaSuite(
        "janusgraph", version="1.1.0", expected_passes=47,
        what="JanusGraph: its own tests of a store, and the Graph of the Gods"),
    "spring-cassandra": java_suite.JavaSuite(
        "spring_cassandra", version="4.1.1", expected_passes=4, what="Spring Boot with Spring Data Cassandra: a small library"),
    "spring-cosmos": java_suite.JavaSuite(
        "spring_cosmos", version="7.3.0", expected_passes=5, what="Spring Data Cosmos: a small library"),
    "dsbulk": dsbulk.Dsbulk(expected_passes=4),
}
