"""The parts of the benchmark, with their commands, peers and goals."""

import argparse
import json
import os
import platform
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import time

from measure import CannotMeasure, Command, Runner
from table import Table

MB = 1_000_000


class Bench:
    def __init__(self, apictl, programs, work, server, tls_server):
        self.apictl, self.work, self.server, self.tls_server = apictl, work, server, tls_server
        self.driver, self.coding_program = os.path.join(programs, "requests"), os.path.join(programs, "coding")
        self.runner = Runner(work)
        self.table = Table()

    def data(self, name):
        return os.path.join(self.work, "data", name)

    def compare(self, commands, count, rows, seldom=None):
        """Measures the commands in turn; `rows` are (ours, peer, highest good ratio)."""
        seconds = self.runner.rounds(commands, count, seldom)
        for ours, peer, most in rows:
            self.table.time(ours, seconds[ours], peer, seconds[peer], most)
        return seconds

    def memory(self, commands, least, most=None):
        """Rows of peak memory: ours, which come first, alone, then compared with each peer's.

        Each must print `least` bytes, else it did not do its work.
        """
        peaks = {}
        for command in commands:
            peaks[command.name], count = self.runner.memory(command)
            if count < least:
                raise CannotMeasure("%s printed %d bytes only" % (command.name, count))
        ours = commands[0].name
        self.table.size("memory: " + ours, peaks[ours], most)
        for command in commands[1:]:
            self.table.sizes("memory: " + ours, peaks[ours], command.name, peaks[command.name])

    # Parts

    def start(self):
        curl, xh = Command("curl --version", ["curl", "--version"]), Command("xh --version", ["xh", "--version"])
        ours = [Command(" ".join(["apictl"] + words), [self.apictl] + words)
                for words in (["--version"], ["list"], ["curl", "movies.popular"], ["help"], ["__complete", "call", "mov"], ["openapi"], ["docs"])]
        rows = [(command.name, peer.name, most) for command in ours[:3] for peer, most in ((curl, 0.35), (xh, 2.5))]
        seconds = self.compare(ours + [curl, xh], 100, rows)
        # A person waits for these commands at a terminal, some of them key by key.
        limit = [1.2 * one + 0.002 for one in seconds[ours[0].name]]
        for command in (ours[1], *ours[3:5]):
            self.table.time(command.name, seconds[command.name], "1.2 × --version + 2 ms", limit, 1)
        for command in ours[5:]:
            self.table.time(command.name, seconds[command.name], "30 ms", [0.03 for _ in limit], 1)

    def get(self):
        url = self.server + "/page/movie/popular"
        call = [self.apictl, "call", "movies.popular", "--base-url", self.server + "/page"]
        decoded = Command("small GET, decoded", call)
        raw = Command("small GET, --raw", call + ["--raw"])
        curl = Command("curl -s", ["curl", "-s", url])
        jq = Command("curl -s | jq .", ["curl", "-s", url], ["jq", "."])
        yajl = Command("curl -s | json_reformat", ["curl", "-s", url], ["json_reformat"])
        xh = Command("xh", ["xh", "--ignore-stdin", "--check-status", "--pretty=format", url])
        httpie = Command("http (HTTPie)", ["http", "--ignore-stdin", "--check-status", "--pretty=format", url])
        commands = [decoded, raw, curl, jq, yajl, xh, httpie]
        goals = {curl.name: 1.25, jq.name: 0.8, xh.name: 0.5}
        rows = [(ours.name, peer.name, goals.get(peer.name)) for ours in commands[:2] for peer in commands[2:]]
        self.compare(commands, 60, rows, {httpie.name: 8})
        # The decoded view may leave out what the model does not know.
        self.memory(commands, 1000)

    def https(self):
        """The small GET again, each tool with a whole system's trust."""
        url = self.tls_server + "/page/movie/popular"
        ours = Command(
            "small GET over HTTPS, decoded",
            [self.apictl, "call", "movies.popular", "--base-url", self.tls_server + "/page"])
        curl = Command("curl -s", ["curl", "-s", url])
        xh = Command("xh", ["xh", "--ignore-stdin", "--check-status", "--pretty=format", url])
        # HTTPie does not read the variables for certificates.
        httpie = Command(
            "http (HTTPie)",
            ["http", "--ignore-stdin", "--check-status", "--pretty=format", "--verify", os.environ["SSL_CERT_FILE"], url])
        goals = {curl.name: 0.4, xh.name: 0.45, httpie.name: 0.1}
        self.compare(
            [ours, curl, xh, httpie], 60, [(ours.name, peer, most) for peer, most in goals.items()], {httpie.name: 8})

    def json(self):
        big, size = self.data("big.json"), os.path.getsize(self.data("big.json"))
        with open(big, "rb") as file:
            while file.read(1 << 20):  # into the page cache
                pass
        plain = Command("format FILE, 149 MB", [self.apictl, "format", big])
        check = Command("format --check FILE", [self.apictl, "format", "--check", big])
        compact = Command("format --compact FILE", [self.apictl, "format", "--compact", big])
        colour = Command("format --color always FILE", [self.apictl, "format", "--color", "always", big])
        jq = Command("jq .", ["jq", ".", big])
        yajl = Command("json_reformat", ["json_reformat"], stdin=big)
        cat = Command("cat", ["cat", big])
        seconds = self.compare(
            [plain, check, compact, colour, cat, yajl, jq], 9,
            [(plain.name, jq.name, 1 / 20), (plain.name, yajl.name, 1 / 5), (plain.name, cat.name, None),
             (colour.name, plain.name, 1.5)],
            {yajl.name: 5, jq.name: 2})
        for command, least in ((plain, 350), (check, 600), (compact, None), (colour, None)):
            self.table.rate(command.name, seconds[command.name], size, least and least * MB)

        piped = Command("format, 149 MB from a pipe", ["cat", big], [self.apictl, "format"])
        piped_yajl = Command("cat | json_reformat", ["cat", big], ["json_reformat"])
        piped_jq = Command("cat | jq .", ["cat", big], ["jq", "."])
        seconds = self.compare(
            [piped, piped_yajl, piped_jq], 7, [(piped.name, piped_jq.name, 1 / 20), (piped.name, piped_yajl.name, 1 / 5)],
            {piped_yajl.name: 3, piped_jq.name: 1})
        self.table.rate(piped.name, seconds[piped.name], size, 350 * MB)

        for name in ("long-strings", "escapes", "numbers", "not-ascii", "deep-arrays", "million-deep"):
            path = self.data(name + ".json")
            command = Command("format FILE, " + name, [self.apictl, "format", path])
            samples = self.runner.rounds([command], 3 if name == "million-deep" else 7)[command.name]
            # A million levels come to hundreds of times as many bytes: what is measured there is the writing.
            least = None if name == "million-deep" else 150 * MB
            self.table.rate(command.name, samples, os.path.getsize(path), least)
        deep = self.data("million-deep.json")
        command = Command("format --compact FILE, million-deep", [self.apictl, "format", "--compact", deep])
        self.table.rate(command.name, self.runner.rounds([command], 5)[command.name], os.path.getsize(deep), 150 * MB)

        self.memory([plain, cat, yajl, jq], size, 12 * MB)
        for name in ("deep-arrays", "million-deep"):
            command = Command("format FILE, " + name, [self.apictl, "format", self.data(name + ".json")])
            self.memory([command], size / 5, 12 * MB)

    def http(self):
        url, size = self.server + "/big/movie/popular", os.path.getsize(self.data("big.json"))
        ours = Command(
            "149 MB over HTTP, pretty",
            [self.apictl, "call", "movies.popular", "--raw", "--base-url", self.server + "/big"])
        xh = Command(
            "xh --stream --pretty=format",
            ["xh", "--ignore-stdin", "--check-status", "--stream", "--pretty=format", url])
        curl = Command("curl -s", ["curl", "-s", url])
        yajl = Command("curl -s | json_reformat", ["curl", "-s", url], ["json_reformat"])
        jq = Command("curl -s | jq .", ["curl", "-s", url], ["jq", "."])
        httpie = Command("http (HTTPie)", ["http", "--ignore-stdin", "--check-status", "--pretty=format", url])
        commands = [ours, xh, curl, yajl, jq]
        self.compare(
            commands, 7,
            [(ours.name, xh.name, 0.7), (ours.name, jq.name, 1 / 20), (ours.name, yajl.name, None),
             (ours.name, curl.name, None)],
            {xh.name: 5, yajl.name: 3, jq.name: 1})
        # HTTPie takes most of a minute; its one run for memory tells enough.
        self.memory(commands + [httpie], size, 14 * MB)

    def coding(self):
        """Models: decoding and encoding beside Foundation's, in one process; a call that is decoded beside jq."""
        issues, dense = self.data("issues.json"), self.data("dense.json")
        done = subprocess.run([self.coding_program, issues, dense, "7"], capture_output=True, text=True, check=False)
        if done.returncode:
            raise CannotMeasure("coding failed: %s" % done.stderr.strip())
        samples = json.loads(done.stdout)
        self.table.time("decode 30 MB of [Issue]", samples["decode"][0], "JSONDecoder", samples["decode"][1], 0.25)
        self.table.time("encode the same", samples["encode"][0], "JSONEncoder", samples["encode"][1], 1)
        self.table.most_seconds("10 MB of numbers into JSONValue", samples["value"], 0.5)

        words = ["--owner", "o", "--repository", "r", "--base-url", self.server + "/issues"]
        call = [self.apictl, "call", "github.issues"] + words
        ours = Command("30 MB of [Issue] over HTTP, decoded", call)
        url = self.server + "/issues/repos/o/r/issues"
        jq = Command("curl -s | jq .", ["curl", "-s", url], ["jq", "."])
        self.compare([ours, jq], 5, [(ours.name, jq.name, 0.2)])
        # The time of printing is that of the call without that of a call that prints nothing.
        raw = Command("--raw", call + ["--raw"])
        quiet, quiet_raw = Command("-q", call + ["-q"]), Command("-o /dev/null", call + ["-o", "/dev/null"])
        seconds = self.runner.rounds([ours, quiet, raw, quiet_raw], 15)
        printing, printing_raw = (
            [one - other for one, other in zip(seconds[whole.name], seconds[silent.name])]
            for whole, silent in ((ours, quiet), (raw, quiet_raw)))
        self.table.time("printing that", printing, "printing it with --raw", printing_raw, 1.3)
        self.memory([ours, jq], os.path.getsize(issues) / 2, 4 * os.path.getsize(issues))
        value = Command(
            "10 MB of numbers into JSONValue",
            [self.apictl, "call", "httpbin.response-headers", "--freeform", "x", "--compact", "--base-url",
             self.server + "/dense"])
        self.memory([value], os.path.getsize(dense), 150 * MB)

    def requests(self):
        """2,000 requests through one process: ours is a program of its own with the library's `Client`."""
        count, jobs, size = 2000, 8, os.path.getsize(self.data("page.json"))
        url = self.server + "/page"
        ours = Command("2,000 requests, 8 at once", [self.driver, url, count, jobs])
        curl = Command(
            "curl --parallel",
            ["curl", "-sf", "--parallel", "--parallel-max", jobs, "%s/page?n=[1-%d]" % (url, count)])
        seconds = self.compare([ours, curl], 15, [(ours.name, curl.name, 1)])
        self.table.requests(ours.name, count / statistics.median(seconds[ours.name]), 10_000)
        # Each prints what shows that everything came: the one the number of bytes, the other the bytes.
        total = int(subprocess.run(ours.stages[0], capture_output=True, check=True).stdout)
        if total != count * size or self.runner.memory(curl)[1] != count * size:
            raise CannotMeasure("not all of the %d responses are complete" % count)
        self.memory([ours, curl], 1)

        secure = Command("2,000 HTTPS requests, 8 at once", [self.driver, self.tls_server + "/page", count, jobs])
        secure_curl = Command(
            "curl --parallel",
            ["curl", "-sf", "--parallel", "--parallel-max", jobs, "%s/page/page?n=[1-%d]" % (self.tls_server, count)])
        # At least 0.9 times the requests per second.
        self.compare([secure, secure_curl], 15, [(secure.name, secure_curl.name, 1 / 0.9)])
        total = int(subprocess.run(secure.stages[0], capture_output=True, check=True).stdout)
        if total != count * size or self.runner.memory(secure_curl)[1] != count * size:
            raise CannotMeasure("not all of the %d responses over HTTPS are complete" % count)

    def check(self):
        """2,000 checks of one endpoint, decoded and compared with the model, beside curl that looks at nothing."""
        count, jobs, size = 2000, 8, os.path.getsize(self.data("page.json"))

        def words(count):
            """Returns the words that run so many checks. Each job has a file of its own, because the cases of one file run one after the other."""
            case = {"endpoint": "movies.popular", "arguments": {"page": 1}}
            words = [self.apictl, "check", "--base-url", self.server + "/page", "--jobs", jobs]
            for job in range(jobs):
                path = os.path.join(self.work, "cases-%d-%d.json" % (count, job))
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({"version": 1, "cases": [case] * (count // jobs)}, file)
                words += ["--cases", path]
            return words

        ours = Command("2,000 checks, 8 at once", words(count))
        curl = Command(
            "curl --parallel",
            ["curl", "-sf", "--parallel", "--parallel-max", jobs, "%s/page/movie/popular?page=1&n=[1-%d]" % (self.server, count)])
        seconds = self.compare([ours, curl], 15, [(ours.name, curl.name, 1.5)])
        self.table.requests(ours.name, count / statistics.median(seconds[ours.name]), 4000)
        report = os.path.join(self.work, "checks.json")
        done = subprocess.run(
            [str(word) for word in words(count) + ["--report-json", report]],
            stdout=subprocess.DEVNULL, check=False)
        with open(report, encoding="utf-8") as file:
            checks = json.load(file)["checks"]
        if done.returncode or [check["verdict"] for check in checks] != ["passed"] * count:
            raise CannotMeasure("not all of the %d checks passed" % count)
        if self.runner.memory(curl)[1] != count * size:
            raise CannotMeasure("not all of the %d responses are complete" % count)
        many = Command(
            "10,000 checks, all reports",
            words(10_000)
            + [word for kind in ("junit", "json", "md", "html")
               for word in ("--report-" + kind, os.path.join(self.work, "checks." + kind))])
        self.memory([many], 100_000, 150 * MB)

    def mock(self):
        """`apictl mock` under wrk, with idle connections, and from its start to the first response."""
        words = [self.apictl, "mock", "movies", "--quiet", "--no-auth", "--port", "0"]

        def start():
            server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            port = int(server.stdout.readline().decode().strip().rpartition(":")[2])
            return server, port

        def stop(server):
            server.kill()
            server.wait()
            server.stdout.close()

        def get(port):
            client = socket.create_connection(("127.0.0.1", port))
            client.sendall(b"GET /movie/popular HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % port)
            if not client.recv(65536).startswith(b"HTTP/1.1 200 OK\r\n"):
                raise CannotMeasure("mock does not respond")
            return client

        times = []
        for _ in range(50):
            begin = time.perf_counter()
            server, port = start()
            get(port).close()
            times.append(time.perf_counter() - begin)
            stop(server)
        self.table.most_seconds("mock: start to the first response", times, 0.015)

        server, port = start()
        try:
            url = "http://127.0.0.1:%d/movie/popular?page=2" % port
            rates = []
            for _ in range(3):
                done = subprocess.run(["wrk", "-t2", "-c64", "-d5s", url], capture_output=True, text=True, check=True)
                if "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
                    raise CannotMeasure("mock under wrk: " + done.stdout)
                rates.append(float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)[1]))
            self.table.requests("mock: keep-alive, 64 connections", statistics.median(rates), 20_000)
        finally:
            stop(server)

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 4096), hard), hard))
        server, port = start()
        try:
            clients = [get(port) for _ in range(1000)]
            with open("/proc/%d/status" % server.pid, encoding="ascii") as file:
                resident = int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1]) * 1024
            self.table.size("mock: memory with 1,000 idle connections", resident, 40 * MB)
            for client in clients:
                client.close()
        finally:
            stop(server)

    def size(self):
        self.table.size("binary, stripped", os.path.getsize(self.apictl), 12 * MB)
        self.table.sizes(
            "binary, stripped", os.path.getsize(self.apictl), "xh", os.path.getsize(os.path.realpath(shutil.which("xh"))))

    def build(self):
        """Builds a copy of the sources from nothing, and again after an addition to one endpoint file."""
        tree = os.path.join(self.work, "tree")
        shutil.rmtree(tree, ignore_errors=True)
        os.makedirs(tree)
        for name in ("Package.swift", "Makefile", "Sources", "Endpoints", "Tests"):
            (shutil.copytree if os.path.isdir(name) else shutil.copy)(name, os.path.join(tree, name))
        for goal in ("build", "release"):
            self.table.seconds("make %s, clean" % goal, self.make(tree, goal))
            with open(os.path.join(tree, "Endpoints", "Movies", "Movies.swift"), "a", encoding="utf-8") as file:
                file.write('\nenum AddedFor%s { static let word = "more" }\n' % goal)
            self.table.seconds("make %s, one file changed" % goal, self.make(tree, goal))

    def make(self, tree, goal):
        start = time.perf_counter()
        done = subprocess.run(
            ["make", "-C", tree, goal], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            check=False)
        if done.returncode:
            raise CannotMeasure("make %s failed: %s" % (goal, done.stdout.decode(errors="replace")[-2000:]))
        return time.perf_counter() - start


