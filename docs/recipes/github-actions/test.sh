#!/bin/sh
# Stands for the tests of an application: asks for what the seed has.
set -e
orrery status --url "$ORRERY_URL" --key "$ORRERY_KEY" --json > status.json
grep -q '"database":"shop"' status.json
