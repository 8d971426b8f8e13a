"""Data that earlier versions wrote: it is opened, served and written on, through all APIs, also after a crash."""
import pathlib
import tarfile

import upgrade_data
from harness import OrreryTest

FIXTURES = sorted((pathlib.Path(__file__).parent / "fixtures").glob("*.tar.xz"))


class Upgrade(OrreryTest):
    def test_fixtures_are_there(self):
        self.assertTrue(FIXTURES)

    def test_data_of_earlier_versions(self):
        for fixture in FIXTURES:
            with self.subTest(fixture.name):
                target = self.root / fixture.stem
                with tarfile.open(fixture) as archive:
                    archive.extractall(target)
                for round_number in range(2):
                    server = self.start(*upgrade_data.PORTS, data=target / "data",
                                        cassandra_port="any,any")
                    upgrade_data.check(self, server)
                    upgrade_data.write_more(server, round_number)
                    if round_number == 0:
                        server.kill()
                    else:
                        self.assertEqual(server.stop(), 0)
