"""Testcontainers for Python with a plain container: pip install testcontainers pytest."""
import json
import urllib.request

import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import LogMessageWaitStrategy


@pytest.fixture(scope="session")
def orrery():
    container = DockerContainer("orrery:latest").with_exposed_ports(8081, 27017)
    container.with_env("ORRERY_AUTH", "local").with_env("ORRERY_DATA", "memory")
    with container.waiting_for(LogMessageWaitStrategy("Ready in")):
        yield container


def test_health(orrery):
    url = f"http://{orrery.get_container_host_ip()}:{orrery.get_exposed_port(8081)}/"
    with urllib.request.urlopen(url + "_health") as answer:
        assert json.load(answer) == {"status": "ok"}
    assert int(orrery.get_exposed_port(27017)) > 0
