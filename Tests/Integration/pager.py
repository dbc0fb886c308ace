"""A pseudo-terminal of 12 lines: when the pager is started, what it gets, what is written when the user leaves it early, what a slow call
shows meanwhile, and how --watch redraws it."""
import fcntl
import http.server
import json
import os
import pty
import re
import signal
import struct
import sys
import tempfile
import termios
import threading
import time

apictl = os.environ["APICTL"]
# A shell starts background jobs with this signal ignored, which programs inherit: those tested here must receive it.
signal.signal(signal.SIGINT, signal.default_int_handler)


def run(words, directory, keys=(), after=b"", **variables):
    """The exit code of apictl on a terminal, and what the terminal got; `keys` are typed one by one, once `after` has been written."""
    process, descriptor = pty.fork()
    if process == 0:
        os.chdir(directory)
        # The width is set before the program starts, so that it is never seen without one.
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 12, 80, 0, 0))
        environment = {"PATH": os.environ["PATH"], "HOME": directory, "TERM": "xterm", "NO_COLOR": "1"}
        os.execve(apictl, [apictl] + words, environment | variables)
    text = b""
    while True:
        try:
            chunk = os.read(descriptor, 65536)
        except OSError:  # Linux: all ends are closed.
            break
        if not chunk:
            break
        text += chunk
        while keys and after in text:
            os.write(descriptor, keys[0])
            keys = keys[1:]
            # Longer than an interrupted call may take to clean up.
            time.sleep(1)
    os.close(descriptor)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), text.decode().replace("\r\n", "\n")


LONG = json.dumps({"lines": list(range(20))}, indent=2) + "\n"


