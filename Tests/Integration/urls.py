"""Sends requests to a URL with curl and with apictl, from the same options, and compares them byte by byte. The command that `apictl curl`
prints is run as well, and must send the same request again, and so must `call curl` with curl's own words."""

import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

APICTL = os.environ["APICTL"]
# The headers that options for data, cookies and users set. All others are of the programs themselves.
COMPARED = ["Content-Type", "Accept", "Cookie", "Authorization", "X-A", "Range", "Referer"]
CURL = shutil.which("curl") or sys.exit("part urls needs curl: apt-get install curl")

FILES = {"form.txt": b"a=1\r\nb=2\n", "body.json": b'{ "a": [1, 2] }\n', "bytes.bin": bytes(range(256)), "empty": b"", "text": "é &=?\n".encode(),
         "cat.png": b"\x89PNG\r\n", "page.html": b"<p>\n", "o\"dd": b"odd"}

# The words after the URL's path, which both programs get. `{URL}` is the server.
ROWS = [
    ["{URL}/"], ["{URL}"], ["{URL}/a/b?c=d&e"], ["{URL}/a/../b/./c"], ["{URL}/a%2Fb"], ["{URL}/a?q=a+b%20c"], ["{URL}/?"], ["{URL}/a#fragment"],
    ["{URL}/", "-d", "a=1"], ["{URL}/", "-d", "a=1", "-d", "b=2"], ["{URL}/?x=1", "--data", "a=1"], ["{URL}/", "-d", ""],
    ["{URL}/", "-d", "a b&c=é"], ["{URL}/", "-d", "@form.txt"], ["{URL}/", "-d", "x=1", "-d", "@form.txt"], ["{URL}/", "-d", "@empty"],
    ["{URL}/", "-d", "a=1", "-X", "PUT"], ["{URL}/", "-X", "DELETE", "-d", "a"], ["{URL}/", "-d", "{}", "-H", "Content-Type: application/json"],
    ["{URL}/", "-d", "a", "-H", "Content-Type:"], ["{URL}/", "-d", "a", "-H", "content-type: text/plain; charset=utf-8"],
    ["{URL}/", "--data-urlencode", "a b"], ["{URL}/", "--data-urlencode", "=a=b"], ["{URL}/", "--data-urlencode", "n=a b&c"],
    ["{URL}/", "--data-urlencode", "n=~é-._!'()*"], ["{URL}/", "--data-urlencode", "@text"], ["{URL}/", "--data-urlencode", "n@text"],
    ["{URL}/", "--data-urlencode", "n@bytes.bin"], ["{URL}/", "-d", "a=1", "--data-urlencode", "b=2 3", "-d", "c=4"],
    ["{URL}/", "--json", '{"a": 1}'], ["{URL}/", "--json", "@body.json"], ["{URL}/", "--json", '{"a":', "--json", "1}"],
    ["{URL}/", "--json", "[]", "-X", "PATCH"], ["{URL}/", "--json", "[]", "-H", "Accept: text/plain"],
    ["{URL}/", "--json", "[]", "-H", "Content-Type: application/vnd.api+json"], ["{URL}/", "--json", '{"é": "\\u00e9"}'],
    ["{URL}/", "-G", "-d", "a=1"], ["{URL}/?x=1", "-G", "-d", "a=1", "-d", "b=2"], ["{URL}/a", "--get", "--data-urlencode", "q=a b&c"],
    ["{URL}/a?", "-G", "-d", "a=1"], ["{URL}/", "-G", "-d", "a=1", "-X", "DELETE"],
    ["{URL}/", "-b", "a=1"], ["{URL}/", "-b", "a=1; b=2"], ["{URL}/", "-b", "a=1", "-b", "b=2"], ["{URL}/", "--cookie", "a=1", "-H", "X-A: b"],
    ["{URL}/", "-d", "a=1", "-b", "s=3", "-H", "Referer: http://x/"],
    ["{URL}/", "-H", "X-A:"], ["{URL}/", "-H", "X-A;"], ["{URL}/", "-H", "X-A: a", "-H", "X-A: b"], ["{URL}/", "-H", "Range: bytes=0-1"],
    ["{URL}/", "-X", "OPTIONS"], ["{URL}/", "-X", "POST"], ["{URL}/", "-X", "REPORT", "-d", "a"],
    ["{URL}/", "-u", "ada"], ["{URL}/a", "-u", "ada lovelace", "-d", "a=1"], ["{URL}/", "-u", "adaé"],
    ["{URL}/", "-u", "ada", "-H", "Authorization: Bearer x"], ["{URL}/", "-n"], ["{URL}/", "-u", "grace", "-n"],
    ["{URL}/", "-F", "a=1"], ["{URL}/", "-F", "a=1", "-F", "a=2", "--form", "b="], ["{URL}/", "-F", "photo=@cat.png"], ["{URL}/", "-F", "x=@page.html", "-X", "PUT"],
    ["{URL}/", "-F", "photo=@cat.png;type=image/webp;filename=tom.webp"], ["{URL}/", "-F", 'a={"b": 1};type=application/json'], ["{URL}/", "-F", "a=<form.txt"],
    ["{URL}/", "-F", "a=<-;type=text/x"], ["{URL}/", "-F", "é=ü", "-F", "x=@bytes.bin", "-F", "y=@o\"dd"], ["{URL}/?q=1", "-F", "a=b", "-b", "c=d", "-H", "X-A: b"],
    ["{URL}/", "--data", "@-"], ["{URL}/", "--json", "@-"], ["{URL}/", "--data-urlencode", "n@-"],
]
STDIN = b'{"from":\r\n "stdin"}\n'
PASSWORD = "l0velace"


