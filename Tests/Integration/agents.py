"""Has clients that others wrote use `apictl mcp` against `apictl mock`, and checks what goes over its streams under faults.

APICTL is the binary; WORK is a directory to write to; OLD_CLIENT is the Python that has version 1 of PyPI's mcp. This one has version 2,
fastmcp, jsonschema and skills-ref.
"""

import concurrent.futures
import json
import os
import pathlib
import queue
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time

import jsonschema
import mcp_types._v2025_11_25 as handshake_types
import mcp_types._v2026_07_28 as modern_types
import pydantic
from skills_ref.validator import validate

import hostile
from checks import APICTL
from echoes import RESPONSES, TOKENS, leaks, quoted, spellings
from mock import CREDENTIALS, SECRET, Mock

WORK = pathlib.Path(os.environ["WORK"]) / "agents"
CLIENT = str(pathlib.Path(__file__).with_name("agents_client.py"))
CLIENTS = [(sys.executable, "mcp", mode) for mode in ("auto", "legacy", "2026-07-28")]
CLIENTS += [(sys.executable, "fastmcp", mode) for mode in ("auto", "legacy")] + [(os.environ["OLD_CLIENT"], "old", "")]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
RESULTS = {
    "initialize": "InitializeResult", "ping": "EmptyResult", "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult", "tools/call": "CallToolResult",
}
failures = []
judged = 0


def expect(condition, message):
    if not condition:
        failures.append(message)


def judge(lines, requests, subject):
    """Checks every line of stdout against the message types of the revision of its request."""
    global judged
    for line in lines:
        judged += 1
        message = json.loads(line)
        request = requests.get(json.dumps(message.get("id")), {})
        types = modern_types if "io.modelcontextprotocol/protocolVersion" in request.get("params", {}).get("_meta", {}) else handshake_types
        try:
            if "error" in message:
                types.JSONRPCErrorResponse.model_validate(message)
            elif "method" in message:
                types.ProgressNotification.model_validate(message)
            else:
                types.JSONRPCResultResponse.model_validate(message)
                getattr(types, RESULTS[request["method"]]).model_validate(message["result"])
        except (pydantic.ValidationError, KeyError) as error:
            expect(False, "%s: %s: %s" % (subject, line[:200], error))


class Session:
    """A running `apictl mcp` that this program talks to itself."""

    def __init__(self, *words, environment=None, reads=True):
        self.process = subprocess.Popen(
            [APICTL, "mcp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={"PATH": "/usr/bin:/bin", **(environment or {})})
        self.lines, self.requests, self.next, self.inbox = [], {}, 0, queue.Queue()
        if reads:
            threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line)
            self.inbox.put(json.loads(line))
        self.inbox.put(None)

    def write(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def send(self, method, **parameters):
        """Sends a request and returns its id."""
        self.next += 1
        meta = dict(META, **parameters.pop("meta", {}))
        request = {"jsonrpc": "2.0", "id": self.next, "method": method, "params": dict(parameters, _meta=meta)}
        self.requests[json.dumps(self.next)] = request
        self.write(request)
        return self.next

    def receive(self, limit=20):
        try:
            return self.inbox.get(timeout=limit)
        except queue.Empty:
            return None

    def call(self, name, /, **arguments):
        """Calls a tool. Returns the text of its result, and whether it is an error."""
        self.send("tools/call", name=name, arguments=arguments)
        message = self.receive() or {}
        result = message.get("result", {})
        return "\n".join(block["text"] for block in result.get("content", [])), result.get("isError", False)

    def memory(self):
        status = pathlib.Path("/proc/%d/status" % self.process.pid).read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) << 10

    def end(self, subject, code=0):
        self.process.stdin.close()
        try:
            expect(self.process.wait(5) == code, "%s: exit %s" % (subject, self.process.returncode))
        except subprocess.TimeoutExpired:
            self.process.kill()
            expect(False, "%s: still running after the end of stdin" % subject)
        judge(self.lines, self.requests, subject)
        return self.process.stderr.read().decode(errors="replace")


def examples():
    """Every example of the catalogue: endpoint and arguments."""
    cases = json.loads(subprocess.run([APICTL, "check", "--init"], capture_output=True, check=True).stdout)["cases"]
    return [(case["endpoint"], case.get("arguments", {})) for case in cases if "{{" not in json.dumps(case)]


def clients(mock):
    """Each client lists the tools and calls every example, by a tool for any endpoint and by a tool for each."""
    environment = dict(CREDENTIALS, **mock.variables())
    listed = json.loads(subprocess.run([APICTL, "list", "--json"], capture_output=True, check=True).stdout)["endpoints"]
    reads = {one["name"] for one in listed if one["method"] in ("GET", "HEAD", "OPTIONS")}
    search = [("call_endpoint" if name in reads else "change_endpoint", {"endpoint": name, "arguments": arguments})
              for name, arguments in examples()]
    single = [(re.sub("[.-]", "_", name), arguments) for name, arguments in examples()]
    jobs = []
    for python, kind, mode in CLIENTS:
        for words, calls in ((["--unsafe"], search), (["--unsafe", "--tools", "endpoints", "--max-bytes", "1M"], single)):
            jobs.append((python, kind, mode, words, calls))

    def run(number):
        python, kind, mode, words, calls = jobs[number]
        log = WORK / str(number)
        server = "tee %s.in | %s | tee %s.out" % (log, shlex.join([APICTL, "mcp", *words]), log)
        done = subprocess.run(
            [python, CLIENT, kind, mode, json.dumps(["sh", "-c", server]), json.dumps(calls)], env=environment,
            capture_output=True, text=True, timeout=300)
        subject = "%s %s %s" % (kind, mode, " ".join(words))
        if done.returncode != 0:
            return expect(False, "%s: %s" % (subject, done.stderr[-2000:]))
        outcome = json.loads(done.stdout)
        tools = 4 if calls is search else len(listed)
        expect(len(outcome["tools"]) == tools, "%s: %d tools" % (subject, len(outcome["tools"])))
        for (name, arguments), result in zip(calls, outcome["results"]):
            expect(not result["error"], "%s: %s %s: %s" % (subject, name, arguments, result["text"][:300]))
            expect(SECRET not in result["text"], "%s: a secret in the result of %s" % (subject, name))
        requests = [json.loads(line) for line in open("%s.in" % log)]
        judge(open("%s.out" % log).readlines(), {json.dumps(one["id"]): one for one in requests if "id" in one}, subject)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(run, range(len(jobs))))
    return len(jobs) * len(search)


