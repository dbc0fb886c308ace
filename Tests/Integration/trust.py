"""Which certificates a call trusts: a table of stores, servers and outcomes, with what each server saw of the call.

APICTL is the binary; WORK says where Tests/Integration/run has put the certificates.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass

import hostile
from checks import fill, problems, run, split

CERTIFICATES = os.environ["WORK"] + "/certificates"
temporary = tempfile.TemporaryDirectory()
DIRECTORY = temporary.name
OK = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
REDIRECT = b"HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: /redirect/%d\r\n\r\n"


def read(name):
    with open(f"{CERTIFICATES}/{name}.pem", encoding="utf-8") as file:
        return file.read()


def bundle(name, *certificates, copies=100):
    """A bundle of the certificates, as large as a system's by that many of a stranger's."""
    with open(f"{DIRECTORY}/{name}", "w", encoding="utf-8") as file:
        file.write(read("stranger") * copies + "".join(map(read, certificates)))


def store(name, *certificates, links=True):
    """A directory of the certificates and a stranger's."""
    os.mkdir(f"{DIRECTORY}/{name}")
    for certificate in ("stranger",) + certificates:
        shutil.copy(f"{CERTIFICATES}/{certificate}.pem", f"{DIRECTORY}/{name}/")
    if links:
        subprocess.run(["openssl", "rehash", f"{DIRECTORY}/{name}"], check=True, stderr=subprocess.DEVNULL)


bundle("all.pem", "authority", "self-signed")
bundle("others.pem")
bundle("small.pem", "authority", copies=1)
store("all", "authority", "self-signed")
store("others")
store("unlinked", "authority", links=False)
# A link whose certificate is missing.
store("broken", "authority")
os.unlink(DIRECTORY + "/broken/authority.pem")
# A certificate that was trusted, and is not any more.
store("removed", "authority")
os.unlink(DIRECTORY + "/removed/authority.pem")
subprocess.run(["openssl", "rehash", DIRECTORY + "/removed"], check=True, stderr=subprocess.DEVNULL)
store("unreadable", "authority")
os.chmod(DIRECTORY + "/unreadable", 0)
os.symlink("loop", DIRECTORY + "/loop")
# Root reads everything unless it gives that up.
ALL_BUT_READING = "-dac_override,-dac_read_search"
AS_USER = (
    ("setpriv", "--inh-caps", ALL_BUT_READING, "--bounding-set", ALL_BUT_READING) if os.geteuid() == 0 else ())


class Server:
    """Responds to one request per connection, at /redirect/N with N redirects, and counts."""

    def __init__(self, certificate):
        self.connections, self.requests, self.resumptions = 0, 0, 0
        self.lock = threading.Lock()
        over_tls = hostile.over_tls(CERTIFICATES, self.respond, certificate=certificate)

        def counted(connection):
            with self.lock:
                self.connections += 1
            over_tls(connection)

        self.port = hostile.serve(counted)

    def respond(self, connection):
        path = hostile.read_headers(connection).split()[1]
        with self.lock:
            self.requests += 1
            self.resumptions += connection.session_reused
        left = int(path.rpartition(b"/")[2]) if path.startswith(b"/redirect/") else 0
        connection.sendall(REDIRECT % (left - 1) if left else OK)


SOME = "SSL_CERT_DIR={directory}/%s SSL_CERT_FILE={directory}/%s"
UNKNOWN = (
    "⋮apictl: httpbin.data: the certificate of 127.0.0.1 has an unknown issuer: it is not in %s "
    "(SSL certificate problem: …)\nTo trust another issuer: --cacert FILE; -k skips the check.\n")
PLACES = "{directory}/%s or {directory}/%s"


@dataclass
class Check:
    """A POST to a server with `certificate`, and what the server sees of it; by default it is received once, if at all."""

    id: str
    variables: str
    options: str = ""
    certificate: str = "good"
    code: int = 0
    err: str = "⋮"
    connections: int = 1
    wrapper: tuple = ()
    command: str = "httpbin.data --text x"
    requests: int = None
    resumptions: int = 0
    proxy: bool = False


