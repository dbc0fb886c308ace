"""Calls that meet a fault, or a server set up in an unusual way, and the expected outcome of each.

APICTL is the binary; WORK, SOCKETS and the PORT_ variables say where Tests/Integration/run has set up what.
"""

import concurrent.futures
import os
import sys
import tempfile
from dataclasses import dataclass, field

import hostile
from checks import fill, problems, run, split

CERTIFICATES = os.environ["WORK"] + "/certificates"
SOCKETS = os.environ["SOCKETS"]
temporary = tempfile.TemporaryDirectory()
DIRECTORY = temporary.name

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": DIRECTORY,
    "HTTPBIN_USER": "ada",
    "HTTPBIN_PASSWORD": "l0velace-pass",
    "HTTPBIN_TOKEN": "t0ken-of-ada",
}
# Secrets that must never be shown.
SECRETS = ["l0velace-pass", "t0ken-of-ada", "pr0xy-pass", "open-sesame"]

SILENT, silent_listener = hostile.silent()
hostile.serve(hostile.says(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789"), SOCKETS + "/dying.sock")


def tls(content):
    return hostile.serve(hostile.over_tls(CERTIFICATES, hostile.says(content)))


def http2(*frames, stays=True):
    return hostile.serve(hostile.over_tls(CERTIFICATES, hostile.http2(*frames, stays=stays), ["h2"]))


def in_turn(*contents):
    return hostile.serve(hostile.in_turn(*map(hostile.says, contents)))


FINE = b'HTTP/1.1 200 OK\r\nContent-Length: 48\r\n\r\n{"uuid": "7a1d4f8e-0c52-4e0b-9b7e-3f2a6c1d9e55"}'
CUT = FINE[:-10]
BUSY = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
with open(DIRECTORY + "/big", "wb") as big:
    big.truncate(64 << 20)

ANSWER_START = [
    hostile.frame(hostile.HEADERS, hostile.STATUS_200, hostile.END_HEADERS, 1),
    hostile.frame(hostile.DATA, b"0123456789", 0, 1),
]

# The values of `{name}` in commands and expected texts.
NAMES = {
    **{name[5:].lower(): port for name, port in os.environ.items() if name.startswith("PORT_")},
    "certificates": CERTIFICATES,
    "ca": CERTIFICATES + "/authority.pem",
    "sockets": SOCKETS,
    "directory": DIRECTORY,
    "silent": SILENT,
    "tls_refused": hostile.serve(hostile.hangs_up),
    "tls_cut": tls(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789"),
    "tls_cut_without_length": tls(b"HTTP/1.1 200 OK\r\n\r\n0123456789"),
    "tls_cut_headers": tls(b"HTTP/1.1 200 OK\r\nContent-"),
    "tls_cut_chunked": tls(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n"),
    "h2_goaway": http2(hostile.goaway(11)),
    "h2_goaway_in_body": http2(*ANSWER_START, hostile.goaway(0, last=1), stays=False),
    "h2_reset": http2(hostile.reset(2)),
    "h2_refused": http2(hostile.reset(7)),
    "h2_reset_in_body": http2(*ANSWER_START, hostile.reset(2)),
    "h2_cut": http2(*ANSWER_START, stays=False),
    "h2_garbage": http2(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" * 1000),
    "h2_huge_frame": http2(hostile.frame(hostile.DATA, b"0" * 100_000, 0, 1)),
    "busy_twice": in_turn(BUSY, BUSY, FINE),
    "closed_once": in_turn(b"", FINE),
    "cut_once": in_turn(CUT, FINE),
    "cut_once_streamed": in_turn(CUT, FINE),
    "always_closed": in_turn(b""),
    "always_busy": in_turn(BUSY),
    "busy_for_long": in_turn(BUSY.replace(b"\r\n\r\n", b"\r\nRetry-After: 1000\r\n\r\n"), FINE),
    "too_large": in_turn(TOO_LARGE),
    "too_large_reset": hostile.serve(hostile.breaks_off(TOO_LARGE)),
    "proxy_closing": hostile.serve(hostile.says(b"")),
    "proxy_resetting": hostile.serve(hostile.breaks_off(b"")),
    "proxy_endless": hostile.serve(hostile.says(b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * (1 << 20))),
    "proxy_dying": hostile.serve(hostile.proxy(hostile.hangs_up)),
    "proxy_cut": hostile.serve(hostile.says(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789")),
    "proxy_garbage": hostile.serve(hostile.says(b"SSH-2.0-OpenSSH_9.2\r\n")),
}

UUID = """{
  "uuid": "7a1d4f8e-0c52-4e0b-9b7e-3f2a6c1d9e55"
}
"""
# The headers of that response: nginx's own lines.
HEAD_1 = "HTTP/1.1 200 OK\n" + 5 * "…: …\n" + "\n"
HEAD_2 = "HTTP/2 200\n" + 4 * "…: …\n" + "\n"


@dataclass
class Check:
    """`…` in a text stands for anything on a line, `⋮` for any lines; None is any text, but stderr has `holds`."""

    id: str
    command: str
    code: int = 0
    out: str = ""
    err: str = ""
    variables: dict = field(default_factory=dict)
    holds: str = ""


def uuid(id, options, code=0, err="", before="", **variables):
    """Returns a check of a call whose response, if there is one, is UUID.

    On stderr, `err` comes after `before` and the names of tool and endpoint.
    """
    err = err and f"{before}apictl: httpbin.uuid: {err}\n"
    return Check(id, f"apictl call httpbin.uuid {options}", code, "" if code else UUID, err, variables)


def trusting(*checks):
    """Returns the checks with the authority trusted by the variable that curl reads too."""
    for check in checks:
        check.variables.setdefault("CURL_CA_BUNDLE", "{ca}")
    return list(checks)


def at(port):
    return f"--base-url https://127.0.0.1:{{{port}}}"


GOOD, CLIENT, OTHER_HOST = at("good"), at("client"), at("other_host")
PLAIN = "--base-url http://127.0.0.1:{plain}"
OWN = "--cert {certificates}/client.pem --key {certificates}/"
LOCKED_PROXY = "http://ada:pr0xy-pass@127.0.0.1:{locked_proxy}"
NOBODY = "http://127.0.0.1:1"

# The second line of a message: a hint.
TRY = "\nTo try again: --retry 3"
TRUST = "\nTo trust another issuer: --cacert FILE; -k skips the check."
OTHER_NAME = "\nTo keep the name for another address: --resolve HOST:PORT:ADDRESS; -k skips the check."
SECURE = "\nDoes the server speak https on that port? -vv shows how far the connection got."
CONNECTING = "\nTo wait longer: --connect-timeout 600ms"
LONGER = "\nTo wait longer: --max-time 600ms"
RUNNING = "\nIs the server running?"
DIRECT = "\nTo use no proxy: -x ''"
CREDENTIALS = "\nPut user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"

UNTRUSTED_CHECKS = [
    uuid("a good certificate", GOOD + " --cacert {ca}"),
    uuid("a good certificate, by name", "--base-url https://localhost:{good} --cacert {ca}"),
    uuid("trusted by CURL_CA_BUNDLE", GOOD, CURL_CA_BUNDLE="{ca}"),
    uuid("trusted by SSL_CERT_FILE", GOOD, SSL_CERT_FILE="{ca}"),
    uuid("--cacert before SSL_CERT_FILE", GOOD + " --cacert {ca}", SSL_CERT_FILE="{certificates}/stranger.pem"),
    uuid(
        "unknown issuer", GOOD, 6,
        "the certificate of 127.0.0.1 has an unknown issuer: it is not in … "
        "(SSL certificate problem: unable to get local issuer certificate)" + TRUST),
    uuid(
        "another authority", GOOD, 6,
        "the certificate of 127.0.0.1 has an unknown issuer: it is not in …{certificates}/stranger.pem "
        "(SSL certificate problem: unable to get local issuer certificate)" + TRUST,
        CURL_CA_BUNDLE="{certificates}/stranger.pem"),
    uuid("unknown issuer, insecure", GOOD + " -k"),
    uuid("self-signed, insecure", at("self_signed") + " --insecure"),
    uuid("self-signed, trusted", at("self_signed") + " --cacert {certificates}/self-signed.pem"),
    uuid("expired, insecure", at("expired") + " -k"),
    uuid("another host, insecure", OTHER_HOST + " -k"),
    Check(
        "no file of authorities", f"apictl call httpbin.uuid {GOOD} --cacert {{directory}}/missing.pem", 1, "",
        "apictl: can't read {directory}/missing.pem: no such file or directory\n"),
    uuid(
        "no file of authorities, by variable", GOOD, 6,
        "can't read the certificate authorities: {directory}/missing.pem: no such file or directory",
        CURL_CA_BUNDLE="{directory}/missing.pem"),
    uuid(
        "a file without authorities", GOOD + " --cacert {certificates}/openssl.conf", 6,
        "can't use the certificate authorities in {certificates}/openssl.conf: "
        "error setting certificate file: {certificates}/openssl.conf"),
    uuid(
        "a file without authorities, by variable", GOOD, 6,
        "can't use the certificate authorities: error setting certificate file: {certificates}/openssl.conf",
        CURL_CA_BUNDLE="{certificates}/openssl.conf"),
]

CERTIFICATE_CHECKS = trusting(
    uuid(
        "self-signed", at("self_signed"), 6,
        "the certificate of 127.0.0.1 is self-signed: it is not in …{ca} "
        "(SSL certificate problem: self-signed certificate)" + "\nTo trust this certificate: --cacert FILE, with the certificate itself; -k skips the check."),
    uuid(
        "expired", at("expired"), 6,
        "the certificate of 127.0.0.1 has expired (SSL certificate problem: certificate has expired)\n"
        "Only its owner can renew it; -k skips the check."),
    uuid(
        "not yet valid", at("early"), 6,
        "the certificate of 127.0.0.1 is not valid yet (SSL certificate problem: certificate is not yet valid)\n"
        "Is this machine's clock right? -k skips the check."),
    uuid(
        "another host", OTHER_HOST, 6,
        "the certificate of 127.0.0.1 is for another host "
        "(SSL: no alternative certificate subject name matches target host name '127.0.0.1')" + OTHER_NAME),
    uuid(
        "another host, resolved",
        "--base-url https://other.test:{other_host} --resolve other.test:{other_host}:127.0.0.1"),
    uuid(
        "the certificate of another name",
        "--base-url https://wrong.test:{other_host} --resolve wrong.test:{other_host}:127.0.0.1", 6,
        "the certificate of wrong.test is for another host "
        "(SSL: no alternative certificate subject name matches target host name 'wrong.test')" + OTHER_NAME),
    Check(
        "--resolve to what is no address",
        "apictl call httpbin.uuid --base-url https://other.test --resolve other.test:443:nowhere", 2, "",
        "apictl: --resolve (argument 5): 'nowhere' is not an IP address; expected HOST:PORT:ADDRESS[,ADDRESS]…\n"
        "See 'apictl help httpbin.uuid'.\n"),
)

CLIENT_CERTIFICATE_CHECKS = trusting(
    uuid("no client certificate", CLIENT, 4, "400 Bad Request", before="⋮No required SSL certificate was sent⋮"),
    uuid("a client certificate", f"{CLIENT} {OWN}client.key"),
    uuid("one with its key", CLIENT + " -E {certificates}/client-with-key.pem"),
    uuid(
        "a stranger's client certificate",
        CLIENT + " --cert {certificates}/strange-client.pem --key {certificates}/strange-client.key", 4,
        "400 Bad Request", before="⋮The SSL certificate error⋮"),
    uuid(
        "the key of another certificate", f"{CLIENT} {OWN}good.key", 6,
        "can't use the client certificate {certificates}/client.pem (unable to set private key file: "
        "'{certificates}/good.key' type PEM)\n"
        "The passphrase of an encrypted key is read from APICTL_KEY_PASSPHRASE."),
    uuid(
        "a client certificate without its key", CLIENT + " --cert {certificates}/client.pem", 6,
        "can't use the client certificate {certificates}/client.pem "
        "(unable to set private key file: '{certificates}/client.pem' type PEM)\n"
        "If its key is in another file: --key FILE. The passphrase of an encrypted key is read from "
        "APICTL_KEY_PASSPHRASE."),
    uuid("a key with its passphrase", f"{CLIENT} {OWN}locked.key", APICTL_KEY_PASSPHRASE="open-sesame"),
    uuid(
        "a key without its passphrase", f"{CLIENT} {OWN}locked.key", 6,
        "can't use the client certificate {certificates}/client.pem (unable to set private key file: "
        "'{certificates}/locked.key' type PEM)\n"
        "The passphrase of an encrypted key is read from APICTL_KEY_PASSPHRASE."),
    Check(
        "no file of a client certificate", f"apictl call httpbin.uuid {CLIENT} --cert {{directory}}/missing.pem", 1, "",
        "apictl: can't read {directory}/missing.pem: no such file or directory\n"),
    Check(
        "no file of a client key", f"apictl call httpbin.uuid {CLIENT} {OWN}missing.key", 1, "",
        "apictl: can't read {certificates}/missing.key: no such file or directory\n"),
)

TLS_CHECKS = trusting(
    uuid(
        "TLS to a server without", at("plain"), 6,
        "no secure connection to 127.0.0.1 port {plain}: "
        "OpenSSL/…: error:0A00010B:SSL routines::wrong version number" + SECURE),
    uuid(
        "no TLS to a server with", "--base-url http://127.0.0.1:{http1}", 4, "400 Bad Request",
        before="⋮The plain HTTP request was sent to HTTPS port⋮"),
    uuid(
        "the handshake cut off", at("tls_refused"), 6,
        "no secure connection to 127.0.0.1 port {tls_refused}: "
        "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to 127.0.0.1:{tls_refused}" + SECURE),
    uuid(
        "a handshake without an end", at("silent") + " --connect-timeout 300ms", 7,
        "no connection to 127.0.0.1 within 300 ms" + CONNECTING),
    uuid(
        "a handshake past --max-time", at("silent") + " --max-time 300ms", 7,
        "no connection to 127.0.0.1 within 300 ms" + LONGER),
    uuid(
        "TLS cut in the headers", at("tls_cut_headers"), 6,
        "127.0.0.1 closed the connection in the middle of the response headers" + TRY),
    uuid("TLS cut in the body", at("tls_cut"), 6, "127.0.0.1 closed the connection after 10 of 1000 bytes" + TRY),
    uuid(
        "TLS cut in chunks", at("tls_cut_chunked"), 6,
        "127.0.0.1 closed the connection before the end of the response (10 bytes received)" + TRY),
    # Some versions of libcurl take the end of the connection for the body's; then it is not the JSON it should be.
    Check(
        "TLS cut in a body without a length", f"apictl call httpbin.uuid {at('tls_cut_without_length')}", (6, 8), "",
        None),
)

HTTP2_CHECKS = trusting(
    Check("HTTP/2", f"apictl call httpbin.uuid {GOOD} -i", 0, HEAD_2 + UUID),
    Check("HTTP/2, asked for", f"apictl call httpbin.uuid {GOOD} -i --http2", 0, HEAD_2 + UUID),
    Check("HTTP/1.1, asked for", f"apictl call httpbin.uuid {GOOD} -i --http1.1", 0, HEAD_1 + UUID),
    uuid("HTTP/2 asked of a server without", at("http1") + " --http2"),
    uuid("HTTP/2 asked of a server without TLS", PLAIN + " --http2"),
    Check("GOAWAY after each response", f"apictl call httpbin.redirect --count 3 {at('goaway')} -q"),
    uuid(
        "a stream that ends without a response", GOOD + "/silent", 6,
        "the HTTP/2 connection to 127.0.0.1 broke "
        "(HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1))" + TRY),
    uuid(
        "a connection that ends without a response", PLAIN + "/silent", 6,
        "127.0.0.1 closed the connection without a response" + TRY),
    uuid(
        "an upstream that died", GOOD + "/dying", 6,
        "the HTTP/2 connection to 127.0.0.1 broke (HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2))" + TRY),
    uuid(
        "an upstream that died, HTTP/1.1", PLAIN + "/dying", 6,
        "127.0.0.1 closed the connection after 10 of 1000 bytes" + TRY),
    uuid(
        "GOAWAY instead of a response", at("h2_goaway"), 6,
        "the HTTP/2 connection to 127.0.0.1 broke (Error in the HTTP2 framing layer)" + TRY),
    uuid(
        "GOAWAY in the body", at("h2_goaway_in_body"), 6,
        "127.0.0.1 closed the connection before the end of the response (10 bytes received)" + TRY),
    uuid(
        "stream reset instead of a response", at("h2_reset"), 6,
        "the HTTP/2 connection to 127.0.0.1 broke "
        "(HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2))" + TRY),
    uuid(
        "stream refused", at("h2_refused"), 6,
        "the connection to 127.0.0.1 broke …: Connection died, tried 5 times before giving up" + TRY),
    uuid(
        "stream reset in the body", at("h2_reset_in_body"), 6,
        "the HTTP/2 connection to 127.0.0.1 broke "
        "(HTTP/2 stream 1 was not closed cleanly: INTERNAL_ERROR (err 2))" + TRY),
    uuid(
        "connection cut in the body", at("h2_cut"), 6,
        "127.0.0.1 closed the connection before the end of the response (10 bytes received)" + TRY),
    Check(
        "not HTTP/2", f"apictl call httpbin.uuid {at('h2_garbage')}", 6, "",
        "apictl: httpbin.uuid: …127.0.0.1…" + TRY + "\n"),
    Check(
        "a frame too large", f"apictl call httpbin.uuid {at('h2_huge_frame')}", 6, "",
        "apictl: httpbin.uuid: …127.0.0.1…" + TRY + "\n"),
)

NGINX_SOCKET = "--base-url http://api.test --unix-socket {sockets}/nginx.sock"

SOCKET_CHECKS = [
    uuid("a Unix socket", NGINX_SOCKET),
    uuid("a Unix socket in place of a proxy", NGINX_SOCKET, http_proxy=NOBODY),
    uuid(
        "no such Unix socket", "--base-url http://api.test --unix-socket {sockets}/missing.sock", 6,
        "could not connect to the unix socket {sockets}/missing.sock: no such file or directory" + RUNNING),
    uuid(
        "a Unix socket that is a file", "--base-url http://api.test --unix-socket {ca}", 6,
        "could not connect to the unix socket {ca}: connection refused" + RUNNING),
    Check(
        "too long a path", "apictl call httpbin.uuid --base-url http://api.test --unix-socket /" + 119 * "x", 2, "",
        "apictl: --unix-socket (argument 5): a socket path can have at most 107 bytes; this one has 120\n"
        "See 'apictl help httpbin.uuid'.\n"),
    uuid(
        "TLS over a Unix socket without", "--base-url https://api.test --unix-socket {sockets}/nginx.sock", 6,
        "no secure connection to api.test port 443: "
        "OpenSSL/…: error:0A00010B:SSL routines::wrong version number" + SECURE),
]

PLAIN_PROXY_CHECKS = [
    Check(
        "http_proxy", f"apictl call httpbin.uuid {PLAIN} -i", 0,
        "HTTP/1.1 200 OK\nVia: …(tinyproxy…)\n" + 4 * "…: …\n" + "\n" + UUID,
        variables={"http_proxy": "http://127.0.0.1:{proxy}"}),
    Check(
        "--proxy", f"apictl call httpbin.uuid {PLAIN} -i --proxy http://127.0.0.1:{{proxy}}", 0,
        "HTTP/1.1 200 OK\nVia: …(tinyproxy…)\n" + 4 * "…: …\n" + "\n" + UUID),
    uuid("--proxy without a scheme", PLAIN + " -x 127.0.0.1:{proxy}"),
    uuid("HTTP_PROXY is not taken", PLAIN, HTTP_PROXY=NOBODY),
    uuid(
        "http_proxy that is not there", PLAIN, 6,
        "could not connect to the proxy at 127.0.0.1:1: connection refused" + DIRECT,
        http_proxy=NOBODY),
    uuid("a password for a proxy", PLAIN, http_proxy=LOCKED_PROXY),
    uuid(
        "a proxy that wants credentials", PLAIN, 4,
        "407 Proxy Authentication Required\n"
        "Put user and password into http_proxy or https_proxy: http://(redacted)@HOST:PORT",
        before="⋮This proxy requires authentication.⋮", http_proxy="http://127.0.0.1:{locked_proxy}"),
    Check(
        "a password for a proxy, verbosely", f"apictl call httpbin.uuid {PLAIN} -vv", 0, UUID, None,
        {"http_proxy": LOCKED_PROXY}, holds="> Proxy-Authorization: Basic (redacted)\n"),
    uuid(
        "a proxy to nowhere", f"--base-url {NOBODY}", 5, "500 Unable to connect",
        before="⋮Tinyproxy was unable to connect to the remote web server.⋮",
        http_proxy="http://127.0.0.1:{proxy}"),
    uuid(
        "a proxy that closes", PLAIN, 6, "127.0.0.1 closed the connection without a response" + TRY,
        http_proxy="http://127.0.0.1:{proxy_closing}"),
    uuid(
        "a proxy that dies in the body", PLAIN, 6, "127.0.0.1 closed the connection after 10 of 1000 bytes" + TRY,
        http_proxy="http://127.0.0.1:{proxy_cut}"),
    uuid(
        "a proxy that says nothing", PLAIN + " --max-time 300ms", 7,
        "no complete response from 127.0.0.1 within 300 ms (0 bytes received)" + LONGER,
        http_proxy="http://127.0.0.1:{silent}"),
    Check(
        "a password on the command line", f"apictl call httpbin.uuid {PLAIN} -x {LOCKED_PROXY}", 2, "",
        "apictl: --proxy (argument 5): the proxy URL holds credentials; they would show in process lists: "
        "set http_proxy or https_proxy instead\nSee 'apictl help httpbin.uuid'.\n"),
    Check(
        "--proxy that is none", f"apictl call httpbin.uuid {PLAIN} -x ftp://127.0.0.1", 2, "",
        "apictl: --proxy (argument 5): expected a proxy such as http://HOST:PORT, "
        "with the scheme http, https, socks4, socks4a, socks5 or socks5h\n"
        "See 'apictl help httpbin.uuid'.\n"),
]

TUNNEL_CHECKS = trusting(
    uuid("https_proxy", GOOD, https_proxy="http://127.0.0.1:{proxy}"),
    uuid("a tunnel", GOOD + " -x http://127.0.0.1:{proxy}"),
    uuid("no_proxy", GOOD, https_proxy=NOBODY, no_proxy="example.com,127.0.0.1"),
    uuid("an empty --proxy", GOOD + " --proxy ''", https_proxy=NOBODY),
    uuid("--proxy before https_proxy", GOOD + " -x http://127.0.0.1:{proxy}", https_proxy=NOBODY),
    uuid(
        "--proxy that is not there", GOOD + " -x http://127.0.0.1:1", 6,
        "could not connect to the proxy at 127.0.0.1:1: connection refused" + DIRECT),
    uuid(
        "https_proxy that is not there", GOOD, 6,
        "could not connect to the proxy at 127.0.0.1:1: connection refused" + DIRECT,
        https_proxy=NOBODY),
    uuid(
        "all_proxy that is not there", GOOD, 6,
        "could not connect to the proxy at 127.0.0.1:1: connection refused" + DIRECT,
        all_proxy=NOBODY),
    uuid(
        "https_proxy without an address", GOOD, 6,
        "could not resolve the proxy's host name proxy.invalid" + DIRECT,
        https_proxy="http://ada:pr0xy-pass@proxy.invalid:3128"),
    uuid(
        "https_proxy that is none", GOOD, 6,
        "could not connect to the proxy at 127.0.0.1:1: Unsupported proxy scheme for '127.0.0.1:1'" + DIRECT,
        https_proxy="ftp://ada:pr0xy-pass@127.0.0.1:1"),
    uuid("a password for a tunnel", GOOD, https_proxy=LOCKED_PROXY),
    uuid(
        "a tunnel that wants credentials", GOOD, 6,
        "the proxy at 127.0.0.1:{locked_proxy} requires credentials (407)" + CREDENTIALS,
        https_proxy="http://127.0.0.1:{locked_proxy}"),
    # tinyproxy rejects wrong credentials with 401, and missing ones with 407.
    uuid(
        "wrong credentials for a tunnel", GOOD, 6,
        "the proxy at 127.0.0.1:{locked_proxy} does not accept the credentials (401)" + CREDENTIALS,
        https_proxy="http://eve:pr0xy-pass@127.0.0.1:{locked_proxy}"),
    Check(
        "a password for a tunnel, verbosely", f"apictl call httpbin.uuid {GOOD} -vv", 0, UUID, None,
        {"https_proxy": LOCKED_PROXY}, holds="> Proxy-Authorization: Basic (redacted)\n"),
    uuid(
        "a tunnel to nowhere", "--base-url https://127.0.0.1:1", 6,
        "the proxy at 127.0.0.1:{proxy} did not connect to 127.0.0.1 port 1 (500)" + DIRECT,
        https_proxy="http://127.0.0.1:{proxy}"),
    uuid(
        "a tunnel that closes", GOOD, 6,
        "the proxy at 127.0.0.1:{proxy_closing} did not connect to 127.0.0.1 port {good}: Proxy CONNECT aborted"
        + DIRECT,
        https_proxy="http://127.0.0.1:{proxy_closing}"),
    uuid(
        "a tunnel that dies in the handshake", GOOD, 6,
        "no secure connection to 127.0.0.1 port {good}: "
        "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to 127.0.0.1:{good}" + SECURE,
        https_proxy="http://127.0.0.1:{proxy_dying}"),
    uuid(
        "a tunnel that is reset", GOOD, 6,
        "the proxy at 127.0.0.1:{proxy_resetting} did not connect to 127.0.0.1 port {good}: "
        "Recv failure: Connection reset by peer"
        + DIRECT,
        https_proxy="http://127.0.0.1:{proxy_resetting}"),
    uuid(
        "an endless response to CONNECT", GOOD, 6,
        "the proxy at 127.0.0.1:{proxy_endless} did not connect to 127.0.0.1 port {good}: …" + DIRECT,
        https_proxy="http://127.0.0.1:{proxy_endless}"),
    uuid(
        "a tunnel that is none", GOOD, 6,
        "the proxy at 127.0.0.1:{proxy_garbage} did not connect to 127.0.0.1 port {good}: Proxy CONNECT aborted"
        + DIRECT,
        https_proxy="http://127.0.0.1:{proxy_garbage}"),
    uuid(
        "a tunnel that says nothing", GOOD + " --connect-timeout 300ms", 7,
        "no connection through the proxy at 127.0.0.1:{silent} to 127.0.0.1 within 300 ms" + CONNECTING,
        https_proxy="http://127.0.0.1:{silent}"),
    uuid(
        "a SOCKS proxy that is none", GOOD + " -x socks5://127.0.0.1:{tls_refused}", 6,
        "the proxy at 127.0.0.1:{tls_refused} did not connect to 127.0.0.1 port {good}: …" + DIRECT),
)

REDIRECT_CHECKS = trusting(
    uuid("from TLS to plain", GOOD + "/to-plain"),
    Check(
        "from TLS to plain with a credential", f"apictl call httpbin.bearer {GOOD}/to-plain", 6, "",
        "apictl: httpbin.bearer: https://127.0.0.1:{good}/to-plain redirects a request with credentials to plain http: "
        "http://127.0.0.1:{plain}\n"),
)

RETRY = " --retry 3 --retry-delay 10ms"
AGAIN = "apictl: httpbin.uuid: {}; trying again in 10 ms ({} of 3)\n".format


def to(port):
    return f"--base-url http://127.0.0.1:{{{port}}}"


RETRY_CHECKS = [
    Check(
        "busy twice", f"apictl call httpbin.uuid {to('busy_twice')}{RETRY}", 0, UUID,
        AGAIN("503 Service Unavailable", 1) + AGAIN("503 Service Unavailable", 2)),
    Check(
        "closed once", f"apictl call httpbin.uuid {to('closed_once')}{RETRY}", 0, UUID,
        AGAIN("127.0.0.1 closed the connection without a response", 1)),
    Check(
        "cut in the body once", f"apictl call httpbin.uuid {to('cut_once')}{RETRY}", 0, UUID,
        AGAIN("127.0.0.1 closed the connection after 38 of 48 bytes", 1)),
    Check(
        "cut once, and shown already", f"apictl call httpbin.uuid {to('cut_once_streamed')}{RETRY} --raw --compact", 6,
        '{"uuid":"7a1d4f8e-0c52-4e0b-9b7e-3…⋮',
        "apictl: httpbin.uuid: 127.0.0.1 closed the connection after 38 of 48 bytes\n"
        "Not retried: part of the response has already been written.\n"),
    uuid(
        "always closed", to("always_closed") + RETRY, 6,
        "127.0.0.1 closed the connection without a response (4 attempts)",
        before="".join(AGAIN("127.0.0.1 closed the connection without a response", n) for n in (1, 2, 3))),
    uuid(
        "always busy", to("always_busy") + RETRY, 5, "503 Service Unavailable (4 attempts)",
        before="".join(AGAIN("503 Service Unavailable", n) for n in (1, 2, 3))),
    uuid(
        "busy for longer than is waited", to("busy_for_long") + RETRY, 5,
        "503 Service Unavailable\n"
        "Not retried: the server asks to wait …. To wait that long: --max-time 0"),
    Check(
        "a POST is not repeated", f"apictl call httpbin.data --text x {to('always_busy')}{RETRY}", 5, "",
        "apictl: httpbin.data: 503 Service Unavailable\n"
        "Not retried: the server may already have processed the POST. To retry anyway: --retry-unsafe\n"),
]

UPLOAD_CHECKS = [
    Check(
        "a body refused", f"apictl call httpbin.data --body @{{directory}}/big {to('too_large')}", 4, "",
        "apictl: httpbin.data: 413 Content Too Large\n"),
    # The response may be lost when the connection breaks.
    Check(
        "a body refused and reset", f"apictl call httpbin.data --body @{{directory}}/big {to('too_large_reset')}", (4, 6),
        "", None, holds="apictl: httpbin.data: "),
    Check(
        "a body that nobody reads",
        "apictl call httpbin.data --body @{directory}/big --base-url http://127.0.0.1:{silent} --max-time 500ms", 7, "",
        "apictl: httpbin.data: no complete response from 127.0.0.1 within 500 ms (0 bytes received)\n"
        "To wait longer: --max-time 1s\n"),
]

CHECKS = (
    UNTRUSTED_CHECKS + CERTIFICATE_CHECKS + CLIENT_CERTIFICATE_CHECKS + TLS_CHECKS + HTTP2_CHECKS + SOCKET_CHECKS
    + PLAIN_PROXY_CHECKS + TUNNEL_CHECKS + REDIRECT_CHECKS + RETRY_CHECKS + UPLOAD_CHECKS
)


def perform(check):
    """Runs a check. Returns the problems."""
    variables = {name: fill(value, NAMES) for name, value in check.variables.items()}
    outcome = run(split(check.command, NAMES), ENVIRONMENT | variables, directory=DIRECTORY)
    found = problems(outcome, check.code, check.out, check.err, NAMES, SECRETS)
    if outcome and check.holds.encode() not in outcome.err:
        found.append(f"stderr lacks {check.holds!r}:\n    {outcome.err.decode(errors='replace')}")
    return found


def main():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(perform, CHECKS))
    failed = 0
    for check, found in zip(CHECKS, results):
        if found:
            failed += 1
            print(f"FAILED {check.id}: {check.command}\n  " + "\n  ".join(found))
    print(f"faults: {len(CHECKS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
