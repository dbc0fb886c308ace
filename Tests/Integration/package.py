"""Follows README and the article FirstAPI, with nothing set but PATH and HOME.

The article's package in an empty directory builds, runs and passes its test. README's import prints the output that README shows, in a copy of the
project and with a server on this machine in place of the shop.
"""
import http.server
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time

root = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
# Which file a block is, by a text in it.
files = {
    "let package = Package(": "Package.swift",
    "public enum Movies": "Sources/Movies/Movies.swift",
    '"popular": {': "Sources/Movies/Samples/movies.json",
    "Apictl.main(": "Sources/moviectl/main.swift",
    "@Test func": "Tests/MoviesTests/MoviesTests.swift",
}
url = '(url: "https://git.example.com/apictl.git", branch: "main")'

with open(os.path.join(root, "README.md"), encoding="utf-8") as readme:
    text = readme.read()
with open(os.path.join(root, "Sources/EndpointKit/EndpointKit.docc/FirstAPI.md"), encoding="utf-8") as article:
    blocks = re.findall(r"^```(?:swift|json)\n(.*?)^```$", article.read(), re.S | re.M)
[transcript] = re.findall(r"^```text\n(\$ apictl import .*?)^```$", text, re.S | re.M)
environment = {name: os.environ[name] for name in ("PATH", "HOME")}
failed = 0


class Shop(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"id": 42, "name": "Rex", "owner": {"id": 7, "name": "Ada"}}).encode()
        self.send_response(200 if self.path == "/v2/pets/42?include=owner" and self.headers["Authorization"] else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def imported(directory):
    """Runs the transcript in a copy of the project that is built once before; prints how long it took."""
    for name in ("Package.swift", "Sources", "Endpoints", "Tests"):
        subprocess.run(["cp", "-R", os.path.join(root, name), directory], check=True)
    subprocess.run(["swift", "build", "--product", "apictl"], cwd=directory, stdout=subprocess.DEVNULL, check=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # The name of the host is that of the API.
    address, shown = f"http://shop.localhost:{server.server_port}", "https://shop.example"
    start, output = time.monotonic(), ""
    for line in (line for line in transcript.splitlines() if line.startswith("$ ")):
        command = line[2:].replace(shown, address).replace("…", "t0ken")
        command = re.sub("^apictl ", shlex.quote(directory + "/.build/debug/apictl") + " ", command)
        done = subprocess.run(
            ["sh", "-c", command], cwd=directory, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output += line + "\n" + "".join(
            line + "\n" for line in done.stdout.splitlines() if not re.match(r"\[\d|Build|Planning|Building|warning: .*localhost", line))
    print(f"import, build and call: {time.monotonic() - start:.0f} s")
    return output


with tempfile.TemporaryDirectory() as directory:
    for text, name in files.items():
        [block] = [block for block in blocks if text in block]
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(block.replace(url, f'(name: "apictl", path: "{root}")'))
    for words, expected in [
        ("swift build", "Build complete!"),
        ("swift run --skip-build moviectl curl movies.movie --id 550", "https://api.themoviedb.org/3/movie/550"),
        ("swift test", "1 test"),
    ]:
        result = subprocess.run(
            words.split(), cwd=directory, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode == 0 and expected in result.stdout and "warning:" not in result.stdout:
            print(f"ok: {words}")
        else:
            print(f"not ok: {words}\n{result.stdout}")
            failed += 1
with tempfile.TemporaryDirectory() as directory:
    output = imported(directory)
    if output != transcript:
        print(f"not ok: import\n{output}")
        failed += 1
print(f"{4 - failed} passed, {failed} failed")
sys.exit(failed > 0)
