"""Values of MongoDB as text: extended JSON in which an int is 1, a long {"$numberLong": "1"} and a double 1.0, so that types stay."""
import datetime
import json
import math

from bson import json_util
from bson.int64 import Int64
from bson.son import SON

OPTIONS = json_util.JSONOptions(json_mode=json_util.JSONMode.CANONICAL, document_class=SON, tz_aware=True)
# Objects of these single fields are values. Others with `$` are operators: {"$regex": ..} stays as it is.
WRAPPERS = ("$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$date", "$oid", "$binary", "$timestamp", "$regularExpression", "$minKey",
            "$maxKey", "$code", "$undefined")


def loads(text):
    """Reads what dumps wrote, and MongoDB's extended JSON."""
    return json.loads(text, object_pairs_hook=_read)


def _read(pairs):
    if len(pairs) == 1 and pairs[0][0] in WRAPPERS:
        return json_util.object_pairs_hook(pairs, OPTIONS)
    return SON(pairs)


def dumps(value):
    return json.dumps(_shown(value), ensure_ascii=False)


def _shown(value):
    if isinstance(value, dict):
        return {name: _shown(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shown(inner) for inner in value]
    if isinstance(value, Int64):
        return {"$numberLong": str(int(value))}
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$numberDouble": _special(value)}
    if isinstance(value, datetime.datetime):
        text = value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
        return {"$date": f"{text}.{value.microsecond // 1000:03}Z" if value.microsecond else text + "Z"}
    return json_util.default(value, OPTIONS)


def _special(value):
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def matches(expected, got):
    """Whether `got` is what is expected: objects may have more fields, "<any>" is any value and "<absent>" none."""
    if expected == "<any>":
        return True
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return False
        return all(name not in got if inner == "<absent>" else name in got and matches(inner, got[name]) for name, inner in expected.items())
    if isinstance(expected, list):
        return isinstance(got, list) and len(expected) == len(got) and all(map(matches, expected, got))
    return dumps(expected) == dumps(got)
