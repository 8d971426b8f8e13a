"""One server for all tests, and the same state before each of them."""
import json
import pathlib
import urllib.request

import orrery_server
import pytest

SEED = pathlib.Path(__file__).parent / "seed"


@pytest.fixture(scope="session")
def server():
    with orrery_server.start(seed=SEED, allow_reset=True) as running:
        admin(running, "PUT", "snapshots/seeded")
        yield running


@pytest.fixture
def database(server):
    """The seeded state, whatever the test before did."""
    admin(server, "POST", "snapshots/seeded/restore")
    return server


def admin(server, method, path):
    request = urllib.request.Request(f"{server.variables['ORRERY_URL']}_admin/v1/{path}", method=method,
                                     headers={"Authorization": "Bearer " + server.key})
    with urllib.request.urlopen(request) as answer:
        body = answer.read()
    return json.loads(body) if body else None
