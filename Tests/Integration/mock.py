"""Runs `apictl mock` and has other programs call it: curl, Python's http.client, raw sockets, and apictl itself.

APICTL is the binary; APICTL_HTTPBIN_URL says where httpbin is; WORK is a directory to write to.
"""

import http.client
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

from checks import APICTL, SERVERS

WORK = pathlib.Path(os.environ["WORK"]) / "mock"
SECRET = "s3cret-value-that-nobody-should-see"
CREDENTIALS = {
    "TMDB_API_KEY": SECRET, "GOOGLE_PLACES_API_KEY": SECRET, "MARVEL_API_KEY": SECRET, "SHOPIFY_ACCESS_TOKEN": SECRET,
    "HTTPBIN_USER": "ada", "HTTPBIN_PASSWORD": "lovelace", "HTTPBIN_TOKEN": SECRET, "PATH": "/usr/bin:/bin",
}
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


class Mock:
    """A running `apictl mock`."""

    def __init__(self, *words, environment=None, wrapper=()):
        self.log = WORK / "stderr"
        self.process = subprocess.Popen(
            [*wrapper, APICTL, "mock", "--port", "0", *map(str, words)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=open(self.log, "wb"), env=environment or {"PATH": "/usr/bin:/bin"})
        self.url = self.process.stdout.readline().decode().strip()
        self.port = urllib.parse.urlsplit(self.url).port
        # The summary follows the address.
        deadline = time.monotonic() + 20
        while b"\nexport " not in self.log.read_bytes() and self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        expect(self.process.wait(20) in (-signal.SIGTERM, 128 + signal.SIGTERM), "exit %s after SIGTERM" % self.process.returncode)
        text = self.log.read_text(errors="replace")
        expect(self.process.stdout.read() == b"", "more than the address on stdout")
        expect(SECRET not in text, "a secret in the log")
        expect("Fatal error" not in text, "a crash:\n" + text[-2000:])

    def variables(self):
        """Returns the variables of the printed lines `export NAME=VALUE`."""
        lines = [line[7:].split("=", 1) for line in self.log.read_text().splitlines() if line.startswith("export ")]
        return dict(lines)

    def connect(self):
        client = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return client

    def raw(self, text):
        """Sends a request, and returns what the server sends until it closes the connection."""
        with self.connect() as client:
            client.sendall(text.replace("\n", "\r\n").encode("latin-1"))
            client.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: client.recv(65536), b"")).decode("latin-1")

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))


def curl(*words):
    return subprocess.run(["curl", "-s", *words], capture_output=True, timeout=60, check=False)


def responded(connection):
    """Returns a response and its body, and leaves the connection ready for the next request."""
    response = connection.getresponse()
    return response, response.read()


def connections():
    """One connection serves many requests: GET, HEAD and a body in chunks."""
    with Mock() as mock:
        connection = http.client.HTTPConnection("127.0.0.1", mock.port, timeout=20)
        for number in range(200):
            target = "/movies/movie/popular?page=%d" % (number + 1)
            connection.request("GET", target, headers={"Authorization": "Bearer " + SECRET})
            response, body = responded(connection)
            expect(response.status == 200 and "results" in json.loads(body), "keep-alive: %s" % response.status)
        connection.request("HEAD", "/narcos/3/police")
        response, body = responded(connection)
        expect((response.status, body) == (200, b""), "HEAD: %s" % response.status)
        expect(int(response.headers["Content-Length"]) > 0, "HEAD without a length")
        connection.request(
            "POST", "/httpbin/post", body=iter([b'{"title": "x",', b' "price": 2}']),
            headers={"Content-Type": "application/json"}, encode_chunked=True)
        response, body = responded(connection)
        expect(response.status == 200 and body, "chunked request: %s" % response.status)
        connection.close()


