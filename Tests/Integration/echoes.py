"""A token that is sent, and servers that repeat it over HTTP/2, HTTP/1.1 and through a proxy: no output shows any of it.

APICTL is the binary; WORK says where Tests/Integration/run has set up the certificates.
"""

import base64
import concurrent.futures
import html
import json
import os
import resource
import sys
import tempfile
import threading
import urllib.parse

import hostile
from checks import run, shown

CERTIFICATES = os.environ["WORK"] + "/certificates"

TOKENS = [
    "t0ken-of-ada-lovelace", "50%off-secret1234", "ab+cd/ef+gh==", "a&b=c&amp;d=1&#43;", 'it"s-quoted\\well\\', "a%25b%41c%zz",
    "{\"k\":\"v\\u0041\"}", "abababababab", "s3cret pw 2", "x" * 300 + "!",
]

SPELLINGS = [
    str,
    lambda text: urllib.parse.quote(text, safe=""),
    urllib.parse.quote_plus,
    html.escape,
    lambda text: base64.b64encode(text.encode()).decode(),
]


def spellings(token):
    r"""The token in each spelling. HTML is put into JSON as it is; a `\u0041` in it would mean an A, so that the text would not be the token."""
    return [spell(token) for spell in SPELLINGS if not (spell is html.escape and "\\u" in token)]


def number(value, bits, first):
    """An integer of HPACK (RFC 7541, section 5.1)."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([first | value])
    rest, result = value - most, bytes([first | most])
    while rest >= 128:
        result, rest = result + bytes([rest & 127 | 128]), rest >> 7
    return result + bytes([rest])


def fields(*pairs):
    """Header fields as literals that are not added to the table (section 6.2.2)."""
    def text(value):
        return number(len(value), 7, 0) + value
    return b"".join(b"\0" + text(name.encode()) + text(value.encode()) for name, value in pairs)


def head(status, *pairs, ends=False):
    return hostile.frame(hostile.HEADERS, fields((":status", status), *pairs), hostile.END_HEADERS | ends, 1)


def body(text, ends=True):
    return hostile.frame(hostile.DATA, text.encode(), int(ends), 1)


def quoted(text):
    return '{"authenticated": true, "token": %s, "message": "no %s"}' % (json.dumps(text), text)


# The frames in which an HTTP/2 server repeats a secret.
FRAMES = {
    "a field": lambda text: [head("200", ("x-echo", text), ("content-type", "application/json")), body(quoted(text))],
    "an error": lambda text: [head("401", ("www-authenticate", "Bearer error=" + text)), body(quoted(text))],
    "an interim response": lambda text: [head("103", ("link", text)), head("403", ("x", "y " + text), ends=True)],
    "a trailer": lambda text: [
        head("403"), body(text, ends=False),
        hostile.frame(hostile.HEADERS, fields(("x-trailer", text)), hostile.END_HEADERS | 1, 1)],
    "a content type": lambda text: [head("200", ("content-type", "text/" + text)), body(text)],
    "a coding": lambda text: [head("200", ("content-encoding", text)), body(text)],
    "a redirect": lambda text: [head("302", ("location", "https://other.test/?q=" + text), ends=True)],
    "a cookie": lambda text: [head("404", ("set-cookie", f"a={text}; Path=/{text}"), ends=True)],
    "an invalid field": lambda text: [head("200", ("x-" + text, "1")), body("{}")],
    "the end of a connection": lambda text: [hostile.frame(hostile.GOAWAY, b"\0" * 7 + b"\x0b" + text.encode())],
}

# The same over HTTP/1.1.
RESPONSES = {
    "a reason": lambda text: f"HTTP/1.1 401 {text}\r\nX-{text}: {text}\r\n\r\n{quoted(text)}",
    "no HTTP": lambda text: text + "\r\n\r\n",
    "a cut body": lambda text: f"HTTP/1.1 500 E\r\nContent-Length: 9999\r\n\r\n{text}",
    "a bad chunk": lambda text: f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{text}\r\n",
    "a bad length": lambda text: f"HTTP/1.1 200 OK\r\nContent-Length: {text}\r\n\r\n",
}

OPTIONS = [
    ["-vv"], ["-v", "-i"], ["--json-errors"], ["-w", "%{json} %{header_json}"],
    ["--raw", "-vv", "--retry", "1", "--retry-delay", "1ms"],
]


def leaks(token, spelled, output):
    """Eight successive letters of the token or of what was sent that the output holds."""
    for text in (token, spelled):
        for start in range(len(text) - 7):
            if text[start : start + 8].encode() in output:
                yield text[start : start + 8]


def perform(server, token, spelled, options, directory):
    """Runs a call whose server repeats the token. Returns what is wrong, which is empty if nothing is."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": directory, "HTTPBIN_TOKEN": token, "CURL_CA_BUNDLE": CERTIFICATES + "/authority.pem"}
    archive = os.path.join(directory, f"{threading.get_ident()}.har")
    words = ["call", "httpbin.bearer", *options, *server, "--max-time", "5", "--har", archive]
    outcome = run(words, environment, directory=directory)
    if outcome is None:
        return "still running"
    if outcome.code not in (0, 3, 4, 5, 6, 8):
        return f"exit {outcome.code}: {shown(outcome.err)}"
    # With --raw, stdout is the body as it is.
    output = outcome.err + (b"" if "--raw" in options or outcome.code == 0 else outcome.out)
    with open(archive, "rb") as file:
        output += file.read()
    for part in leaks(token, spelled, output):
        place = output.find(part.encode())
        return f"shows {part!r} in …{shown(output[max(place - 200, 0) : place + 100])}…"
    return ""


def main():
    temporary = tempfile.TemporaryDirectory()
    # Each response has a server of its own.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most if most == resource.RLIM_INFINITY else min(most, 8192), most))
    jobs = []
    for token in TOKENS:
        for spelled in spellings(token):
            for name, frames in FRAMES.items():
                port = hostile.serve(hostile.over_tls(CERTIFICATES, hostile.http2(*frames(spelled), stays=True), ["h2"]))
                jobs.append((name, ["--base-url", f"https://127.0.0.1:{port}"], token, spelled))
            for name, response in RESPONSES.items():
                port = hostile.serve(hostile.says(response(spelled).encode()))
                jobs.append((name, ["--base-url", f"http://127.0.0.1:{port}"], token, spelled))
                jobs.append((name + " of a proxy", ["-x", f"http://127.0.0.1:{port}", "--base-url", "https://h.test"], token, spelled))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = pool.map(
            lambda job: perform(job[1][1], job[1][2], job[1][3], OPTIONS[job[0] % len(OPTIONS)], temporary.name), enumerate(jobs))
        for (name, server, token, spelled), problem in zip(jobs, results):
            if problem:
                failed += 1
                print(f"FAILED {name}: token {token!r} as {spelled!r}: {problem}")
    print(f"echoes: {len(jobs) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
