"""Checks output on a pseudo-terminal of 12 lines: when the pager is started and what it gets, what a slow call shows, and how --watch redraws.

APICTL is the binary.
"""

import fcntl
import http.server
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from dataclasses import dataclass, field

apictl = os.environ["APICTL"]
# A shell starts background jobs with this signal ignored, which programs inherit: those tested here must receive it.
signal.signal(signal.SIGINT, signal.default_int_handler)


def run(words, directory, keys=(), after=b"", **variables):
    """Runs apictl on a terminal. Returns its exit code, and what it has written to the terminal.

    `keys` are typed one by one, once `after` has been written.
    """
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


class Responder(http.server.BaseHTTPRequestHandler):
    """Responds to /long with many lines, to /slow after two seconds, and to /count with a number that changes with each second request.

    Reads a body for longer than a second.
    """

    protocol_version = "HTTP/1.1"
    count = 0

    def do_GET(self):
        if self.path == "/slow":
            time.sleep(2.2)
        if self.path == "/count":
            Responder.count += 1
            return self.respond(json.dumps({"state": Responder.count // 2, "id": 17}))
        self.respond(LONG if self.path == "/long" else "1\n")

    def do_PUT(self):
        left = int(self.headers["Content-Length"])
        while left > 0:
            left -= len(self.rfile.read(min(left, 1_000_000)))
            time.sleep(0.2)
        self.respond("2\n")

    def respond(self, text):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        pass


def activity(server):
    """Checks calls that take longer than a second: a line is redrawn, and erased before the result.

    Returns the number of failures.
    """
    erased = "\r\x1b[K"
    waiting = r"(\r  waiting for 127\.0\.0\.1, \d s\x1b\[K)+\r\x1b\[K1\n"
    sending = r"(\r  (\d+%  [\d.]+ [kM]?B of 12\.0 MB sent to|waiting for) 127\.0\.0\.1, \d s\x1b\[K)+\r\x1b\[K2\n"
    failures = 0
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
                failures += 1
                print(f"pager: {name}: {code}, {text!r:.300}", file=sys.stderr)
    return failures


def watch(server):
    """Checks --watch: responses are drawn on the other screen, with a mark at what has changed, until Ctrl-C ends it by its signal.

    Returns the number of failures.
    """
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


@dataclass
class Case:
    name: str
    words: list
    variables: dict
    # None: the terminal may get anything.
    terminal: str = None
    # The text that the pager gets. None: it does not run.
    pager: str = None
    code: int = 0
    keys: list = field(default_factory=list)


ALL = ["help", "call", "--all"]
SAVING = {"APICTL_PAGER": "cat > paged"}
# Saves the text and reads the keyboard until "q", as less does. Ctrl-C does not end it.
READING = (
    "trap : INT; cat > paged; stty -echo < /dev/tty; echo :; "
    'until [ "$key" = q ]; do read key; done < /dev/tty')
CTRL_C = b"\x03"


def output(*words):
    return subprocess.run([apictl, *words], capture_output=True, check=True, text=True).stdout


def cases(server):
    help_text = output(*ALL)
    sample = output("call", "movies.video", "--sample")
    first_line = help_text.split("\n")[0] + "\n"
    paged = [
        Case("a long list", ALL, SAVING, "", help_text),
        Case("PAGER", ALL, {"PAGER": "cat > paged"}, "", help_text),
        Case("a response", ["call", "movies.video", "--sample"], SAVING, "", sample),
        Case("a URL's response", ["call", server + "/long"], SAVING, "", LONG),
        Case("--raw", ["call", server + "/long", "--raw"], SAVING, "", LONG),
        Case("format", ["format", "long.json"], SAVING, "", LONG),
        Case("the user leaves early", ALL, {"APICTL_PAGER": "head -1"}, first_line),
    ]
    not_paged = [
        Case("a text that fits", ["describe", "narcos.narcs", "--no-pager"], SAVING),
        Case("a short text", ["list", "narcos"], SAVING),
        Case("--no-pager", ALL + ["--no-pager"], SAVING, help_text),
        Case("cat", ALL, {"APICTL_PAGER": "cat", "PAGER": "cat > paged"}, help_text),
        Case("no program", ALL, {"APICTL_PAGER": "", "PAGER": "cat > paged"}, help_text),
        Case("a terminal that can't move its cursor", ALL, SAVING | {"TERM": "dumb"}, help_text),
        Case("a request that is only shown", ["call", "httpbin.get", "--dry-run"], SAVING),
        Case("an error", ["list", "no-such-endpoint"], SAVING, code=2),
    ]
    failing = [
        Case("a pager that is not installed", ALL, {"APICTL_PAGER": "no-such-pager -x"}, help_text),
        Case("a pager that fails", ALL, {"APICTL_PAGER": "false"}, help_text),
        Case("a pager that reads all and fails", ALL, {"APICTL_PAGER": "cat > paged; exit 3"}, help_text, help_text),
        Case("a command that is not found", ALL, {"APICTL_PAGER": "env no-such-pager"}),
    ]
    # Ctrl-C while the pager runs ends neither the pager nor apictl, which would leave it without a keyboard.
    keys = [CTRL_C, CTRL_C, b"q\n"]
    reading = {"APICTL_PAGER": f"sh -c '{READING}'"}
    interrupted = [
        Case("Ctrl-C in the pager of a help page", ALL, reading, ":\n", help_text, keys=keys),
        Case("Ctrl-C in the pager of a response", ["call", "movies.video", "--sample"], reading, ":\n", sample, keys=keys),
    ]
    return paged + not_paged + failing + interrupted


def failed(case):
    """Runs a case, and returns whether it failed."""
    with tempfile.TemporaryDirectory() as directory:
        with open(directory + "/long.json", "w", encoding="utf-8") as file:
            file.write(LONG)
        code, terminal = run(case.words, directory, keys=case.keys, **case.variables)
        path = directory + "/paged"
        pager = None
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                pager = file.read()
    is_terminal_wrong = case.terminal is not None and terminal != case.terminal
    if code == case.code and pager == case.pager and not is_terminal_wrong:
        return False
    print(f"pager: {case.name}: exit {code}, {terminal!r:.300}, pager {pager!r:.300}", file=sys.stderr)
    return True


def main():
    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Responder)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    server = f"http://127.0.0.1:{listener.server_port}"
    all_cases = cases(server)
    failures = activity(server) + watch(server) + sum(map(failed, all_cases))
    # With the four slow calls, and the one of --watch.
    count = len(all_cases) + 5
    print(f"pager: {count - failures} of {count} passed")
    return failures


sys.exit(1 if main() else 0)