def pipelining():
    """Two requests that are sent at once have two responses."""
    with Mock() as mock:
        host = "localhost:%d" % mock.port
        both = mock.raw(
            "GET /narcos/3/police HTTP/1.1\nHost: %s\n\n"
            "GET /x HTTP/1.1\nHost: %s\nConnection: close\n\n" % (host, host))
        expect(both.count("HTTP/1.1 200 OK\r\n") == 1 and both.count("HTTP/1.1 404 ") == 1, "pipelining: " + both[:300])


def continuation():
    """curl waits for `100 Continue` before it sends a large body."""
    with Mock() as mock:
        big = WORK / "big.txt"
        big.write_bytes(b"x" * (2 << 20))
        done = curl(
            "-v", "-H", "Expect: 100-continue", "-H", "Content-Type: text/plain", "--data-binary", "@%s" % big,
            mock.url + "/httpbin/post")
        has_both = b"< HTTP/1.1 100 Continue" in done.stderr and b"< HTTP/1.1 200 OK" in done.stderr
        expect(has_both, "Expect: %s" % done.stderr[-500:])


def origins():
    """A page of another origin may call the server, whose host must be this machine."""
    with Mock() as mock:
        page = {"Origin": "https://app.example"}
        preflight = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization,x-page"}
        connection = http.client.HTTPConnection("127.0.0.1", mock.port, timeout=20)
        connection.request("OPTIONS", "/movies/movie/550/videos", headers=page | preflight)
        response, _ = responded(connection)
        allowed = [response.headers["Access-Control-Allow-" + name] for name in ("Origin", "Methods", "Headers")]
        expect(response.status == 204 and allowed == ["*", "GET", "authorization,x-page"], "preflight: %s" % allowed)
        connection.request("GET", "/movies/movie/550/videos", headers=page | {"Authorization": "Bearer x"})
        response, _ = responded(connection)
        is_allowed = response.status == 200 and response.headers["Access-Control-Allow-Origin"] == "*"
        expect(is_allowed, "fetch: %s" % response.status)
        other_host = curl(
            "-o", os.devnull, "-w", "%{http_code}", "-H", "Host: evil.example:%d" % mock.port, mock.url + "/narcos/3/police")
        expect(other_host.stdout == b"421", "another host: %s" % other_host.stdout)


MALFORMED = {
    "two lengths": ("POST /x HTTP/1.1\nHost: HOST\nContent-Length: 1\nContent-Length: 2\n\nab", 400),
    "length and chunks": ("POST /x HTTP/1.1\nHost: HOST\nContent-Length: 4\nTransfer-Encoding: chunked\n\n0\n\n", 400),
    "folded header": ("GET / HTTP/1.1\nHost: HOST\nA: b\n c\n\n", 400),
    "large head": ("GET / HTTP/1.1\nHost: HOST\n" + "A: b\n" * 20000 + "\n", 431),
    "long line": ("GET /" + "a" * 100_000 + " HTTP/1.1\nHost: HOST\n\n", 431),
    "large body": ("POST /x HTTP/1.1\nHost: HOST\nContent-Length: 999999999999\n\n", 413),
    "other expectation": ("POST /x HTTP/1.1\nHost: HOST\nExpect: more\nContent-Length: 1\n\na", 417),
    "dot segments": ("GET /movies/../x HTTP/1.1\nHost: HOST\nConnection: close\n\n", 400),
    "encoded dots": ("GET /movies/%2e%2e/x HTTP/1.1\nHost: HOST\nConnection: close\n\n", 400),
    "encoded zero": ("GET /movies/%00 HTTP/1.1\nHost: HOST\nConnection: close\n\n", 400),
    "two slashes": ("GET //narcos/3/police HTTP/1.1\nHost: HOST\nConnection: close\n\n", 404),
    "absolute form": ("GET http://HOST/narcos/3/police HTTP/1.1\nHost: other\nConnection: close\n\n", 200),
    "absolute form of another host": ("GET http://evil/narcos/3/police HTTP/1.1\nHost: HOST\nConnection: close\n\n", 421),
    "not HTTP": ("\x16\x03\x01\x02\x00\n\n", 400),
}


REQUEST = "GET /narcos/3/police HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"