def descriptions():
    """The arguments of every example fit the schema that describe_endpoint shows, and no schema has a reference."""
    session = Session()
    for name in dict.fromkeys(name for name, _ in examples()):
        text, failed = session.call("describe_endpoint", endpoint=name)
        schema = json.loads(re.search("^Arguments, as JSON Schema: (.*)$", text, re.M)[1])
        jsonschema.Draft202012Validator.check_schema(schema)
        expect(not failed and "$ref" not in text, "%s: %s" % (name, text[:200]))
        for example in re.findall("^Example: (.*)$", text, re.M):
            for error in jsonschema.Draft202012Validator(schema).iter_errors(json.loads(example)):
                expect(False, "%s: example %s: %s" % (name, example, error.message))
    text, failed = session.call("find_endpoints", query="zzz")
    expect(not failed and text.count("\n") > 5, "an unknown word finds: %s" % text)
    session.send("tools/list")
    session.receive()
    size = len(session.lines[-1])
    expect(size <= 3000, "tools/list has %d bytes" % size)
    session.end("descriptions")
    return size


def unsafe(mock):
    """Without --unsafe nothing but GET and HEAD reaches the server, whatever the arguments."""
    session = Session(environment=dict(CREDENTIALS, **mock.variables()))
    for name, arguments in examples():
        for tool in ("call_endpoint", "change_endpoint", re.sub("[.-]", "_", name)):
            session.call(tool, endpoint=name, arguments=dict(arguments, method="POST", unsafe=True))
            session.call(tool, endpoint=name.upper(), arguments=arguments)
            session.call(tool, endpoint=name, arguments=arguments, select="$")
    session.end("unsafe")
    methods = set(re.findall(r"^(?:\S+ )?([A-Z]+) /", mock.log.read_text(), re.M))
    expect(methods <= {"GET", "HEAD", "OPTIONS"}, "sent without --unsafe: %s" % methods)


def start_time():
    """The median time from the start to the first answer, in milliseconds."""
    times = []
    for _ in range(21):
        start = time.monotonic()
        session = Session(reads=False)
        session.send("server/discover")
        session.process.stdout.readline()
        times.append((time.monotonic() - start) * 1000)
        session.process.stdin.close()
        session.process.wait(5)
    return sorted(times)[10]


def movies_session(port, **options):
    """Returns a session whose calls of the API of movies go to a port of this machine."""
    return Session(environment=dict(CREDENTIALS, APICTL_MOVIES_URL="http://127.0.0.1:%d" % port), **options)