def refused(id, variables, places, options="", connections=1, **more):
    return Check(id, variables, options, code=6, err=UNKNOWN % places, connections=connections, **more)


CHECKS = [
    Check("in directory and bundle", SOME % ("all", "all.pem"), "-vv", err="* trusted certificates: {directory}/all\n⋮"),
    Check("only in the directory", SOME % ("all", "others.pem")),
    Check(
        "only in the bundle", SOME % ("others", "all.pem"), "-vv", connections=2,
        err="* trusted certificates: {directory}/others\n⋮\n* no trusted issuer found; connecting again; "
        "trusted certificates: {directory}/others, {directory}/all.pem\n⋮"),
    Check(
        "only in a small bundle, which is read at once", SOME % ("others", "small.pem"), "-vv",
        err="* trusted certificates: {directory}/others, {directory}/small.pem\n⋮"),
    refused("in neither", SOME % ("others", "others.pem"), PLACES % ("others", "others.pem"), connections=2),
    refused("removed from both", SOME % ("removed", "others.pem"), PLACES % ("removed", "others.pem"), connections=2),
    Check("the first of two directories", "SSL_CERT_DIR={directory}/all:/nowhere SSL_CERT_FILE={directory}/others.pem"),
    Check("the second of two directories", "SSL_CERT_DIR=/nowhere:{directory}/all SSL_CERT_FILE={directory}/others.pem"),
    Check("self-signed, in the directory", SOME % ("all", "others.pem"), certificate="self-signed"),
    Check("self-signed, in the bundle", SOME % ("others", "all.pem"), certificate="self-signed", connections=2),
    Check(
        "self-signed, in neither", SOME % ("others", "others.pem"), certificate="self-signed", code=6, connections=2,
        err="apictl: httpbin.data: the certificate of 127.0.0.1 is self-signed: it is not in "
        + PLACES % ("others", "others.pem") + " (…)\n⋮"),
    Check(
        "expired", SOME % ("all", "all.pem"), certificate="expired", code=6,
        err="apictl: httpbin.data: the certificate of 127.0.0.1 has expired (…)\n⋮"),
    Check(
        "expired, in the bundle", SOME % ("others", "all.pem"), certificate="expired", code=6, connections=2,
        err="apictl: httpbin.data: the certificate of 127.0.0.1 has expired (…)\n⋮"),
    Check(
        "another host", SOME % ("all", "all.pem"), certificate="other-host", code=6,
        err="apictl: httpbin.data: the certificate of 127.0.0.1 is for another host (…)\n⋮"),
    Check(
        "another host, in the bundle", SOME % ("others", "all.pem"), certificate="other-host", code=6, connections=2,
        err="apictl: httpbin.data: the certificate of 127.0.0.1 is for another host (…)\n⋮"),

    Check("no hash links, in the bundle", SOME % ("unlinked", "all.pem")),
    refused("no hash links", SOME % ("unlinked", "others.pem"), PLACES % ("unlinked", "others.pem")),
    Check("a broken link, in the bundle", SOME % ("broken", "all.pem"), connections=2),
    refused("a broken link", SOME % ("broken", "others.pem"), PLACES % ("broken", "others.pem"), connections=2),
    Check("an unreadable directory, in the bundle", SOME % ("unreadable", "all.pem"), wrapper=AS_USER),
    refused(
        "an unreadable directory", SOME % ("unreadable", "others.pem"), PLACES % ("unreadable", "others.pem"),
        wrapper=AS_USER),
    Check("a link to itself, in the bundle", SOME % ("loop", "all.pem")),
    Check("no directory, in the bundle", SOME % ("missing", "all.pem")),
    Check(
        "no bundle", SOME % ("all", "missing.pem"), code=6,
        err="apictl: httpbin.data: can't read the certificate authorities: "
        "{directory}/missing.pem: no such file or directory\n", connections=0),

    Check("--cacert before all variables", "CURL_CA_BUNDLE={directory}/others.pem " + SOME % ("others", "others.pem"),
          "--cacert {directory}/all.pem"),
    refused(
        "--cacert alone is trusted", "CURL_CA_BUNDLE={directory}/all.pem " + SOME % ("all", "all.pem"),
        "{directory}/others.pem", "--cacert {directory}/others.pem"),
    Check("CURL_CA_BUNDLE before SSL_CERT_FILE", "CURL_CA_BUNDLE={directory}/small.pem SSL_CERT_FILE={directory}/others.pem"),
    # The directory is libcurl's own.
    refused(
        "CURL_CA_BUNDLE hides both", "CURL_CA_BUNDLE={certificates}/stranger.pem " + SOME % ("all", "all.pem"),
        "…{certificates}/stranger.pem"),
    Check("SSL_CERT_FILE alone", "SSL_CERT_FILE={directory}/small.pem"),
    Check("SSL_CERT_DIR alone", "SSL_CERT_DIR={directory}/all"),
    Check("empty variables", "CURL_CA_BUNDLE= SSL_CERT_DIR={directory}/all SSL_CERT_FILE="),
    refused("no variables", "", "…", connections=None),
    # The server is a proxy, which responds itself.
    Check("--cacert for an HTTPS proxy", SOME % ("others", "others.pem"), "--cacert {directory}/all.pem", proxy=True),
    Check(
        "--cacert alone is trusted for an HTTPS proxy", SOME % ("all", "all.pem"), "--cacert {directory}/others.pem",
        proxy=True, code=6,
        err="⋮apictl: httpbin.data: the certificate of the proxy at 127.0.0.1:… has an unknown issuer: it is not in "
        "{directory}/others.pem (…)\nTo trust another issuer: --cacert FILE\n"),
    Check("not checked", SOME % ("others", "others.pem"), "-k -vv", err="* the certificate is not checked\n⋮"),
    Check("not checked, expired", SOME % ("others", "others.pem"), "-k", certificate="expired"),

    # The second connection is made once for all that follow, whose sessions are resumed.
    Check(
        "many requests, in the directory", SOME % ("all", "all.pem"), command="httpbin.redirect --count 4",
        connections=5, requests=5, resumptions=4),
    Check(
        "many requests, in the bundle", SOME % ("others", "all.pem"), command="httpbin.redirect --count 4",
        connections=6, requests=5, resumptions=4),
]