def malformed():
    with Mock() as mock:
        for name, (text, status) in MALFORMED.items():
            response = mock.raw(text.replace("HOST", "127.0.0.1:%d" % mock.port))
            expect(response.startswith("HTTP/1.1 %d " % status), "%s: %s" % (name, response[:200]))
        with mock.connect() as client:
            client.sendall(b"GET / HTTP/1.1\nHost: x\n\n")
            expect(client.recv(65536).startswith(b"HTTP/1.1 400 "), "bare line feeds")


def slow_clients():
    """Clients that send a byte per second, or go away in the middle of a request, do not delay others."""
    with Mock() as mock:
        request = (REQUEST % mock.port).encode()
        slow = [mock.connect() for _ in range(20)]
        for number in range(300):
            with mock.connect() as client:
                client.sendall(request[: number % len(request)])
        for index in range(3):
            for client in slow:
                client.sendall(request[index : index + 1])
            start = time.monotonic()
            done = curl("-o", os.devnull, "-w", "%{http_code}", mock.url + "/narcos/3/police")
            expect(done.stdout == b"200", "beside slow clients")
            expect(time.monotonic() - start < 2, "slow clients delay another")
            time.sleep(1)
        for client in slow:
            client.sendall(request[3:])
            expect(client.recv(65536).startswith(b"HTTP/1.1 200 OK\r\n"), "a slow client")
            client.close()


