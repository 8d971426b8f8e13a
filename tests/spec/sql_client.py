"""Speaks the REST protocol of Azure Cosmos DB for NoSQL with signed requests; the standard library is enough."""
import base64
import dataclasses
import email.utils
import hashlib
import hmac
import http.client
import json
import ssl
import urllib.parse

VERSION = "2020-07-15"
TIMEOUT_S = 30
PAGES_MAX = 10_000


@dataclasses.dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self):
        return json.loads(self.body) if self.body else None

    @property
    def code(self):
        """`404`, or `404/1003` with a substatus."""
        substatus = self.headers.get("x-ms-substatus", "0")
        return str(self.status) if substatus == "0" else f"{self.status}/{substatus}"

    @property
    def message(self):
        """Of an error, on one line."""
        try:
            text = self.json()["message"]
        except (ValueError, KeyError, TypeError):
            return f"not an error as clients know it: {self.body[:300]!r}"
        return " ".join(text.replace('\\"', '"').split())


class ApiError(Exception):
    """The server refused: .answer."""

    def __init__(self, answer):
        super().__init__(f"{answer.code} {answer.message}")
        self.answer = answer


def signed_parts(path):
    """What a signature is about: the resource type and the link of `path`, which is not percent-encoded."""
    steps = [step for step in path.split("/") if step]
    if steps[-2:] == ["operations", "partitionkeydelete"]:
        return "partitionKey", "/".join(steps[:-2])
    if len(steps) % 2 == 1:
        return steps[-1], "/".join(steps[:-1])
    if steps[:1] == ["offers"]:
        return "offers", steps[1].lower()
    return ("", "") if not steps else (steps[-2], "/".join(steps))


def authorization(key, method, resource_type, link, date):
    text = f"{method.lower()}\n{resource_type.lower()}\n{link}\n{date.lower()}\n\n"
    signature = hmac.new(base64.b64decode(key), text.encode(), hashlib.sha256).digest()
    return urllib.parse.quote(f"type=master&ver=1.0&sig={base64.b64encode(signature).decode()}", safe="")


def partition_key_of(document, paths):
    """The values of a document's partition key; {} stands for one that is not there."""
    values = []
    for path in paths:
        value = document
        for step in path.strip("/").split("/"):
            value = value.get(step.strip('"'), {}) if isinstance(value, dict) else {}
        values.append(value)
    return values


class Client:
    """One account at one endpoint, over one connection."""

    def __init__(self, endpoint, key):
        url = urllib.parse.urlsplit(endpoint)
        self._key = key
        if url.scheme == "https":
            # Emulators make their own certificates.
            self._connection = http.client.HTTPSConnection(
                url.hostname, url.port, timeout=TIMEOUT_S, context=ssl._create_unverified_context())
        else:
            self._connection = http.client.HTTPConnection(url.hostname, url.port, timeout=TIMEOUT_S)

    def close(self):
        self._connection.close()

    def request(self, method, path, headers=None, body=None, by_rid=False, signed=True):
        """Sends `path`, not percent-encoded, signed by the account's key unless there is an authorization header."""
        sent = {"x-ms-version": VERSION, "x-ms-date": email.utils.formatdate(usegmt=True)}
        sent |= {name.lower(): value for name, value in (headers or {}).items()}
        plain, question, query = path.partition("?")
        if signed and "authorization" not in sent:
            resource_type, link = signed_parts(plain)
            link = plain.strip("/").split("/")[-1].lower() if by_rid else link
            sent["authorization"] = authorization(self._key, method, resource_type, link, sent["x-ms-date"])
        if body is not None:
            sent.setdefault("content-type", "application/json")
        try:
            self._connection.request(
                method, urllib.parse.quote(plain) + question + query, body=body.encode() if body is not None else None,
                headers=sent)
            response = self._connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        except (http.client.HTTPException, OSError):
            self._connection.close()
            raise

    def ask(self, *arguments, **options):
        """A request that must succeed; its JSON."""
        answer = self.request(*arguments, **options)
        if answer.status >= 400:
            raise ApiError(answer)
        return answer.json()

    def pages(self, path, text, parameters=None, key=None, page=-1):
        """The answers of a query, page after page; over all partitions without a key. Raises ApiError."""
        headers = {
            "content-type": "application/query+json",
            "x-ms-documentdb-isquery": "true",
            "x-ms-documentdb-query-enablecrosspartition": "true",
            "x-ms-max-item-count": str(page),
        }
        if key is not None:
            headers["x-ms-documentdb-partitionkey"] = json.dumps(key)
        named = [{"name": name, "value": value} for name, value in (parameters or {}).items()]
        body = json.dumps({"query": text, "parameters": named})
        for _ in range(PAGES_MAX):
            answer = self.request("POST", path, headers, body)
            if answer.status >= 400:
                raise ApiError(answer)
            yield answer
            if not answer.headers.get("x-ms-continuation"):
                return
            headers["x-ms-continuation"] = answer.headers["x-ms-continuation"]
        raise RuntimeError(f"more than {PAGES_MAX} pages")
