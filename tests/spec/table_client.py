"""Speaks the REST protocol of Azure tables with signed requests; the standard library is enough."""
import base64
import dataclasses
import email.utils
import hashlib
import hmac
import http.client
import json
import re
import urllib.parse
import xml.etree.ElementTree

VERSION = "2019-02-02"
TIMEOUT_S = 30
PAGES_MAX = 10_000
EMULATOR_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


@dataclasses.dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self):
        return json.loads(self.body) if self.body else None

    def parts(self):
        """Of the answer to a batch: a status for each operation, or the error of one."""
        found = []
        for part in re.split(r"HTTP/1\.1 ", self.body.decode())[1:]:
            status, body = part[:3], part[part.find("{"):part.rfind("}") + 1] if "{" in part else ""
            if int(status) < 400:
                found.append(status)
            else:
                error = json.loads(body)["odata.error"]
                found.append(f"{status} {error['code']} {error['message']['value'].splitlines()[0]}")
        return found

    @property
    def error(self):
        """Code and message of an error, whether it came as JSON or as XML."""
        text = self.body.decode(errors="replace")
        try:
            found = json.loads(text)["odata.error"]
            return found["code"], found["message"]["value"]
        except (ValueError, KeyError, TypeError):
            pass
        try:
            parts = {re.sub(r"\{.*\}", "", each.tag).lower(): each.text for each in xml.etree.ElementTree.fromstring(text)}
            return parts["code"], parts["message"]
        except (xml.etree.ElementTree.ParseError, KeyError):
            return "", f"not an error as clients know it: {text[:300]!r}"

    @property
    def code(self):
        """`200`, or `404 TableNotFound`."""
        return str(self.status) if self.status < 400 else f"{self.status} {self.error[0]}"

    @property
    def message(self):
        return " ".join(self.error[1].split("\nRequestId")[0].split())


class ApiError(Exception):
    """The server refused: .answer."""

    def __init__(self, answer):
        super().__init__(f"{answer.code} {answer.message}")
        self.answer = answer


class Client:
    """One connection. `endpoint`: "http://127.0.0.1:8902" or "http://127.0.0.1:10002/devstoreaccount1"."""

    def __init__(self, endpoint, account, key):
        url = urllib.parse.urlsplit(endpoint)
        self.connection = http.client.HTTPConnection(url.hostname, url.port, timeout=TIMEOUT_S)
        self.prefix = url.path.rstrip("/")
        self.account, self.key = account, key

    def close(self):
        self.connection.close()

    def sign(self, text):
        return base64.b64encode(hmac.new(base64.b64decode(self.key), text.encode(), hashlib.sha256).digest()).decode()

    def request(self, method, target, headers=None, body=None, signed=True):
        path, _, query = (self.prefix + target).partition("?")
        path = urllib.parse.quote(path, safe="/()'=,$%~!*+;:@&-._")
        sent = {"accept": "application/json;odata=minimalmetadata", "x-ms-version": VERSION,
                "x-ms-date": email.utils.formatdate(usegmt=True), "dataserviceversion": "3.0"}
        sent.update({name.lower(): value for name, value in (headers or {}).items()})
        if body is not None and "content-type" not in sent:
            sent["content-type"] = "application/json"
        parameters = urllib.parse.parse_qs(query, keep_blank_values=True)
        resource = f"/{self.account}{path}" + (f"?comp={parameters['comp'][0]}" if "comp" in parameters else "")
        if signed and "authorization" not in sent:
            sent["authorization"] = f"SharedKeyLite {self.account}:{self.sign(sent['x-ms-date'] + chr(10) + resource)}"
        sent = {name: value for name, value in sent.items() if value != "-"}
        query = urllib.parse.quote(query, safe="=&%$'(),+-._~:/*!@;")
        self.connection.request(method, path + ("?" + query if query else ""),
                                body=None if body is None else body.encode(), headers=sent)
        response = self.connection.getresponse()
        return Answer(response.status, response.headers, response.read())

    def ask(self, method, target, headers=None, body=None):
        answer = self.request(method, target, headers, body)
        if answer.status >= 400:
            raise ApiError(answer)
        return answer

    def batch(self, operations, headers=None):
        """`operations`: (method, target, headers, body), in one changeset, as clients write it; a lone GET without one."""
        lines = []
        alone = len(operations) == 1 and operations[0][0] == "GET"
        boundary = "batch_1" if alone else "changeset_1"
        for method, target, inner, body in operations:
            lines += [f"--{boundary}", "Content-Type: application/http", "Content-Transfer-Encoding: binary", "",
                      f"{method} http://127.0.0.1{self.prefix}{urllib.parse.quote(target, safe='/()=,$%?&' + chr(39))} HTTP/1.1",
                      "Content-Type: application/json", "Accept: application/json;odata=minimalmetadata",
                      *(f"{name}: {value}" for name, value in inner.items()), "", body or ""]
        lines.append(f"--{boundary}--")
        if not alone:
            lines = ["--batch_1", "Content-Type: multipart/mixed; boundary=changeset_1", "", *lines, "--batch_1--"]
        return self.request("POST", "/$batch", {"content-type": "multipart/mixed; boundary=batch_1", **(headers or {})},
                            "\r\n".join(lines) + "\r\n")

    def pages(self, table, parameters):
        """All pages of a query, one after the other."""
        carried = {}
        for _ in range(PAGES_MAX):
            query = urllib.parse.urlencode({**parameters, **carried}, quote_via=urllib.parse.quote)
            answer = self.ask("GET", f"/{table}()?{query}")
            yield answer
            carried = {name[len("x-ms-continuation-"):]: value for name, value in answer.headers.items()
                       if name.lower().startswith("x-ms-continuation-")}
            if not carried:
                return
        raise RuntimeError("a query does not end")
