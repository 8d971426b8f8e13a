"""CQL statements of megabytes: what is too much is refused, and nothing of it is on the way of others."""
import unittest

import cql_wire
from attack import AttackTest

PATIENCE_S = 60
CLIENTS = 4
MANY = 1_000_000


class LargeStatements(AttackTest):
    SHARE_MIN = 0.05
    REFUSED = True

    STATEMENTS = (
        "SELECT * FROM quiet_cql.t WHERE k IN (" + ",".join(["1234567"] * MANY) + ")",
        "BEGIN UNLOGGED BATCH " + "INSERT INTO quiet_cql.t (k, v) VALUES (1, 'x');" * 200_000 + " APPLY BATCH",
        "INSERT INTO quiet_cql.t (k, v) VALUES (1, [" + ",".join(["1"] * MANY) + "])",
    )

    def test_lists_and_batches(self):
        def work(attack, index):
            with cql_wire.Connection(self.server.cql_port) as connection:
                connection.socket.settimeout(PATIENCE_S)
                text = self.STATEMENTS[index % len(self.STATEMENTS)]
                while not attack.over():
                    answer = connection.query(text)
                    assert answer.is_error() == self.REFUSED, answer

        with self.measured() as attack:
            attack.by(CLIENTS, work)


class LongLists(LargeStatements):
    """As many elements as are taken, again and again."""
    REFUSED = False
    STATEMENTS = ("SELECT * FROM quiet_cql.t WHERE k IN (" + ",".join(str(i) for i in range(65_000)) + ")",)


if __name__ == "__main__":
    unittest.main()