def dead_server():
    """A call of a server that does not run is a failure of the network, whose text names no option of the command line."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    session = movies_session(port)
    text, failed = session.call("call_endpoint", endpoint="movies.popular")
    expect(
        failed and "refused" in text and "Kind of failure: network" in text and "--" not in text, "dead server: " + text)
    session.end("dead server")


# Lines that are no messages, with the codes of JSON-RPC 2.0 for them.
INVALID_LINES = [
    (b"{", -32700),
    (b"\xff\xfe\x00", -32700),
    (b"[" * 2000, -32700),
    (b'"' + b"x" * 11_000_000 + b'"', -32600),
]
# Requests that the server refuses: method, parameters and code.
INVALID_REQUESTS = [
    ("tools/call", {"name": "nope", "arguments": {}}, -32602),
    ("tools/call", {"name": 5}, -32602),
    ("tools/call", {"name": "find_endpoints", "arguments": []}, -32602),
    ("nope", {}, -32601),
    ("tools/list", {"meta": {"io.modelcontextprotocol/protocolVersion": "1900-01-01"}}, -32022),
    ("tools/list", {"meta": {"io.modelcontextprotocol/clientCapabilities": None}}, -32602),
    ("ping", {}, -32601),
]
# Arguments that call_endpoint refuses as a failure of usage.
INVALID_ARGUMENTS = [
    {"endpoint": 5},
    {},
    {"endpoint": "movies.popular", "arguments": {"page": "x"}},
    {"endpoint": "nope"},
    {"endpoint": "movies.popular", "arguments": {"nope": 1}},
    {"endpoint": "movies.popular", "select": "nope"},
    {"endpoint": "movies.popular", "arguments": {"page": [1, 2]}},
    {"endpoint": "movies.popular", "nope": 1},
]


def invalid_messages():
    session = Session(environment=CREDENTIALS)
    for line, code in INVALID_LINES:
        session.write(line)
        error = (session.receive() or {}).get("error", {})
        expect(error.get("code") == code, "invalid line %s: %s" % (line[:20], error))
    for method, parameters, code in INVALID_REQUESTS:
        session.send(method, **parameters)
        error = (session.receive() or {}).get("error", {})
        expect(error.get("code") == code, "%s %s: %s" % (method, parameters, error))
    for arguments in INVALID_ARGUMENTS:
        text, failed = session.call("call_endpoint", **arguments)
        expect(failed and "Kind of failure: usage" in text, "%s: %s" % (arguments, text))
    session.end("invalid messages")


def send_long_body(connection):
    """Responds with 149 MB without a length."""
    hostile.read_headers(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n[")
    for _ in range(149):
        connection.sendall(b'{"id": 1},' * 100_000)


def long_bodies():
    """Bodies that are too long fail their calls. Returns the memory after one of them and after 64 at once, in megabytes."""
    session = movies_session(hostile.serve(send_long_body))
    text, failed = session.call("call_endpoint", endpoint="movies.popular")
    expect(failed and "longer than 20.0 MB" in text, "149 MB: " + text)
    memory_after_one = session.memory()
    for _ in range(64):
        session.send("tools/call", name="call_endpoint", arguments={"endpoint": "movies.popular"})
    answers = [session.receive(120) for _ in range(64)]
    expect(all(answer and answer["result"]["isError"] for answer in answers), "64 calls at once: %s" % answers[-1])
    memory_after_many = session.memory()
    expect(memory_after_many < 2 << 30, "memory after 64 long bodies: %d MB" % (memory_after_many >> 20))
    session.end("long bodies")
    return memory_after_one >> 20, memory_after_many >> 20


def hidden_characters():
    """Characters that a reader can't see, or that steer a terminal, are escaped."""
    hidden = "\u202e\U000e0041\u200b\u2028\x9b\x07"
    head = "HTTP/1.1 404 %s\r\nContent-Type: application/json\r\n\r\n" % hidden
    body = json.dumps(
        {"page": 1, "results": [{"id": 1, "title": "a" + hidden}], "total_pages": 1, "total_results": 1},
        ensure_ascii=False)
    port = hostile.serve(hostile.says((head + body).encode()))
    session = Session(environment=dict(CREDENTIALS, APICTL_GITHUB_URL="http://127.0.0.1:%d" % port))
    text, failed = session.call("call_endpoint", endpoint="github.rate-limit")
    line = session.lines[-1].decode()
    expect(
        failed and not any(letter in line for letter in hidden) and "\\\\u202E" in line, "hidden characters: " + line)
    session.end("hidden characters")


def client_that_reads_nothing():
    """If a client sends requests and reads no answer, its requests pile up at the client."""
    session = Session(reads=False)
    stdin = session.process.stdin.fileno()
    os.set_blocking(stdin, False)
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}).encode() + b"\n"
    deadline = time.monotonic() + 3
    while time.monotonic() < deadline:
        try:
            os.write(stdin, line * 100)
        except BlockingIOError:
            time.sleep(0.05)
    expect(session.memory() < 64 << 20, "a client that reads nothing: %d MB" % (session.memory() >> 20))
    session.process.stdout.close()
    session.process.wait(5)


