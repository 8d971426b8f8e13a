#!/usr/bin/env python3
"""Random traversals over random graphs on Orrery and on Gremlin Server; answers must be the same.

    java -cp 'lib/*:conf' org.apache.tinkerpop.gremlin.server.GremlinServer conf/server.yaml &     (bench/README.md says how to get it)
    orrery serve --gremlin-port 8182 &
    tests/oracle/gremlin_side_by_side.py http://127.0.0.1:8182/gremlin http://127.0.0.1:8183/gremlin --traversals 50000
    tests/oracle/gremlin_side_by_side.py ws://127.0.0.1:8182/gremlin ws://127.0.0.1:8183/gremlin --writes 0.2 --sql http://127.0.0.1:8081

With --writes so many of the traversals are followed by a change of the graph: properties, new and removed elements. With --sql Orrery's
half of those that a document can say is written through its SQL API, so that what traversals have read before must not be seen again.
Both default graphs are emptied. Gremlin Server needs TinkerGraph with ids of any type, the engine gremlin-lang and GraphSON 3 by HTTP.
Results are compared as multisets, lists within them in any order: neither server promises one. So limit(), tail() and the like stand
behind an order() by something that all elements have and no two share. Two errors are the same whatever they say. What differs is
printed with both answers, and counted by the steps that occur in it. The seed is printed; --seed repeats a run.
"""
import argparse
import collections
import http.client
import json
import pathlib
import random
import re
import socket
import struct
import sys
import urllib.parse
import uuid

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "spec"))

import sql_client
from gremlin_client import shown

LABELS = ("person", "software", "city")
EDGES = ("knows", "created", "near")
NAMES = ("ada", "bob", "cleo", "dan", "eve", "fay", "gus", "hal", "ivy", "jo", "kim", "leo")
TIMEOUT_S = 60
TIMED_OUT = "no answer in time"
# The account key that the emulators of Cosmos DB have, and `orrery serve` by default.
KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
BARRIER = re.compile(r"\b(count|sum|min|max|mean|fold|group|groupCount|order|tail|dedup|barrier|aggregate|cap|tree)\(")


class Server:
    """One server, over a connection that stays open."""

    def __init__(self, url):
        self.url = urllib.parse.urlparse(url)
        self.connection = None
        self.timeouts = []  # scripts without an answer

    def ask(self, script):
        """The results as lines, or None for an error and its message."""
        if self.url.scheme == "ws":
            try:
                return self.ask_by_websocket(script)
            except TimeoutError:
                # The answer may still come: on a connection that nobody reads any more.
                self.connection = None
                self.timeouts.append(script)
                return None, TIMED_OUT
        body = json.dumps({"gremlin": script, "language": "gremlin-lang"})
        headers = {"content-type": "application/json", "accept": "application/vnd.gremlin-v3.0+json"}
        for attempt in range(2):
            try:
                if self.connection is None:
                    self.connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=TIMEOUT_S)
                self.connection.request("POST", self.url.path, body, headers)
                answer = self.connection.getresponse()
                text = answer.read()
                break
            except (http.client.HTTPException, ConnectionError):
                self.connection = None
                if attempt:
                    raise
        data = json.loads(text)
        if answer.status >= 400:
            return None, (data.get("status", {}).get("message") or data.get("message") or "")
        items = (data["result"]["data"] or {}).get("@value", [])
        return [shown(item) for item in items], ""


    def ask_by_websocket(self, script):
        if self.connection is None:
            self.connection = WebSocket(self.url.hostname, self.url.port, self.url.path)
        name = str(uuid.uuid4())
        request = {"requestId": {"@type": "g:UUID", "@value": name}, "op": "eval", "processor": "",
                   "args": {"@type": "g:Map", "@value": ["gremlin", script, "language", "gremlin-lang"]}}
        self.connection.send(MIME + json.dumps(request).encode())
        items = []
        while True:
            answer = json.loads(self.connection.receive())
            if answer["requestId"] != name:
                sys.exit(f"{self.url.geturl()} answered another request than {script}")
            code = answer["status"]["code"]
            if code >= 400:
                return None, answer["status"]["message"]
            items += (answer["result"]["data"] or {}).get("@value", [])
            if code != 206:
                return [shown(item) for item in items], ""


MIME = b"!application/vnd.gremlin-v3.0+json"