def many_connections():
    """A thousand connections are served at once, and no descriptor is left open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    with Mock() as mock:
        # The server opens the descriptors that it keeps no later than for its first request.
        mock.raw("GET /narcos/3/police HTTP/1.1\nHost: 127.0.0.1:%d\nConnection: close\n\n" % mock.port)
        before = mock.descriptors()
        clients = [mock.connect() for _ in range(1000)]
        for client in clients:
            client.sendall((REQUEST % mock.port).encode())
        served = sum(client.recv(65536).startswith(b"HTTP/1.1 200 OK\r\n") for client in clients)
        expect(served == 1000, "%d of 1,000 connections served" % served)
        for client in clients:
            client.close()
        deadline = time.monotonic() + 20
        while mock.descriptors() > before and time.monotonic() < deadline:
            time.sleep(0.05)
        expect(mock.descriptors() <= before, "%d descriptors, %d before" % (mock.descriptors(), before))


def latency():
    with Mock("narcos", "--latency", "300ms") as mock:
        start = time.monotonic()
        done = curl(mock.url + "/3/police")
        expect(done.stdout and time.monotonic() - start >= 0.3, "--latency")


def samples():
    """Files that change while the server runs."""
    directory = WORK / "samples"
    directory.mkdir()
    (directory / "narcos.police.json").write_text('{"a": [1}')
    with Mock("narcos", "--samples", directory) as mock:
        def get(*words):
            return curl(*words, mock.url + "/3/police").stdout.decode()
        expect("narcos.police.json:1:9: expected" in mock.log.read_text(), "the invalid file is not named")
        broken = get("-i")
        expect(broken.startswith("HTTP/1.1 500 ") and "narcos.police.json:1:9: expected" in broken, "the invalid file is not told")
        (directory / "narcos.police.json").write_text("[1]")
        (directory / "narcos.police.2.json").write_text("[2]")
        (directory / "narcos.police!503.json").write_text("[3]")
        (directory / "narcos.police!503.headers").write_text("Retry-After: 7\n")
        expect([get(), get(), get()] == ["[1]", "[2]", "[1]"], "files in turn")
        shutil.rmtree(directory)
        expect(get("-i").startswith("HTTP/1.1 500 "), "the directory is gone")


RECORDED_CALLS = [
    ["httpbin.get", "--search", "café", "--page", "2"],
    ["httpbin.get", "--page", "3"],
    ["httpbin.bearer"],
    ["httpbin.image", "--format", "png"],
    ["httpbin.post", "--product", '{"title": "x", "price": 1}'],
    ["httpbin.status", "--code", "404"],
    ["httpbin.html"],
    ["httpbin.gzip"],
    ["httpbin.set-cookies", "--name", "theme", "--value", "dark"],
    ["httpbin.delete", "--ids", "1"],
]
# httpbin is called with a token that no file may have.
RECORDING_ENVIRONMENT = dict(SERVERS, HTTPBIN_TOKEN=SECRET)


def recorded_outcomes(mock):
    """Returns the exit code and the output of each call."""
    outcomes = []
    for words in RECORDED_CALLS:
        done = subprocess.run(
            [APICTL, "call", *words, "--raw"], capture_output=True, timeout=30, check=False,
            env=dict(RECORDING_ENVIRONMENT, APICTL_HTTPBIN_URL=mock.url))
        # Links to the recorded server lead to the mock, whose port differs.
        outcomes.append((done.returncode, done.stdout.replace(mock.url.encode(), b"MOCK")))
    return outcomes


def recording():
    """httpbin through `--record`, and the same calls replayed from the files."""
    directory = WORK / "recorded"
    with Mock("httpbin", "--record", directory, "--unsafe", environment=RECORDING_ENVIRONMENT) as mock:
        live = recorded_outcomes(mock)
    text = b"".join(path.read_bytes() for path in directory.iterdir())
    expect(SECRET.encode() not in text, "a secret in the recorded files")
    expect(b"Set-Cookie" not in text, "a cookie in the recorded files")
    names = {path.name for path in directory.iterdir()}
    expected_names = {"httpbin.get@search=caf%C3%A9&page=2.json", "httpbin.status@code=404!404.txt"}
    expect(expected_names <= names, "recorded: %s" % names)
    with Mock("httpbin", "--samples", directory) as mock:
        replayed = recorded_outcomes(mock)
    for words, live_outcome, replayed_outcome in zip(RECORDED_CALLS, live, replayed):
        expect(live_outcome == replayed_outcome, "%s: %s live, %s replayed" % (" ".join(words), live_outcome, replayed_outcome))
    codes = {words[0]: code for words, (code, _) in zip(RECORDED_CALLS, live)}
    expect(codes["httpbin.get"] == 0 and codes["httpbin.status"] == 4, "recording: %s" % codes)


def full_disk():
    """A response that can't be recorded is served, and a note says why it is not recorded."""
    directory = WORK / "small"
    # A file may have 6 kB, enough for the log: the image does not fit.
    limited = ("bash", "-c", 'ulimit -f 6; exec "$@"', "bash")
    with Mock("httpbin", "--record", directory, environment=RECORDING_ENVIRONMENT, wrapper=limited) as mock:
        image = curl("-w", "%{http_code}", mock.url + "/image/png")
        expect(image.stdout.endswith(b"200"), "no room: %s" % image.stdout[-100:])
        expect("not recorded: can't write" in mock.log.read_text(), "no room: " + mock.log.read_text()[-200:])
        expect(list(directory.iterdir()) == [], "half-written: %s" % list(directory.iterdir()))
        small = curl("-w", "%{http_code}", mock.url + "/uuid")
        expect(small.stdout.endswith(b"200"), "a small response: %s" % small.stdout)


def recorded_call():
    """`call --record` writes the response of one call."""
    directory = WORK / "one"
    done = subprocess.run(
        [APICTL, "call", "httpbin.uuid", "--record", directory], capture_output=True, env=RECORDING_ENVIRONMENT, timeout=30,
        check=False)
    names = [path.name for path in directory.iterdir()]
    expect(done.returncode == 0 and names == ["httpbin.uuid.json"], "call --record: %s" % done.stderr)