def perform(check):
    """Runs a check. Returns the problems."""
    server = Server(check.certificate)
    names = {"directory": DIRECTORY, "certificates": CERTIFICATES}
    variables = dict(setting.split("=", 1) for setting in fill(check.variables, names).split())
    url = f"https://127.0.0.1:{server.port}"
    way = f"http://api.invalid -x {url}" if check.proxy else url
    words = split(f"apictl call {check.command} --raw --base-url {way} {check.options}", names)
    outcome = run(words, {"PATH": "/usr/bin:/bin", "HOME": DIRECTORY, **variables}, wrapper=check.wrapper)
    found = problems(outcome, check.code, None, check.err, names, [])
    requests = check.requests or (0 if check.code else 1)
    for what, expected, seen in (
            ("connections", check.connections, server.connections), ("requests", requests, server.requests),
            ("resumed sessions", check.resumptions, server.resumptions)):
        if expected is not None and seen != expected:
            found.append(f"{seen} {what}, expected {expected}")
    return found


def main():
    failed = 0
    for check in CHECKS:
        if found := perform(check):
            failed += 1
            print(f"FAILED {check.id}: {check.command}\n  " + "\n  ".join(found))
    os.chmod(DIRECTORY + "/unreadable", 0o700)
    print(f"trust: {len(CHECKS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