class WebSocket:
    """A client's end of a WebSocket: binary messages there, text or binary messages back."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=TIMEOUT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        if b" 101 " not in self.file.readline():
            sys.exit(f"{host}:{port} does not speak WebSocket")
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def send(self, payload, opcode=2):
        mask = b"\x11\x22\x33\x44"
        size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack(">H", len(payload)) if len(payload) < 1 << 16 else b"\xff" + struct.pack(">Q", len(payload))
        masked = bytes(byte ^ mask[i & 3] for i, byte in enumerate(payload))
        self.socket.sendall(bytes([0x80 | opcode]) + size + mask + masked)

    def read(self, count):
        data = self.file.read(count)
        if len(data) != count:
            raise ConnectionError("the server has closed the connection")
        return data

    def receive(self):
        message = b""
        while True:
            head = self.read(2)
            size = head[1] & 0x7F
            if size == 126:
                size = struct.unpack(">H", self.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.read(8))[0]
            payload = self.read(size)
            opcode = head[0] & 0x0F
            if opcode == 9:
                self.send(payload, opcode=10)
            elif opcode == 8:
                raise ConnectionError("the server has closed the connection")
            elif opcode in (0, 1, 2):
                message += payload
                if head[0] & 0x80:
                    return message


class Changer:
    """Changes both graphs alike while they are read; Orrery's in part through its SQL API."""

    def __init__(self, generator, servers, sql):
        self.generator = generator
        self.servers = servers
        self.sql = sql
        self.made = 0

    def change(self):
        """Makes one change; says what."""
        pick = self.generator.random.randrange
        count = self.generator.count
        one, other = pick(1, count + 1), pick(1, count + 1)
        self.made += 1
        kind = pick(7)
        if kind == 0:
            value = pick(1, 6) * 10
            return self.write(f"g.V({one}).property('age', {value})", one, lambda found: found.update(age=[{"id": "a", "_value": value}]))
        if kind == 1:
            weight = self.made + 1000.25
            label = self.generator.any(*EDGES)
            return self.write(f"g.V({one}).as('a').V({other}).addE('{label}').from('a').property(T.id, {1000 + self.made}).property('weight', {weight}d)")
        if kind == 2:
            return self.write(f"g.V({one}).outE().order().by('weight').limit(1).drop()")
        if kind == 3:
            return self.edge(lambda found: found.update(since=2000 + self.made % 5), lambda name: f"g.E({name}).property('since', {2000 + self.made % 5})")
        if kind == 4:
            return self.edge(None, lambda name: f"g.E({name}).drop()")
        if kind == 5:
            return self.write(f"g.V({one}).properties('tag').drop()", one, lambda found: found.pop("tag", None))
        # Removed with its edges, and there again without them.
        name, rank, label = NAMES[one - 1], one * 7 % 13, self.generator.any(*LABELS)
        return self.write(f"g.V({one}).drop()") + "; " + self.write(
            f"g.addV('{label}').property(T.id, {one}).property('name', '{name}').property('rank', {rank})")

    def write(self, script, vertex=None, document=None):
        """By Gremlin on both, or on Orrery as a change of the vertex's document."""
        by_sql = self.sql is not None and document is not None and self.generator.chance(0.7)
        if by_sql:
            found = self.sql.read(str(vertex), str(vertex))
            if found is None:
                by_sql = False
            else:
                document(found)
                self.sql.replace(found)
        for server in self.servers[1 if by_sql else 0:]:
            got, message = server.ask(script)
            if got is None:
                sys.exit(f"{server.url.geturl()} refused {script}: {message}")
        return ("SQL: " if by_sql else "") + script

    def edge(self, document, script):
        """Of an edge that is there: written as a document, or removed if there is none to write."""
        ids, _ = self.servers[1].ask("g.E().id().order()")
        if not ids:
            return "nothing"
        name = self.generator.any(*ids).rstrip("l")
        text = script(name)
        if self.sql is None or self.generator.chance(0.3):
            return self.write(text)
        found = self.sql.edge(name)
        if found is None:
            sys.exit(f"the SQL API does not find the edge {name}")
        if document is None:
            self.sql.delete(found)
        else:
            document(found)
            self.sql.replace(found)
        got, message = self.servers[1].ask(text)
        if got is None:
            sys.exit(f"{self.servers[1].url.geturl()} refused {text}: {message}")
        return "SQL: " + text


