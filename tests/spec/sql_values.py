"""Compares JSON that came with JSON that must come, which may have placeholders in its strings.

    "<any>"          any value; within a longer string any text
    "<any as name>"  the same, and ${name} stands for it in the cases below
    "<1.5..2.5>"     a number of that range
    "<absent>"       no such property
"""
import json
import re
import urllib.parse

SYSTEM_PROPERTIES = ("_rid", "_self", "_etag", "_ts", "_attachments")
ANY = re.compile(r"<any(?: as (\w+))?>")
RANGE = re.compile(r"<(-?[\d.]+)\.\.(-?[\d.]+)>")
ABSENT = "<absent>"
NAMED = re.compile(r"\$\{(url )?(\w+)\}")
REPEATED = re.compile(r"\$\{(.)\*(\d+)\}")


def filled(text, names):
    """`text` with the values of earlier cases in place of ${name}, percent-encoded in place of ${url name}, and ${x*9} repeated."""
    text = REPEATED.sub(lambda found: found.group(1) * int(found.group(2)), text)
    return NAMED.sub(lambda found: urllib.parse.quote(names[found.group(2)], safe="") if found.group(1) else names[found.group(2)], text)


def matches_text(expected, got, names):
    """Whether the whole text is as expected."""
    pattern, captured, done = "", [], 0
    for found in ANY.finditer(expected):
        pattern += re.escape(expected[done:found.start()]) + "(.*?)"
        captured.append(found.group(1))
        done = found.end()
    match = re.fullmatch(pattern + re.escape(expected[done:]), got, re.DOTALL)
    if match is None:
        return False
    names.update({name: value for name, value in zip(captured, match.groups()) if name})
    return True


def _matches_string(expected, got, names):
    between = RANGE.fullmatch(expected)
    if between is not None:
        number = isinstance(got, (int, float)) and not isinstance(got, bool)
        return number and float(between.group(1)) <= got <= float(between.group(2))
    if isinstance(got, str):
        return matches_text(expected, got, names)
    alone = ANY.fullmatch(expected)
    if alone is not None and alone.group(1):
        names[alone.group(1)] = json.dumps(got)
    return alone is not None


def _matches_object(expected, got, names, subset):
    for name, value in expected.items():
        if value == ABSENT:
            if name in got:
                return False
        elif name not in got or not matches(value, got[name], names, subset):
            return False
    return subset or all(name in expected or name in SYSTEM_PROPERTIES for name in got)


def matches(expected, got, names, subset=False):
    """Whether `got` is `expected`. Objects may have system properties that are not expected, any others only with `subset`.

    Numbers are equal by value, whichever way they are written. Puts what placeholders name into `names`.
    """
    if isinstance(expected, str):
        return _matches_string(expected, got, names)
    if isinstance(expected, dict):
        return isinstance(got, dict) and _matches_object(expected, got, names, subset)
    if isinstance(expected, list):
        return (isinstance(got, list) and len(expected) == len(got)
                and all(matches(e, g, names, subset) for e, g in zip(expected, got)))
    if isinstance(expected, bool) or isinstance(got, bool) or expected is None:
        return expected is got
    return isinstance(got, (int, float)) and expected == got


def matches_rows(expected, got, names, unordered=False):
    """Row by row, or in any order."""
    if len(expected) != len(got):
        return False
    left = list(got)
    for row in expected:
        candidates = range(len(left)) if unordered else range(1)
        found = next((at for at in candidates if matches(row, left[at], names)), None)
        if found is None:
            return False
        del left[found]
    return True


def as_text(row):
    """A row on one line, in the order of its properties, without the system's."""
    return json.dumps(_without_system(row), ensure_ascii=False)


def _without_system(value):
    if isinstance(value, dict):
        return {name: _without_system(inner) for name, inner in value.items() if name not in SYSTEM_PROPERTIES}
    return [_without_system(inner) for inner in value] if isinstance(value, list) else value
