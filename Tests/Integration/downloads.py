"""Downloads from nginx into files: exact bytes, no partial files, and resuming an earlier run."""

import os
import signal
import sys
import tempfile

import hostile
from checks import problems, run

FILES = os.environ["WORK"] + "/nginx/files"
PLAIN = "http://127.0.0.1:" + os.environ["PORT_PLAIN"]
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}
with open(FILES + "/file", "rb") as served:
    WHOLE = served.read()
HALF = len(WHOLE) // 2

# Announces a part with its validators, and closes the connection in the middle of it.
CUT = hostile.serve(
    hostile.says(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\n"
        b"Content-Length: 200000\r\n\r\n" + WHOLE[:HALF]))


class Download:
    """One run after the other of `apictl call httpbin.uuid … -o FILE`, and what is wrong with any of them."""

    def __init__(self, directory):
        self.directory = directory
        self.found = []

    def call(self, base, *options, code=0, out="", err="", interrupt_after=None):
        words = ["call", "httpbin.uuid", "--base-url", base, *options]
        outcome = run(words, ENVIRONMENT, directory=self.directory, interrupt_after=interrupt_after)
        self.found += problems(outcome, code, out, err, {}, [])
        return outcome

    def expect(self, holds, words):
        if not holds:
            self.found.append(words)

    def has(self, name, content):
        """Whether the directory holds that file, and nothing else."""
        self.expect(os.listdir(self.directory) == [name], f"the directory holds {sorted(os.listdir(self.directory))}")
        self.expect(self.read(name) == content, f"{name} has another content")

    def read(self, name):
        try:
            with open(os.path.join(self.directory, name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write(self, name, content):
        with open(os.path.join(self.directory, name), "wb") as file:
            file.write(content)


def whole(it):
    it.call(PLAIN + "/file", "-o", "x")
    it.has("x", WHOLE)


def decompressed(it):
    with open(FILES + "/text", "rb") as file:
        text = file.read()
    headers = it.call(PLAIN + "/text", "--raw", "-q", "-v", err=None)
    it.expect(b"Content-Encoding: gzip" in headers.err, "nginx did not compress the text")
    it.call(PLAIN + "/text", "-o", "x")
    it.has("x", text)
    outcome = it.call(PLAIN + "/text", "--raw", out=None)
    it.expect(outcome.out == text, "stdout has another content")


def cut_keeps_old(it):
    it.write("x", b"old")
    it.call(
        f"http://127.0.0.1:{CUT}", "-o", "x", code=6,
        err=f"apictl: httpbin.uuid: 127.0.0.1 closed the connection after {HALF} of {len(WHOLE)} bytes\n"
        "To try again: --retry 3\n")
    it.has("x", b"old")


def failure_writes_nothing(it):
    it.call(PLAIN + "/missing", "-o", "x", code=4, err="⋮apictl: httpbin.uuid: 404 Not Found\n")
    it.expect(os.listdir(it.directory) == [], "a file was left")


def interrupted(it):
    it.call(PLAIN + "/slow", "-o", "x", code=-signal.SIGINT, err=None, interrupt_after=1)
    it.expect(os.listdir(it.directory) == [], f"files were left: {os.listdir(it.directory)}")


def resuming(it):
    it.call(f"http://127.0.0.1:{CUT}", "-C", "-o", "x", code=6, err=None)
    it.expect(it.read("x.part") == WHOLE[:HALF], "the first half was not kept")
    # The server's file has another entity tag.
    it.call(PLAIN + "/file", "-C", "-o", "x", err="the server sent the whole file; starting over\n")
    it.has("x", WHOLE)


def resuming_after_interruption(it):
    it.call(PLAIN + "/slow", "-C", "-o", "x", code=-signal.SIGINT, err=None, interrupt_after=1)
    kept = it.read("x.part") or b""
    it.expect(0 < len(kept) < len(WHOLE) and WHOLE.startswith(kept), f"{len(kept)} bytes were kept")
    it.call(PLAIN + "/file", "-C", "-o", "x", err="resuming at … of 200.0 kB\n")
    it.has("x", WHOLE)


def existing_file_is_replaced(it):
    it.write("x", WHOLE[:HALF])
    it.call(PLAIN + "/file", "-C", "-o", "x")
    it.has("x", WHOLE)


def part_of_somebody_else(it):
    it.write("x.part", WHOLE[:HALF])
    it.call(
        PLAIN + "/unmarked", "-C", "-o", "x", code=1,
        err="apictl: can't write x.part: it is no download of this tool; move it away to download anew\n")
    it.has("x.part", WHOLE[:HALF])


def resumable_text_is_not_compressed(it):
    with open(FILES + "/text", "rb") as file:
        text = file.read()
    it.call(PLAIN + "/text", "-C", "-o", "x")
    it.has("x", text)


def too_long(it):
    it.call(
        PLAIN + "/file", "-o", "x", "--max-bytes", "100k", code=8,
        err="apictl: httpbin.uuid: "
        "the response is longer than 102.4 kB\nTo read more: a larger --max-bytes\n")
    it.expect(os.listdir(it.directory) == [], "a file was left")


DOWNLOADS = [
    whole, decompressed, cut_keeps_old, failure_writes_nothing, interrupted, resuming, resuming_after_interruption,
    existing_file_is_replaced, part_of_somebody_else, resumable_text_is_not_compressed, too_long,
]


def main():
    failed = 0
    for download in DOWNLOADS:
        with tempfile.TemporaryDirectory() as directory:
            it = Download(directory)
            download(it)
        if it.found:
            failed += 1
            print(f"FAILED {download.__name__}\n  " + "\n  ".join(it.found))
    print(f"downloads: {len(DOWNLOADS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
