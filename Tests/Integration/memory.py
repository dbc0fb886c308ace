"""Peak resident memory of the binary while it receives more than fits in memory; printed and checked against a limit."""

import os
import subprocess
import sys
import tempfile
import time

import hostile

APICTL = os.environ["APICTL"]
SECURE = "https://127.0.0.1:" + os.environ["PORT_GOOD"]
TRUST = ["--cacert", os.environ["WORK"] + "/certificates/authority.pem"]
PLAIN = "http://127.0.0.1:" + os.environ["PORT_PLAIN"]
GIBIBYTE = 1 << 30
# Twice the memory that a call of any size takes, libraries included.
BOUND = 32 << 20
# libcurl decompresses at once what it reads at once, 16 kB, which gzip makes about a thousand times as long.
# It holds that twice while the reader is slower than the server.
UNPACKED_BOUND = 100 << 20
# At ratios of 5,000 and more, libcurl holds 64 MB of what it has read at once before it gives up, and the decoder its window.
GIVEN_UP_BOUND = 128 << 20
# A body to decode is held as a whole up to 100 MB, and twice while its buffer grows.
DECODED_BOUND = 256 << 20
# 10 MB of the densest JSON into any value: the text, eight bytes per scalar or key and sixteen per container, and what is printed.
DENSE_BOUND = 190 << 20

