"""A server on loopback that keeps every request and answers with 204."""

import email
import email.policy
import http.server
import json
import threading
import urllib.parse

from document_requests import Part, Request, is_json

# Headers of the connection, and those that say nothing about the operation.
OMITTED = {"host", "accept", "accept-encoding", "user-agent", "content-length", "connection", "expect", "x-number"}


class RecordingServer:
    """The requests by the number in their header X-Number."""

    def __init__(self):
        self.requests = requests = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                requests[self.headers.get("X-Number")] = (self.command, self.path, list(self.headers.items()), self.rfile.read(length))
                self.send_response(204)
                self.end_headers()

            def __getattr__(self, name):
                if name.startswith("do_"):
                    return self.answer
                raise AttributeError(name)

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d/root" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def request(self, number, expected):
        """Returns the request of that number, with a body as `expected` has it; None if there was none."""
        if str(number) not in self.requests:
            return None
        method, target, fields, body = self.requests.pop(str(number))
        headers = [(name.lower(), value.encode("latin-1").decode()) for name, value in fields if name.lower() not in OMITTED]
        media = dict(headers).get("content-type", "")
        if expected.body and expected.body[0] in ("form", "multipart"):
            headers = [header for header in headers if header[0] != "content-type"]
        return Request(method, urllib.parse.urljoin(self.url, target), headers, content(media, body, expected.body))


def content(media, body, expected):
    """Returns a body in the form that `document_requests.Request` has."""
    if not body and (expected is None or expected[0] != "form"):
        return None
    if is_json(media):
        return "json", json.loads(body)
    if media.startswith("application/x-www-form-urlencoded"):
        return "form", body.decode()
    if media.startswith("multipart/form-data"):
        message = email.message_from_bytes(b"Content-Type: " + media.encode() + b"\r\n\r\n" + body, policy=email.policy.HTTP)
        return "multipart", [part(one) for one in message.iter_parts()]
    return "text", body.decode()


def part(message):
    """Returns a part; of a file, the text of the file."""
    disposition = message["Content-Disposition"].params
    text = message.get_payload(decode=True).decode()
    name = disposition["name"].encode("utf-8", "surrogateescape").decode()
    return Part(name, text, message.get("Content-Type"), disposition.get("filename"))