class Documents:
    """The documents of Orrery's default graph, through the SQL API."""

    DOCS = "/dbs/graphs/colls/g/docs"

    def __init__(self, url, key):
        self.client = sql_client.Client(url, key)

    def request(self, method, path, partition, body=None):
        return self.client.request(method, path, {"x-ms-documentdb-partitionkey": json.dumps([partition])}, None if body is None else json.dumps(body))

    def read(self, name, partition):
        answer = self.request("GET", f"{self.DOCS}/{name}", partition)
        return answer.json() if answer.status == 200 else None

    def edge(self, name):
        pages = self.client.pages(self.DOCS, "SELECT * FROM c WHERE c.id = @id AND c._isEdge", {"@id": str(name)})
        found = [document for answer in pages for document in answer.json()["Documents"]]
        return found[0] if found else None

    def replace(self, document):
        self.check(self.request("PUT", f"{self.DOCS}/{document['id']}", document["_pk"], document))

    def delete(self, document):
        self.check(self.request("DELETE", f"{self.DOCS}/{document['id']}", document["_pk"]))

    @staticmethod
    def check(answer):
        if answer.status >= 300:
            sys.exit(f"the SQL API refused: {answer.code} {answer.message}")


class Generator:
    """Makes graphs, and traversals whose steps fit what comes along."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.level = 0  # how deeply nested

    def any(self, *choices):
        return self.random.choice(choices)

    def chance(self, of):
        return self.random.random() < of

    def graph(self):
        """Scripts that make a graph of up to twelve vertices."""
        count = self.random.randrange(2, len(NAMES) + 1)
        lines = []
        for i in range(1, count + 1):
            line = f"g.addV('{self.any(*LABELS)}').property(T.id, {i}).property('name', '{NAMES[i - 1]}').property('rank', {i * 7 % 13})"
            if self.chance(0.7):
                line += f".property('age', {self.random.randrange(1, 6) * 10})"
            if self.chance(0.4):
                line += f".property('score', {self.random.randrange(-4, 9)}.5d)"
            if self.chance(0.3):
                line += f".property('tag', '{self.any('red', 'green', 'Blue')}')"
            lines.append(line)
        for i in range(self.random.randrange(count * 2)):
            line = (f"g.V({self.random.randrange(1, count + 1)}).addE('{self.any(*EDGES)}').to(__.V({self.random.randrange(1, count + 1)}))"
                    f".property(T.id, {100 + i}).property('weight', {i}.25d)")
            if self.chance(0.5):
                line += f".property('since', {2000 + self.random.randrange(5)})"
            lines.append(line)
        self.count = count
        return lines

    # Predicates and constants.
    def number(self):
        return self.any(*range(-1, 6), 10, 20, 30, 40, "2.5d", "1.25d")

    def predicate(self, kind):
        if kind == "string":
            return self.any(f"eq('{self.any(*NAMES)}')", f"neq('{self.any(*NAMES)}')", f"gt('{self.any(*NAMES)}')",
                            f"within('ada','eve','{self.any(*NAMES)}')", f"without('ada','{self.any(*NAMES)}')",
                            f"startingWith('{self.any('a', 'b', 'c', 'e')}')", f"containing('{self.any('a', 'e', 'l')}')",
                            f"endingWith('{self.any('y', 'o', 'n')}')", f"regex('{self.any('^[a-c]', 'e+', 'o$')}')",
                            f"between('b','{self.any('e', 'h')}')", f"gt({self.number()})")
        low = self.random.randrange(0, 4) * 10
        return self.any(f"eq({self.number()})", f"neq({self.number()})", f"lt({self.number()})", f"lte({self.number()})",
                        f"gt({self.number()})", f"gte({self.number()})", f"between({low},{low + 20})", f"inside({low},{low + 30})",
                        f"outside({low},{low + 10})", f"within({self.number()},{self.number()})", f"without({self.number()})",
                        f"gt({self.number()}).and(lt({self.number()}))", f"lt({self.number()}).or(gt({self.number()}))", f"not(lt({self.number()}))")

    def edge_labels(self):
        return self.any("", "", *(f"'{label}'" for label in EDGES), "'knows','created'")

    def has(self, kind):
        if kind == "vertex":
            return self.any(f"hasLabel('{self.any(*LABELS)}')", f"has('name',{self.predicate('string')})",
                            f"has('age',{self.predicate('number')})", f"has('score',{self.predicate('number')})", "has('age')",
                            "hasNot('age')", f"has('{self.any(*LABELS)}','age',{self.predicate('number')})",
                            f"hasId({self.random.randrange(1, self.count + 2)})", f"has('tag',{self.predicate('string')})",
                            f"has(T.label,'{self.any(*LABELS)}')", f"has('rank',{self.predicate('number')})")
        return self.any(f"hasLabel('{self.any(*EDGES)}')", f"has('weight',{self.predicate('number')})",
                        f"has('since',{self.any('2001', 'gt(2001)', 'within(2000,2003)')})", "has('since')", "hasNot('since')")

    # Traversals, from a kind of value to another.
    def child(self, kind, depth, want=None):
        """A nested traversal; `want`: the kind that it must end in."""
        self.level += 1
        text, end = self.chain(kind, depth, self.random.randrange(1, 3))
        self.level -= 1
        if want == "number" and end != "number":
            text, end = text + ".count()", "number"
        return text.lstrip("."), end

    def test(self, kind, depth):
        if kind in ("vertex", "edge") and self.chance(0.5):
            return self.has(kind)
        if kind in ("string", "number") and self.chance(0.5):
            return f"is({self.predicate(kind)})"
        return self.child(kind, depth)[0]

    def key(self, kind):
        """Something that every element of a kind has, no two the same."""
        return {"vertex": ".by('name')", "edge": ".by('weight')"}.get(kind, "")

    def chain(self, kind, depth, length):
        text = ""
        for _ in range(length):
            step, kind = self.step(kind, depth)
            text += "." + step
        return text, kind

    def step(self, kind, depth):
        if depth > 0 and self.chance(0.3):
            made = self.nested(kind, depth - 1)
            if made is not None:
                return made
        if self.chance(0.12):
            return self.reducing(kind)
        if kind == "vertex":
            return self.any(
                (self.has("vertex"), "vertex"), (self.has("vertex"), "vertex"), (f"out({self.edge_labels()})", "vertex"),
                (f"in({self.edge_labels()})", "vertex"), (f"both({self.edge_labels()})", "vertex"), (f"outE({self.edge_labels()})", "edge"),
                (f"inE({self.edge_labels()})", "edge"), (f"bothE({self.edge_labels()})", "edge"), ("values('name')", "string"),
                ("values('age')", "number"), ("values('score')", "number"), ("values('name','tag')", "string"), ("id()", "number"),
                ("label()", "string"), ("dedup()", "vertex"), (f"order(){self.key('vertex')}.limit({self.random.randrange(4)})", "vertex"),
                (f"order().by('name',desc).range(1,{self.random.randrange(1, 5)})", "vertex"), (f"order().by('name').tail({self.any(1, 2, 3)})", "vertex"),
                ("valueMap()", "map"), ("valueMap('name','age')", "map"), ("elementMap('name','rank')", "map"), ("properties('age','tag').value()", "any"),
                ("properties().key()", "string"), ("simplePath()", "vertex"), ("barrier()", "vertex"),
                ("as('a').out().as('b').select('a','b').by('name')", "map"), ("as('a').both().where(neq('a'))", "vertex"),
                ("as('a').out().in().where(eq('a'))", "vertex"), ("path()", "path"), ("out().path().by('name')", "path"))
        if kind == "edge":
            return self.any(
                (self.has("edge"), "edge"), ("outV()", "vertex"), ("inV()", "vertex"), ("bothV()", "vertex"), ("values('weight')", "number"),
                ("values('since')", "number"), ("label()", "string"), ("id()", "number"), ("dedup()", "edge"), ("valueMap()", "map"),
                (f"order().by('weight').limit({self.random.randrange(4)})", "edge"), ("elementMap()", "map"), ("properties()", "any"))
        if kind == "number":
            return self.any(
                (f"is({self.predicate('number')})", "number"), (f"math('_ {self.any('+', '-', '*')} {self.random.randrange(1, 5)}')", "number"),
                ("dedup()", "number"), ("order()", "number"), (f"order().by({self.any('asc', 'desc')}).limit({self.any(1, 2, 3)})", "number"),
                ("asString()", "string"), (f"constant({self.number()})", "number"), ("math('abs(_)')", "number"))
        if kind == "string":
            return self.any(
                (f"is({self.predicate('string')})", "string"), ("toUpper()", "string"), ("length()", "number"), ("concat('!')", "string"),
                ("substring(1)", "string"), (f"substring({self.any(0, 1)},{self.any(2, 3)})", "string"), ("reverse()", "string"),
                ("replace('a','e')", "string"), ("dedup()", "string"), (f"order().limit({self.any(1, 2, 3)})", "string"), ("split('a')", "list"),
                ("trim()", "string"))
        if kind == "list":
            return self.any(("unfold()", "any"), ("count(local)", "total"), ("reverse()", "list"), ("dedup(local)", "list"),
                            ("combine([1])", "list"), ("merge([1,'x'])", "list"), ("difference(['a'])", "list"), ("intersect([1,'ada'])", "list"))
        if kind == "map":
            return self.any(("select(keys)", "list"), ("count(local)", "total"), ("select('name')", "any"), ("unfold().select(keys)", "any"),
                            ("select(values).unfold()", "any"), ("select('a')", "any"))
        if kind == "path":
            return self.any(("count(local)", "total"), ("unfold()", "any"))
        if kind == "total":  # not compared by is(): TinkerPop's CountStrategy stops counting where the answer is known
            return self.any((f"math('_ {self.any('+', '-', '*')} {self.random.randrange(1, 5)}')", "number"), ("asString()", "string"),
                            ("order()", "total"), ("fold()", "list"))
        return self.any(("is(neq('zz'))", "any"), ("dedup()", "any"), ("constant(1)", "number"), ("fold()", "list"), ("count()", "total"))

    def reducing(self, kind):
        general = [("count()", "total"), ("fold()", "list"), ("groupCount()", "map"), ("fold().count(local)", "total")]
        if kind == "number":
            general += [("sum()", "number"), ("max()", "number"), ("min()", "number"), ("mean()", "number"), ("fold().sum(local)", "number")]
        if kind == "string":
            general += [("max()", "string"), ("min()", "string"), ("fold().order(local).conjoin('-')", "string")]
        if kind in ("vertex", "edge"):
            general += [("groupCount().by(label)", "map"), ("group().by(label).by(count())", "map"), ("group().by(id).by(label().fold())", "map")]
        # What a nested traversal gathers depends on how many traversers came before.
        if kind in ("vertex", "edge") and self.level == 0:
            general += [("aggregate('x').cap('x')", "list"), ("groupCount('m').by(label).cap('m')", "map")]
        if kind == "vertex" and self.level == 0:
            general += [("aggregate('x').by('name').cap('x')", "list"), ("group('g').by(label).by(outE().count()).cap('g')", "map"),
                        ("aggregate('x').out().where(within('x'))", "vertex")]
        if kind == "vertex":
            general += [("group().by('age').by('name')", "map"), ("group().by(label).by(values('age').sum())", "map"), ("groupCount().by('age')", "map"),
                        ("project('n','o').by('name').by(out().count())", "map"),
                        ("project('n','a').by('name').by('age')", "map"), ("order().by('name').fold()", "list"), ("tree().by('name')", "any")]
        return self.any(*general)

    def nested(self, kind, depth):
        inner, end = self.child(kind, depth)
        # Over what a barrier waits for in local() and optional() depends on how traversers were bulked.
        plain = (inner, end)
        while BARRIER.search(plain[0]):
            plain = self.child(kind, 0)
        test = self.test(kind, depth)
        # where() takes as() at the beginning of its traversal for a look-up, so that it is not a test of this traverser.
        where = "filter" if "as(" in test else "where"
        general = [(f"{where}({test})", kind), (f"not({test})", kind), (f"filter({test})", kind), (f"and({test},{self.test(kind, depth)})", kind),
                   (f"or({test},{self.test(kind, depth)})", kind), (f"union({inner},{self.child(kind, depth)[0]})", "any"),
                   (f"flatMap({inner})", end), (f"local({plain[0]})", plain[1]), (f"optional({plain[0]})", "any"), (f"sideEffect({inner})", kind),
                   (f"choose({test},{inner},{self.child(kind, depth)[0]})", "any"), (f"choose({test},{inner})", "any"),
                   (f"coalesce({inner},constant('none'))", "any"), (f"map({inner}.count())", "total"), (f"map({inner}.fold())", "list"),
                   (f"project('p').by({inner}.count())", "map"), (f"groupCount().by({inner}.count())", "map"),
                   (f"dedup().by({inner}.count()).count()", "total")]
        if kind == "vertex":
            times = self.random.randrange(1, 4)
            walk = self.any("out()", "in()", "both()", "out('knows')", "outE().inV()", "out().dedup()" if times == 1 else "out()")
            general += [(f"repeat({walk}).times({times})", "vertex"), (f"repeat({walk}).times({times}).emit()", "vertex"),
                        (f"emit().repeat({walk}).times({times})", "vertex"), (f"times({times}).repeat({walk})", "vertex"),
                        (f"repeat(out().simplePath()).until(outE().count().is(0)).limit(0)", "vertex"),
                        (f"repeat(both().simplePath()).times({times}).path().by('name')", "path"),
                        (f"until({self.has('vertex')}).repeat(out().simplePath())", "vertex"),
                        (f"repeat(out().simplePath()).emit({self.has('vertex')}).times(3)", "vertex"),
                        (f"match(__.as('a').out({self.edge_labels()}).as('b'),__.as('b').{self.any('in', 'out', 'both')}({self.edge_labels()}).as('c')).select('a','c').by('name')", "map"),
                        (f"match(__.as('a').out({self.edge_labels()}).as('b'),__.as('a').{self.has('vertex')}).select('b').by('name')", "string"),
                        (f"match(__.as('a').both().as('b'),__.not(__.as('b').out('knows').as('a'))).count()", "total"),
                        (f"as('a').out().as('b').where(__.as('b').out().as('a'))", "vertex"),
                        (f"choose(values('age')).option(10,constant('ten')).option(gt(20),values('name')).option(none,label())" , "any"),
                        (f"order().by({inner}.count()).by('name').limit(2)", "vertex"),
                        (f"group().by({inner}.count()).by('name')", "map"), ("format('%{name} %{rank}')", "string")]
        return self.any(*general)

    def traversal(self):
        start, kind = self.any(("g.V()", "vertex"), ("g.V()", "vertex"), ("g.V()", "vertex"), ("g.E()", "edge"),
                               (f"g.V({self.random.randrange(1, self.count + 1)})", "vertex"), ("g.inject(1,2,2,5)", "number"),
                               ("g.inject('ada','bob','xyz')", "string"), ("g.inject([1,2],[3,'x'])", "list"))
        return start + self.chain(kind, 2, self.random.randrange(1, 6))[0]


def canonical(lines):
    """Lists within a result in any order: the characters of each line, sorted, tell contents apart well enough."""
    return sorted("".join(sorted(re.sub(r"[\s]", "", line))) for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("orrery")
    parser.add_argument("tinkerpop")
    parser.add_argument("--traversals", type=int, default=2000)
    parser.add_argument("--per-graph", type=int, default=250)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--writes", type=float, default=0, help="changes of the graph for each traversal")
    parser.add_argument("--sql", help="the URL of Orrery's SQL API, to make some of them")
    parser.add_argument("--key", default=KEY, help="for it")
    parser.add_argument("--show", type=int, default=40, help="differences to print")
    options = parser.parse_args()
    generator = Generator(options.seed)
    servers = [Server(options.orrery), Server(options.tinkerpop)]
    counts = collections.Counter()
    steps = collections.Counter()
    changer = Changer(generator, servers, Documents(options.sql, options.key) if options.sql else None)
    print(f"seed {options.seed}")
    while counts["compared"] < options.traversals:
        lines = generator.graph()
        for server in servers:
            server.ask("g.V().drop().iterate()")
            for line in lines:
                got, message = server.ask(line)
                if got is None:
                    sys.exit(f"{server.url.geturl()} refused {line}: {message}")
        for _ in range(min(options.per_graph, options.traversals - counts["compared"])):
            if options.writes and generator.chance(options.writes):
                changed = changer.change()
                counts["changes by SQL" if changed.startswith("SQL") else "changes"] += 1
            text = generator.traversal()
            (ours, our_error), (theirs, their_error) = (server.ask(text) for server in servers)
            counts["compared"] += 1
            if TIMED_OUT in (our_error, their_error):
                counts["not answered by " + ("orrery" if our_error == TIMED_OUT else "tinkerpop")] += 1
                continue
            if ours is None and theirs is None:
                counts["both refused"] += 1
                continue
            if ours is not None and theirs is not None and canonical(ours) == canonical(theirs):
                counts["non-empty" if ours else "empty"] += 1
                continue
            counts["different"] += 1
            steps.update(set(re.findall(r"(\w+)\(", text)))
            if counts["different"] <= options.show:
                print(f"\n{text}\n  orrery    {our_error if ours is None else sorted(ours)[:8]}\n"
                      f"  tinkerpop {their_error[:160] if theirs is None else sorted(theirs)[:8]}")
    for server in servers:
        for text in server.timeouts[: options.show]:
            print(f"\n{text}\n  {server.url.geturl()}: {TIMED_OUT}")
    print(f"\n{dict(counts)}")
    if steps:
        print("steps in differences:", dict(steps.most_common(12)))
    sys.exit(1 if counts["different"] or counts["not answered by orrery"] else 0)


if __name__ == "__main__":
    main()
