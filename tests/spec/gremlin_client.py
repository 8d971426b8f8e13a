"""Speaks Gremlin over HTTP, and writes results as spec files show them."""
import json
import urllib.error
import urllib.request

TIMEOUT_S = 60


class GremlinError(Exception):
    """The server's answer is an error."""

    def __init__(self, code, message):
        super().__init__(f"{code} {message}")
        self.code = code
        self.message = message


class Client:
    def __init__(self, url):
        self.url = url

    def ask(self, script):
        """Results of a script as GraphSON 3 values."""
        body = json.dumps({"gremlin": script, "language": "gremlin-lang"}).encode()
        request = urllib.request.Request(self.url, body, {
            "content-type": "application/json", "accept": "application/vnd.gremlin-v3.0+json"})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                data = json.load(answer)
        except urllib.error.HTTPError as failure:
            text = failure.read().decode(errors="replace")
            try:
                data = json.loads(text)
            except ValueError:
                data = {}
            status = data.get("status", {})
            raise GremlinError(status.get("code", failure.code), status.get("message") or data.get("message", text)) from None
        if data["result"]["data"] is None:
            return []
        return data["result"]["data"]["@value"]


def _pairs(flat):
    return zip(flat[::2], flat[1::2])


def _number(text, suffix):
    return f"{text}{suffix}"


def _double(value):
    return value if isinstance(value, str) else repr(float(value))


def _id(value):
    """Ids without their types: stores differ in which they keep."""
    return str(value["@value"] if isinstance(value, dict) else value)


def shown(value):
    """A GraphSON 3 value as one line. Types of numbers are suffixes, as in Gremlin; maps are sorted by key."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"
    if isinstance(value, (int, float)):
        return repr(value)
    kind, inner = value["@type"], value["@value"]
    if kind == "g:Int32":
        return str(inner)
    if kind == "g:Int64":
        return _number(inner, "l")
    if kind == "g:Double":
        return _number(_double(inner), "d")
    if kind == "g:Float":
        return _number(_double(inner), "f")
    if kind in ("gx:BigDecimal", "gx:BigInteger"):
        return _number(inner, "m" if kind == "gx:BigDecimal" else "n")
    if kind in ("gx:Byte", "gx:Int16"):
        return _number(inner, "b" if kind == "gx:Byte" else "s")
    if kind == "g:List":
        return "[" + ", ".join(map(shown, inner)) + "]"
    if kind == "g:Set":
        return "{" + ", ".join(sorted(map(shown, inner))) + "}"
    if kind == "g:BulkSet":
        return "[" + ", ".join(sorted(shown(item) for item, count in _pairs(inner) for _ in range(count["@value"]))) + "]"
    if kind == "g:Map":
        return "[" + (", ".join(sorted(f"{shown(key)}: {shown(item)}" for key, item in _pairs(inner))) or ":") + "]"
    if kind in ("g:T", "g:Direction", "g:Order"):
        return f"{kind[2:]}.{inner}"
    if kind == "g:Vertex":
        return f"v[{_id(inner['id'])}]"
    if kind == "g:Edge":
        return f"e[{_id(inner['id'])}][{_id(inner['outV'])}-{inner['label']}->{_id(inner['inV'])}]"
    if kind == "g:VertexProperty":
        return f"vp[{inner['label']}->{shown(inner['value'])}]"
    if kind == "g:Property":
        return f"p[{inner['key']}->{shown(inner['value'])}]"
    if kind == "g:Path":
        labels = inner["labels"]["@value"]
        steps = []
        for object_, names in zip(inner["objects"]["@value"], labels):
            marks = "".join("@" + name for name in sorted(names["@value"]))
            steps.append(shown(object_) + marks)
        return "path[" + ", ".join(steps) + "]"
    if kind == "g:Tree":
        return "tree{" + ", ".join(sorted(f"{shown(each['key'])}: {shown(each['value'])}" for each in inner)) + "}"
    if kind in ("g:Date", "g:UUID"):
        return f"{kind[2:]}({inner})"
    return f"{kind}({json.dumps(inner)})"
