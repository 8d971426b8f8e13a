"""Signs requests of the SQL API."""
import base64
import email.utils
import hashlib
import hmac
import urllib.parse

import harness


def signed(method, kind, link, key=harness.WELL_KNOWN_KEY):
    """The headers of a signed request."""
    date = email.utils.formatdate(usegmt=True)
    text = f"{method.lower()}\n{kind}\n{link}\n{date.lower()}\n\n"
    signature = base64.b64encode(hmac.new(base64.b64decode(key), text.encode(), hashlib.sha256).digest()).decode()
    token = urllib.parse.quote(f"type=master&ver=1.0&sig={signature}", safe="")
    return {"authorization": token, "x-ms-date": date, "x-ms-version": "2020-07-15"}
