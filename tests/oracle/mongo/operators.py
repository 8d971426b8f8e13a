#!/usr/bin/env python3
"""Tells which operators that the server knows the generators of random requests never make.

Usage: operators.py [--requests N]

Reads the names from the server's sources, and needs no server. Exits 1 if an operator is made by neither generator and is not among those that cannot be compared.
"""
import argparse
import pathlib
import re
import sys

from typed_generator import TypedGenerator

LANGUAGE = pathlib.Path(__file__).resolve().parents[3] / "src/api/mongo/language"
# What mongod 6.0 has not, what depends on chance, on JavaScript, on the server or on an index, and parts of other operators that are no operators themselves.
LEFT_OUT = {
    "$bitAnd", "$bitOr", "$bitXor", "$bitNot", "$median", "$percentile", "$rand", "$function", "$accumulator", "$where", "$text", "$near", "$nearSphere", "$geoNear", "$meta", "$const",
    "$maxDistance", "$minDistance", "$search", "$language", "$caseSensitive", "$diacriticSensitive", "$uniqueDocs", "$collStats", "$indexStats", "$currentOp", "$listSessions", "$listLocalSessions",
    "$planCacheStats", "$changeStream", "$documents", "$hint", "$natural", "$query", "$db", "$isolated", "$pushAll", "$type", "$comment", "$toHashedIndexKey", "$geoNearDistance", "$id", "$ref", "$within",
    "$merge", "$out"}  # the last two are made by server_side_by_side.py


def known():
    names = set()
    for path in LANGUAGE.rglob("*.cc"):
        if not path.stem.endswith(("_test", "_fuzz")):
            names |= set(re.findall(r'\{"(\$[a-zA-Z0-9]+)"', path.read_text())) | set(re.findall(r'name == "(\$[a-zA-Z0-9]+)"', path.read_text()))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10000)
    options = parser.parse_args()
    g = TypedGenerator(1)
    made = set()
    for _ in range(options.requests):
        for request in (g.filter(), g.projection(), g.update(), g.update_pipeline(), g.pipeline(), g.typed_filter(), g.typed_projection(), g.typed_update(), g.typed_update_pipeline(), g.typed_pipeline()):
            made |= set(re.findall(r"'(\$[a-zA-Z0-9]+)'", str(request)))
    lacking = sorted(known() - made - LEFT_OUT)
    print(f"{len(known() & made)} operators are made; not made: {', '.join(lacking) or 'none'}")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