class Server(http.server.BaseHTTPRequestHandler):
    """Answers /long with many lines, /slow after two seconds, /count with a number of its own each second time, and reads a body for
    longer than a second."""

    protocol_version = "HTTP/1.1"
    count = 0

    def do_GET(self):
        if self.path == "/slow":
            time.sleep(2.2)
        if self.path == "/count":
            Server.count += 1
            return self.answer(json.dumps({"state": Server.count // 2, "id": 17}))
        self.answer(LONG if self.path == "/long" else "1\n")

    def do_PUT(self):
        left = int(self.headers["Content-Length"])
        while left > 0:
            left -= len(self.rfile.read(min(left, 1_000_000)))
            time.sleep(0.2)
        self.answer("2\n")

    def answer(self, text):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        pass


def activity(server):
    """The failures of calls that take longer than a second: a line that is redrawn, and erased before the result."""
    erased = "\r\x1b[K"
    waiting = r"(\r  waiting for 127\.0\.0\.1, \d s\x1b\[K)+\r\x1b\[K1\n"
    sending = r"(\r  (\d+%  [\d.]+ [kM]?B of 12\.0 MB sent to|waiting for) 127\.0\.0\.1, \d s\x1b\[K)+\r\x1b\[K2\n"
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        with open(directory + "/body", "wb") as body:
            body.write(bytes(12_000_000))
        for name, words, expected, part in [
            ("a slow response", ["call", server + "/slow"], waiting, "waiting"),
            ("a slow upload", ["call", server + "/body", "-X", "PUT", "--body", "@body"], sending, "sent to"),
            ("a fast response", ["call", server + "/fast"], r"1\n", "1"),
            ("a slow response, quietly", ["call", server + "/slow", "-q"], "", ""),
        ]:
            code, text = run(words, directory)
            if code != 0 or not re.fullmatch(expected, text) or part not in text or text.count(erased) > 1:
                failed += 1
                print(f"pager: {name}: {code}, {text!r:.300}", file=sys.stderr)
    return failed


def watch(server):
    """The failures of --watch: responses are drawn on the other screen, with a mark at what has changed, until Ctrl-C ends it by its signal."""
    title = f"Every 200 ms: {server}/count"
    clear = r"\x1b\[K"
    drawing = (
        rf"\x1b\[H{clear}%s\n{clear}200 OK, call %d, %s\n{clear}\n{clear}  {{\n"
        rf"{clear}%s   \"state\": %d,\n{clear}    \"id\": 17\n{clear}  }}\x1b\[J")
    expected = (
        r"\x1b\[\?1049h\x1b\[\?25l\x1b\[H\x1b\[K" + re.escape(title) + r"\x1b\[J"
        + drawing % (re.escape(title), 1, "no change", " ", 0)
        + drawing % (re.escape(title), 2, "last change in call 2", ">", 1)
        + drawing % (re.escape(title), 3, "last change in call 2", ">", 1)
        + r".*\x1b\[\?25h\x1b\[\?1049l")
    with tempfile.TemporaryDirectory() as directory:
        words = ["call", server + "/count", "--watch", "200ms"]
        code, text = run(words, directory, keys=[b"\x03"], after=b"call 3")
    if code == -signal.SIGINT and re.fullmatch(expected, text, re.DOTALL):
        return 0
    print(f"pager: --watch: {code}, {text!r}", file=sys.stderr)
    return 1


def main():
    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    server = f"http://127.0.0.1:{listener.server_port}"
    failed = activity(server) + watch(server)
    whole = os.popen(f"'{apictl}' help call --all").read()
    sample = os.popen(f"'{apictl}' call movies.video --sample").read()
    keep = {"APICTL_PAGER": "cat > paged"}
    # Reads the keyboard until "q", as less does, which Ctrl-C does not end.
    reading = "trap : INT; cat > paged; stty -echo < /dev/tty; echo :; until [ \"$key\" = q ]; do read key; done < /dev/tty"
    asking = {"APICTL_PAGER": f"sh -c '{reading}'"}
    # Words, variables, exit code, what the terminal gets (None: anything) and what the pager gets (None: it does not run).
    cases = [
        ("a long list", ["help", "call", "--all"], keep, 0, "", whole),
        ("PAGER", ["help", "call", "--all"], {"PAGER": "cat > paged"}, 0, "", whole),
        ("a response", ["call", "movies.video", "--sample"], keep, 0, "", sample),
        ("a URL's response", ["call", server + "/long"], keep, 0, "", LONG),
        ("--raw", ["call", server + "/long", "--raw"], keep, 0, "", LONG),
        ("format", ["format", "long.json"], keep, 0, "", LONG),
        ("a text that fits", ["describe", "narcos.narcs", "--no-pager"], keep, 0, None, None),
        ("a short text", ["list", "narcos"], keep, 0, None, None),
        ("--no-pager", ["help", "call", "--all", "--no-pager"], keep, 0, whole, None),
        ("cat", ["help", "call", "--all"], {"APICTL_PAGER": "cat", "PAGER": "cat > paged"}, 0, whole, None),
        ("no program", ["help", "call", "--all"], {"APICTL_PAGER": "", "PAGER": "cat > paged"}, 0, whole, None),
        ("one that is not installed", ["help", "call", "--all"], {"APICTL_PAGER": "no-such-pager -x"}, 0, whole, None),
        ("one that fails", ["help", "call", "--all"], {"APICTL_PAGER": "false"}, 0, whole, None),
        ("one that reads all and fails", ["help", "call", "--all"], {"APICTL_PAGER": "cat > paged; exit 3"}, 0, whole, whole),
        ("a command that is not found", ["help", "call", "--all"], {"APICTL_PAGER": "env no-such-pager"}, 0, None, None),
        ("a terminal that can't", ["help", "call", "--all"], keep | {"TERM": "dumb"}, 0, whole, None),
        ("the user leaves early", ["help", "call", "--all"], {"APICTL_PAGER": "head -1"}, 0, whole.split("\n")[0] + "\n", None),
        ("a request that is only shown", ["call", "httpbin.get", "--dry-run"], keep, 0, None, None),
        ("an error", ["list", "no-such-endpoint"], keep, 2, None, None),
    ]
    # Ctrl-C while the pager runs ends neither the pager nor apictl, which would leave it without a keyboard.
    interrupted = [("Ctrl-C in the pager", words, asking, 0, ":\n", text) for words, text in [
        (["help", "call", "--all"], whole), (["call", "movies.video", "--sample"], sample)]]
    for name, words, variables, code, shown, paged in cases + interrupted:
        with tempfile.TemporaryDirectory() as directory:
            with open(directory + "/long.json", "w", encoding="utf-8") as file:
                file.write(LONG)
            outcome = run(words, directory, keys=[b"\x03", b"\x03", b"q\n"] if variables is asking else [], **variables)
            path = directory + "/paged"
            got = open(path, encoding="utf-8").read() if os.path.exists(path) else None
        if outcome[0] != code or shown is not None and outcome[1] != shown or got != paged:
            failed += 1
            print(f"pager: {name}: {outcome!r:.300}, pager {got!r:.300}", file=sys.stderr)
    # With the four of slow calls, and the one of --watch.
    count = len(cases + interrupted) + 5
    print(f"pager: {count - failed} of {count} passed")
    return failed


sys.exit(1 if main() else 0)