ITEM = b'{"id":12345678,"name":"Aerodynamic Concrete Clock","price":21.40,"tags":["clock","concrete"]},\n'
JSON = hostile.serve(
    hostile.long_body("application/json", ITEM, GIBIBYTE // len(ITEM), b"[", ITEM.rstrip(b",\n") + b"]"))
LINE = hostile.serve(hostile.long_body("application/json", b"x", 256 << 20, b'["', b'"]'))
NUMBER = hostile.serve(hostile.long_body("application/json", b"7", 256 << 20))
DEEP = hostile.serve(hostile.long_body("application/json", b"[", 1 << 20, b"", b""))
BYTES = "application/octet-stream"
BOMB = hostile.serve(hostile.compressed("gzip", BYTES, hostile.gzip_bomb(b"\0", 1024)))
JSON_BOMB = hostile.serve(
    hostile.compressed("gzip", "application/json", hostile.gzip_bomb(b" ", 1024, b"[", b"]")))
BROTLI_BOMB = hostile.serve(hostile.compressed("br", BYTES, hostile.brotli_bomb(b"\0", 1024)))
ZSTD_BOMB = hostile.serve(hostile.compressed("zstd", BYTES, hostile.zstd_bomb(b"\0", 1024)))
DENSE = {
    name: hostile.serve(hostile.long_body("application/json", element * 1000, 10_000_000 // (1000 * len(element)), b"[0,", b"0]"))
    for name, element in (
        ("numbers", b"0,"), ("empty strings", b'"",'), ("empty objects", b"{},"), ("empty arrays", b"[],"),
        ("nested arrays", b"[[[[0]]]],"))
}
KEYS = hostile.serve(
    hostile.long_body("application/json", b'"k":0,', 10_000_000 // 6, b"{", b'"k":0}'))
FAILURE = hostile.serve(hostile.long_body("application/json", ITEM, (64 << 20) // len(ITEM), status="500 Oops"))

temporary = tempfile.TemporaryDirectory()
DIRECTORY = temporary.name


def at(port):
    return f"http://127.0.0.1:{port}"


# A name, the URL, the options, the exit code, the least length of stdout, and the bound.
CALLS = [
    ("1 GiB of bytes, --raw", PLAIN + "/large", ["--raw"], 0, GIBIBYTE, BOUND),
    ("1 GiB of bytes, -o FILE", PLAIN + "/large", ["-o", DIRECTORY + "/x"], 0, 0, BOUND),
    ("1 GiB of bytes, -q --raw", PLAIN + "/large", ["-q", "--raw"], 0, 0, BOUND),
    ("1 GiB of JSON, --raw", at(JSON), ["--raw"], 0, GIBIBYTE, BOUND),
    ("a text of 256 MiB in JSON, --raw", at(LINE), ["--raw"], 0, 256 << 20, BOUND),
    ("a number of 256 MiB in JSON, --raw", at(NUMBER), ["--raw"], 0, 256 << 20, BOUND),
    ("1 Mi brackets, --raw", at(DEEP), ["--raw"], 8, 0, BOUND),
    ("1 GiB from 1 MiB of gzip, -q --raw", at(BOMB), ["-q", "--raw"], 0, 0, UNPACKED_BOUND),
    ("1 GiB from 1 MiB of gzip, --raw", at(BOMB), ["--raw"], 0, GIBIBYTE, UNPACKED_BOUND),
    ("1 GiB from gzip over HTTP/2, -q --raw", SECURE + "/bomb", TRUST + ["--http2", "-q", "--raw"], 0, 0, UNPACKED_BOUND),
    ("1 GiB from gzip over HTTP/2, --raw", SECURE + "/bomb", TRUST + ["--http2", "--raw"], 0, GIBIBYTE, UNPACKED_BOUND),
    # More than libcurl can hold of what it decompresses at once.
    ("1 GiB from 200 kB of Brotli, --raw", at(BROTLI_BOMB), ["--raw"], 6, 0, GIVEN_UP_BOUND),
    ("1 GiB from 32 kB of Zstandard, --raw", at(ZSTD_BOMB), ["--raw"], 6, 0, GIVEN_UP_BOUND),
    ("JSON from 1 MiB of gzip, --raw", at(JSON_BOMB), ["--raw"], 0, 0, UNPACKED_BOUND),
    ("JSON from 1 MiB of gzip, --max-bytes 1M", at(JSON_BOMB), ["--max-bytes", "1M"], 8, 0, UNPACKED_BOUND),
    ("JSON from 1 MiB of gzip, decoded", at(JSON_BOMB), [], 8, 0, DECODED_BOUND),
    ("a failure with 64 MiB", at(FAILURE), [], 5, 0, BOUND),
    ("10 MB of one key, decoded", at(KEYS), ["--compact"], 0, 9_000_000, DENSE_BOUND),
] + [
    (f"10 MB of {name}, decoded", at(port), ["--compact"], 0, 9_000_000, DENSE_BOUND) for name, port in DENSE.items()
]
# The endpoint whose model is any JSON.
ANY = ["httpbin.response-headers", "--freeform", "x"]


def measure(endpoint, base, options):
    """The exit code, the peak in bytes, and how many bytes came out.

    Linux counts what a process was before exec: time(1) is smaller than anything that is measured, this one is not.
    """
    peak = DIRECTORY + "/peak"
    command = ["time", "-q", "-f", "%M", "-o", peak, APICTL, "call"] + endpoint + ["--base-url", base, "-m", "120"]
    with subprocess.Popen(
        command + options, env={"PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        count = 0
        while chunk := process.stdout.read1(1 << 20):
            count += len(chunk)
    with open(peak, encoding="utf-8") as file:
        return process.returncode, int(file.read()) * 1024, count


def main():
    failed = 0
    for name, base, options, code, least, bound in CALLS:
        start = time.monotonic()
        got, peak, count = measure(ANY if "decoded" in name and code == 0 else ["httpbin.uuid"], base, options)
        elapsed = time.monotonic() - start
        problems = [
            got != code and f"exit {got}, expected {code}",
            count < least and f"{count} bytes came out, expected {least}",
            peak > bound and "more than the bound",
        ]
        problems = [problem for problem in problems if problem]
        failed += bool(problems)
        print(
            f"{'FAILED ' if problems else ''}{name}: {peak >> 10:,} kB, bound {bound >> 10:,}, {elapsed:.1f} s"
            + "".join(f"; {problem}" for problem in problems))
        if os.path.exists(DIRECTORY + "/x"):
            os.unlink(DIRECTORY + "/x")
    print(f"memory: {len(CALLS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