def pages():
    """The first page of each list is the whole sample."""
    names = [
        "movies.popular", "movies.new-movies", "github.issues", "github.search-repositories", "shopify.products",
        "shopify.custom-collections", "places.nearby",
    ]
    examples = {
        "github.issues": ["--owner", "a", "--repository", "b"], "github.search-repositories": ["--query", "swift"],
        "shopify.products": ["--ids", "1"], "places.nearby": ["--latitude", "1", "--longitude", "2"],
    }
    with Mock() as mock:
        for name in names:
            words = [APICTL, "call", name, *examples.get(name, []), "--all-pages", "--max-pages", "1", "--compact"]
            whole = subprocess.run([*words, "--sample"], env=CREDENTIALS, capture_output=True, timeout=60)
            server = ["--base-url", mock.url + "/" + name.partition(".")[0]]
            done = subprocess.run([*words, *server], env=CREDENTIALS, capture_output=True, timeout=60)
            expect(done.returncode == 0 and done.stdout == whole.stdout and done.stdout and done.stderr == b"",
                   "pages of %s: exit %d, %r" % (name, done.returncode, done.stderr[:200]))


PAGE = """<!doctype html><pre id=shown>nothing</pre><script>
const shown = [];
async function show(url, headers, field) {
    try {
        const response = await fetch(url, {headers});
        shown.push(response.status + " " + (field === "page" ? (await response.json()).page : response.headers.get(field)));
    } catch (error) { shown.push(error.name); }
    document.getElementById("shown").textContent = shown.join(", ");
}
(async () => {
    await show("URL/movie/popular?page=2", {Authorization: "Bearer x"}, "page");
    await show("URL/movie/550/videos?api_key=k", {"X-Page": "1"}, "Content-Type");
    await show("URL/movie/popular", {}, "Content-Type");
    await show("http://rebound.test:PORT/movie/popular?api_key=k", {}, "Content-Type");
})();
</script>"""


def browser():
    """A page of another origin reads the samples, but not by another name of this machine."""
    directory = WORK / "page"
    directory.mkdir()
    with Mock("movies") as mock, subprocess.Popen(
            [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", directory],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        (directory / "index.html").write_text(PAGE.replace("URL", mock.url).replace("PORT", str(mock.port)))
        # "Serving HTTP on 127.0.0.1 port N (…"
        port = server.stdout.readline().split()[5].decode()
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP rebound.test 127.0.0.1",
             "--user-data-dir=%s" % (WORK / "chromium"), "--virtual-time-budget=20000", "--dump-dom",
             "http://localhost:%s/index.html" % port],
            capture_output=True, timeout=120, check=False)
        server.terminate()
        shown = done.stdout.decode(errors="replace").partition('<pre id="shown">')[2].partition("</pre>")[0]
        expected = "200 1, 200 application/json, 401 application/json, TypeError"
        expect(shown == expected, "in a browser: %r, %r" % (shown, done.stderr[-300:]))


def checks():
    """`check` of the whole catalogue: green, and with a seed the same failures each time."""
    def check(*words):
        with Mock("--quiet", *words) as mock:
            done = subprocess.run(
                [APICTL, "check", "--unsafe", "--report-json", "-"], capture_output=True, timeout=120, check=False,
                env=dict(CREDENTIALS, **mock.variables()))
            return done.returncode, [(check["name"], check["verdict"]) for check in json.loads(done.stdout)["checks"]]

    code, all_checks = check()
    # The endpoints of a login are not examples, so that no check sends them.
    skipped = {name for name, verdict in all_checks if verdict == "skipped"}
    are_passed = {verdict for name, verdict in all_checks if name not in skipped} == {"passed"}
    expect(code == 0 and are_passed and skipped == {"movies.new-token", "movies.new-session"}, "check: %s" % all_checks)
    first, second = check("--fail-rate", "0.3", "--seed", "1"), check("--fail-rate", "0.3", "--seed", "1")
    expect(first == second and first[0] == 1, "check with failures: %s, then %s" % (first, second))


if __name__ == "__main__":
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    for part in (
        connections, pipelining, continuation, origins, malformed, slow_clients, many_connections, latency, samples,
        recording, full_disk, recorded_call, pages, browser, checks,
    ):
        part()
    print("mock: %d problems" % len(failures))
    for failure in failures:
        print("  " + failure)
    sys.exit(bool(failures))
