#!/usr/bin/env python3
"""tabulate.py SECONDS FILE: the lines of JSON that attacks have left in FILE as bench/results/attack.md."""
import json
import os
import sys

KINDS = ("sql_read", "sql_query", "cql_read", "mongo_read")
HEAD = """# Attacks

`make attack` (`tests/attack`), {seconds} s of each, {processors} processors shared by server, attacker and second client.
Rate: what the second client did each second, as a part of its own quiet rate just before. p99 in ms: quiet, attacked.
Memory: the server's at its start and at its worst moment, MB, with 64 MB of caches.

| attack | memory | {kinds} |
|---|---|{rules}|"""


def main():
    seconds, path = sys.argv[1:]
    print(HEAD.format(seconds=seconds, processors=os.cpu_count(),
                      kinds=" | ".join(f"{kind}: rate, p99" for kind in KINDS), rules="|".join("---" for _ in KINDS)))
    with open(path) as lines:
        for line in map(json.loads, lines):
            cells = [f"{line[k]['rate_ratio']}, {line[k]['quiet_p99_ms']} → {line[k]['p99_ms']}" for k in KINDS]
            print(f"| {line['attack'].replace('.test_', ': ').replace('_', ' ')} | "
                  f"{line['start_mb']} → {line['peak_mb']} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