def about():
    def first_line(*words):
        return subprocess.run(words, capture_output=True, text=True, check=False).stdout.partition("\n")[0]

    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.partition(": ")[2].strip() for line in file if line.startswith("model name")), "unknown")
    return {
        "date": time.strftime("%Y-%m-%d"),
        "machine": "%s, %d cores, %s" % (model, os.cpu_count(), platform.platform()),
        "versions": [
            "curl " + first_line("curl", "--version").split(" ")[1], first_line("jq", "--version"),
            first_line("xh", "--version"), "HTTPie " + first_line("http", "--version"), "yajl-tools",
        ],
    }


def main():
    parts = ["start", "get", "https", "json", "http", "coding", "requests", "check", "mock", "size", "build"]
    parser = argparse.ArgumentParser()
    parser.add_argument("--apictl", required=True)
    parser.add_argument("--programs", required=True, help="the directory of the bench's own programs")
    parser.add_argument("--work", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--tls-server", required=True, help="the same over HTTPS")
    parser.add_argument("parts", nargs="*", choices=[[]] + parts)
    arguments = parser.parse_args()
    bench = Bench(arguments.apictl, arguments.programs, arguments.work, arguments.server, arguments.tls_server)
    for part in arguments.parts or parts:
        print("measuring " + part, file=sys.stderr)
        getattr(bench, part)()
    facts = about()
    print("%s\n%s\n%s\n" % (facts["date"], facts["machine"], ", ".join(facts["versions"])))
    print(bench.table.text())
    with open(os.path.join(arguments.work, "bench.json"), "w", encoding="utf-8") as file:
        file.write(bench.table.json(facts))


if __name__ == "__main__":
    try:
        main()
    except CannotMeasure as error:
        sys.exit("can't measure: %s" % error)
