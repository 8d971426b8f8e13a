"""As many containers as open files allow, and no more: the next is refused, the others work, and the server starts
again with the same limit."""
import unittest

from attack import AttackTest


class ManyContainers(AttackTest):
    OPEN_FILES = 400

    def test_until_files_run_out(self):
        made = 0
        with self.measured():
            self.assertEqual(self.server.admin("POST", "databases", {"id": "many"}).status, 201)
            while made < 400:
                answer = self.server.admin("POST", "databases/many/containers",
                                           {"id": f"c{made}", "partitionKey": {"paths": ["/pk"]},
                                            "throughput": {"manual": 400}})
                if answer.status != 201:
                    break
                made += 1
            self.assertEqual(answer.status, 507, answer)
            self.assertIn("limit of open files", answer.json()["message"])
            for i in range(made):
                answer = self.server.admin("POST", f"databases/many/containers/c{i}/items", {"id": "x", "pk": "a"})
                self.assertEqual(answer.status, 201, answer)
        self.assertGreater(made, 8)
        self._client.close()
        self.assertEqual(self.server.stop(), 0)
        again = self.start()
        for i in range(made):
            answer = again.admin("GET", f'databases/many/containers/c{i}/items/x?partitionKey=%22a%22')
            self.assertEqual(answer.status, 200, answer)
        self.assertEqual(again.admin("DELETE", "databases/many/containers/c0").status, 204)
        self.assertEqual(again.admin("POST", "databases/many/containers",
                                     {"id": "new", "partitionKey": {"paths": ["/pk"]},
                                      "throughput": {"manual": 400}}).status, 201)


if __name__ == "__main__":
    unittest.main()