class Server:
    """Keeps the last request."""

    def __init__(self):
        self.last = None
        keeper = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name: self.headers.get_all(name) for name in COMPARED}
                # Each program makes a boundary of its own.
                if boundary := self.headers.get_boundary():
                    body = body.replace(boundary.encode(), b"BOUNDARY")
                    headers["Content-Type"] = [value.replace(boundary, "BOUNDARY") for value in headers["Content-Type"]]
                keeper.last = (self.command, self.path, headers, body)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def __getattr__(self, name):
                if name.startswith("do_"):
                    return self.answer
                raise AttributeError(name)

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def request(self, words, directory, environment):
        """Runs a command. Returns the request that it sends, and its stderr."""
        self.last = None
        done = subprocess.run(words, cwd=directory, env=environment, input=STDIN, capture_output=True, timeout=20)
        return self.last, done.stderr.decode("utf-8", "replace")


def main():
    failures = []
    server = Server()
    with tempfile.TemporaryDirectory() as directory:
        for name, content in FILES.items():
            pathlib.Path(directory, name).write_bytes(content)
        netrc = pathlib.Path(directory, "netrc")
        netrc.write_text("machine 127.0.0.1 login grace password h0pper\n")
        environment = {"PATH": os.environ["PATH"], "HOME": directory, "NETRC": str(netrc), "APICTL_PASSWORD": PASSWORD}
        for row in ROWS:
            words = [word.replace("{URL}", server.url) for word in row]
            # curl has the password in the command, sends the fragment's URL without it too, and reads the file that it is told to.
            given = [f"{word}:{PASSWORD}" if words[index - 1] == "-u" else word for index, word in enumerate(words)]
            given = [part for word in given for part in (["--netrc-file", str(netrc)] if word == "-n" else [word])]
            expected, _ = server.request([CURL, "--silent", *given], directory, environment)
            found, errors = server.request([APICTL, "call", *words, "-q"], directory, environment)
            compare(failures, row, expected, found, errors)
            # The command as it is for curl, pasted after the words `call curl`.
            if "-n" not in row:
                found, errors = server.request([APICTL, "call", "-q", "curl", *given], directory, environment)
                compare(failures, ["pasted", *row], expected, found, errors)
            printed = subprocess.run([APICTL, "curl", *words], cwd=directory, env=environment, input=STDIN, capture_output=True, timeout=20)
            found, errors = server.request(["sh", "-c", printed.stdout.decode()], directory, environment)
            compare(failures, ["printed", *row], expected, found, printed.stderr.decode() + printed.stdout.decode() + errors)
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"urls: {len(ROWS)} commands, {len(failures)} differences")
    return 1 if failures else 0


def compare(failures, row, expected, found, errors):
    if expected is None or found is None:
        failures.append(f"{row}: curl sent {expected}, apictl {found}\n    {errors}")
        return
    expected, found = ((method, target, comparable(headers), body) for method, target, headers, body in (expected, found))
    if expected != found:
        failures.append(f"{row}:\n    curl   {expected}\n    apictl {found}\n    {errors}")


def comparable(headers):
    """The headers without the Accept of any type, which only curl sends, and with cookies in one spelling: curl has no blank between them."""
    accept = None if headers["Accept"] == ["*/*"] else headers["Accept"]
    cookies = headers["Cookie"] and [cookie.replace("; ", ";") for cookie in headers["Cookie"]]
    return {**headers, "Accept": accept, "Cookie": cookies}


if __name__ == "__main__":
    sys.exit(main())
