"""HTTP archives that `call --har` and `check --report-har` write fit HAR 1.2, and are read by mitmproxy, by a browser and by `mock --samples`.

APICTL is the binary, WORK a directory to write to; chromium is in PATH.
"""
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import urllib.parse

import jsonschema
import playwright.sync_api

APICTL = os.environ["APICTL"]
WORK = pathlib.Path(os.environ["WORK"]) / "har"
KEY = "k3y-of-the-archive"
failures = []


def record(names, others=()):
    """An object of HAR 1.2: members that must be there, others that may, and a comment."""
    properties = dict(names) | dict(others) | {"comment": TEXT}
    return {"type": "object", "required": list(names), "properties": properties, "additionalProperties": False}


def several(items):
    return {"type": "array", "items": items}


# http://www.softwareishard.com/blog/har-12-spec
TEXT, SIZE, TIME = {"type": "string"}, {"type": "integer", "minimum": -1}, {"type": "number", "minimum": -1}
PAIR = record({"name": TEXT, "value": TEXT})
DATE = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}
COOKIE = record({"name": TEXT, "value": TEXT}, {"path": TEXT, "domain": TEXT, "expires": DATE, "httpOnly": {"type": "boolean"}, "secure": {"type": "boolean"}})
MESSAGE = {"httpVersion": TEXT, "cookies": several(COOKIE), "headers": several(PAIR), "headersSize": SIZE, "bodySize": SIZE}
REQUEST = record(
    {"method": TEXT, "url": {"type": "string", "pattern": "^https?://"}, "queryString": several(PAIR)} | MESSAGE,
    {"postData": record({"mimeType": TEXT, "text": TEXT}, {"params": several(PAIR)})})
CONTENT = record({"size": SIZE, "mimeType": TEXT}, {"compression": SIZE, "text": TEXT, "encoding": {"const": "base64"}})
RESPONSE = record({"status": {"type": "integer"}, "statusText": TEXT, "content": CONTENT, "redirectURL": TEXT} | MESSAGE)
TIMINGS = record({"send": {"minimum": 0}, "wait": {"minimum": 0}, "receive": {"minimum": 0}}, dict.fromkeys(["blocked", "dns", "connect", "ssl"], TIME))
ENTRY = record(
    {"startedDateTime": DATE, "time": {"type": "number", "minimum": 0}, "request": REQUEST, "response": RESPONSE, "cache": {"type": "object"}, "timings": TIMINGS},
    {"pageref": TEXT, "serverIPAddress": TEXT, "connection": TEXT})
TOOL = record({"name": TEXT, "version": TEXT})
SCHEMA = record({"log": record({"version": {"const": "1.2"}, "creator": TOOL, "entries": several(ENTRY)}, {"browser": TOOL, "pages": several({})})})


def expect(condition, problem):
    if not condition:
        failures.append(problem)
        print("FAILED", problem)


class Server(http.server.BaseHTTPRequestHandler):
    """Pages of films, of which the first attempt fails; a picture; a redirect; a body that is cut off."""

    protocol_version = "HTTP/1.1"
    attempts = {}

    def do_GET(self):
        path, _, query = self.path.partition("?")
        self.attempts[self.path] = self.attempts.get(self.path, 0) + 1
        films = {"page": int(urllib.parse.parse_qs(query).get("page", ["1"])[0]), "results": [], "total_pages": 9, "total_results": 0}
        status, fields, body = 200, {"Content-Type": "application/json"}, json.dumps(films).encode()
        if path == "/3/movie/popular" and self.attempts[self.path] == 1:
            status, fields, body = 503, {"Retry-After": "0"}, b"busy"
        if path == "/old":
            status, fields, body = 302, {"Location": "/3/movie/1/videos"}, b""
        if path == "/picture":
            fields, body = {"Content-Type": "image/png"}, bytes(range(256)) * 4
        if path == "/large":
            body = b'"' + b"a" * 2_000_000 + b'"'
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Set-Cookie", "sid=" + KEY)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body) + (9 if path == "/cut" else 0)))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = path == "/cut"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.do_GET()

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"
environment = {"PATH": os.environ["PATH"], "HOME": str(WORK), "TMDB_API_KEY": KEY, "APICTL_MOVIES_URL": address + "/3"}