def cancellation():
    """Cancelling and the end of stdin close the connection, and nothing more is sent for the request."""
    states = queue.Queue()

    def wait(connection):
        hostile.read_headers(connection)
        states.put("called")
        connection.settimeout(20)
        states.put("closed" if connection.recv(1) == b"" else "more")

    session = movies_session(hostile.serve(wait))
    number = session.send("tools/call", name="call_endpoint", arguments={"endpoint": "movies.popular"})
    expect(states.get(timeout=20) == "called", "no call")
    session.write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
    expect(states.get(timeout=5) == "closed", "cancelled: the connection stays")
    session.send("tools/list")
    expect("tools" in session.receive().get("result", {}), "the next answer is not that of the next request")
    session.send("tools/call", name="call_endpoint", arguments={"endpoint": "movies.popular"})
    expect(states.get(timeout=20) == "called", "no call")
    session.end("cancellation")
    expect(states.get(timeout=5) == "closed", "the end of stdin: the connection stays")
    expect(len(session.lines) == 1, "sent: %s" % session.lines)


def movie_page(sample, number):
    """A response with one of three pages, of which no two are the same."""
    page = dict(sample, page=number, total_pages=3, results=[dict(sample["results"][0], id=number)])
    return ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + json.dumps(page)).encode()


def progress():
    sample = json.loads(subprocess.run([APICTL, "call", "movies.popular", "--sample"], capture_output=True, check=True).stdout)
    port = hostile.serve(hostile.in_turn(*(hostile.says(movie_page(sample, number)) for number in (1, 2, 3)), hostile.says(b"")))
    session = movies_session(port)
    arguments = {"endpoint": "movies.popular", "all_pages": True}
    session.send("tools/call", name="call_endpoint", arguments=arguments, meta={"progressToken": "p"})
    messages = []
    while not messages or "result" not in messages[-1]:
        messages.append(session.receive())
    counts = [message["params"]["progress"] for message in messages[:-1]]
    expect(counts == [1, 2, 3] and "isError" not in messages[-1]["result"], "progress: %s" % messages)
    session.end("progress")


def secrets():
    """If a server repeats a token, in any spelling, no line of stdout and no message has eight letters of it."""
    count = 0
    for token in TOKENS:
        answers = [(spelled, respond(spelled)) for spelled in spellings(token)
                   for respond in (*RESPONSES.values(), lambda text: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + quoted(text))]
        port = hostile.serve(hostile.in_turn(*(hostile.says(answer.encode()) for _, answer in answers), hostile.says(b"")))
        session = Session(environment={"HTTPBIN_TOKEN": token, "APICTL_HTTPBIN_URL": "http://127.0.0.1:%d" % port})
        for spelled, answer in answers:
            session.call("call_endpoint", endpoint="httpbin.bearer")
            count += 1
            for part in leaks(token, spelled, session.lines[-1]):
                expect(False, "token %r as %r: %r in %s" % (token, spelled, part, session.lines[-1][:300]))
                break
        for part in leaks(token, token, session.end("secrets").encode()):
            expect(False, "token %r: %r on stderr" % (token, part))
    return count


def page():
    """The page for agents is valid as a skill."""
    text = subprocess.run([APICTL, "help", "agents"], capture_output=True, check=True, text=True).stdout
    directory = WORK / "apictl"
    directory.mkdir(exist_ok=True)
    (directory / "SKILL.md").write_text(text)
    problems = validate(directory)
    expect(not problems and text.count("\n") <= 60, "help agents: %d lines, %s" % (text.count("\n"), problems))


def main():
    WORK.mkdir(exist_ok=True)
    (pathlib.Path(os.environ["WORK"]) / "mock").mkdir(exist_ok=True)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    page()
    list_size = descriptions()
    milliseconds = start_time()
    dead_server()
    invalid_messages()
    memory_after_one, memory_after_many = long_bodies()
    hidden_characters()
    client_that_reads_nothing()
    cancellation()
    with Mock() as mock:
        unsafe(mock)
    with Mock() as mock:
        progress()
        calls = clients(mock)
    echoed = secrets()
    print(
        f"agents: {calls} calls by {len(CLIENTS)} clients, {judged} lines judged, {echoed} echoed tokens, "
        f"first answer after {milliseconds:.1f} ms, tools/list of {list_size} bytes, "
        f"{memory_after_one} MB after a long body, {memory_after_many} MB after 64, {len(failures)} problems")
    for failure in failures:
        print("  " + failure)
    sys.exit(bool(failures))


main()