def apictl(words, code=0, variables=()):
    outcome = subprocess.run([APICTL, *words], env=environment | dict(variables), capture_output=True, cwd=WORK, check=False)
    expect(outcome.returncode == code, f"{words}: exit {outcome.returncode}: {outcome.stderr.decode()}")
    return outcome.stdout


def archive(name):
    """The file, which must fit the schema and have no key in it."""
    text = (WORK / name).read_text()
    expect(KEY not in text, f"{name} has the key")
    expect((WORK / name).stat().st_mode & 0o777 == 0o600, f"{name} may be read by others")
    for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(json.loads(text)):
        expect(False, f"{name}: {error.json_path}: {error.message}")
    return json.loads(text)["log"]["entries"]


CALLS = [
    (["movies.popular", "--page", "3", "--retry", "2"], 0, [200]), (["movies.popular", "--page", "3", "-H", "Authorization: Bearer " + KEY], 0, [200]),
    ([address + "/old"], 0, [302, 200]), ([address + "/picture", "-o", "picture"], 0, [200]), ([address + "/large", "-o", "large"], 0, [200]),
    ([address + "/3/movie/1", "-X", "POST", "--body", '{"a": "é"}'], 0, [200]), ([address + "/cut"], 6, [200]), (["http://127.0.0.1:1/"], 6, [0]),
]


def outputs():
    """Returns the output of a call of a live server, and of a mock server that has the archive of that call."""
    words = ["call", "movies.popular", "--page", "3"]
    live = apictl([*words, "--har", "live.har"])
    with subprocess.Popen(
            [APICTL, "mock", "movies", "--port", "0", "--samples", "live.har"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=WORK) as mock:
        try:
            return live, apictl(words, variables={"APICTL_MOVIES_URL": mock.stdout.readline().decode().strip() + "/3"})
        finally:
            mock.terminate()


def browsed(name, url):
    """Returns the status and the text of a page that a browser loads from an archive alone."""
    with playwright.sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.route_from_har(WORK / name, not_found="abort")
        response = page.goto(url)
        result = response.status, response.text()
        browser.close()
    return result


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
script = WORK / "flows.py"
script.write_text("def response(flow): print('FLOW', flow.request.pretty_url, flow.response.status_code, flush=True)\n")
for index, (words, code, statuses) in enumerate(CALLS):
    apictl(["call", *words, "--har", f"{index}.har"], code)
    entries = archive(f"{index}.har")
    expect([entry["response"]["status"] for entry in entries] == statuses, f"{words}: {[entry['response']['status'] for entry in entries]}")
    dump = subprocess.run(
        [pathlib.Path(sys.executable).parent / "mitmdump", "-n", "-q", "--set", "confdir=" + str(WORK), "-r", WORK / f"{index}.har",
         "-s", script], capture_output=True, check=False)
    flows = dump.stdout.decode().count("FLOW")
    expect(dump.returncode == 0 and flows == len(entries), f"mitmproxy reads {flows} of {len(entries)} entries of {words}: {dump.stderr.decode()}")
expect("503" in archive("0.har")[0].get("comment", ""), "the attempt before the last is not told")
expect(browsed("2.har", address + "/old")[0] == 200, "the browser does not follow the redirect of the archive")
apictl(["check", "movies", "--report-har", "check.har", "--jobs", "4"], 1)
expect(len(archive("check.har")) >= 4, "an entry for each check")
live, replayed = outputs()
archive("live.har")
expect(live and live == replayed, f"the mock of an archive: {replayed!r}, not {live!r}")
url = json.loads((WORK / "live.har").read_text())["log"]["entries"][0]["request"]["url"]
status, text = browsed("live.har", url)
expect(status == 200 and json.loads(text)["page"] == 3, f"the browser gets {status} {text}")
print(f"har: {len(failures)} failed")
sys.exit(1 if failures else 0)
