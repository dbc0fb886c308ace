"""Servers of APIs and of tokens that repeat the secrets of a login, in six spellings and in every part of a response: no output of any command shows
them.

The API is that of an OpenAPI document. Each run has servers of its own, at a path of one port, and a stored login.
"""

import base64
import concurrent.futures
import html
import json
import os
import pathlib
import re
import socketserver
import subprocess
import sys
import tempfile
import threading
import urllib.parse

from checks import APICTL
from echoes import leaks

# The characters are spelled in different ways by different writers. Tokens are visible ASCII.
SECRETS = {
    "access": "acc3ss/t0ken+of%ada&<lovelace>'=\"1",
    "refresh": "r3fresh/t0ken+of%ada&<lovelace>'=\"2",
    "secret": "cl1ent/s3cret+of%ada&<lovelace>'=\"3",
    "code": "c0de/of+the%ada&<lovelace>'=\"4",
    "new": "n3w/acc3ss+t0ken%of&<ada>'=\"5",
}
SPELLINGS = {
    "raw": str,
    "percent": lambda text: urllib.parse.quote(text, safe=""),
    "form": urllib.parse.quote_plus,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "json": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
    "html": html.escape,
}


def quoted(text):
    r"""A JSON string in which escapes such as `\u0061` stay as they are."""
    return '"' + text.replace('"', '\\"') + '"'


# The parts of a response: status line, headers, body.
PARTS = {
    "a message": lambda text: ("403 Forbidden", [], '{"message": %s, "error": %s}' % (quoted(text), quoted(text))),
    "a description": lambda text: ("400 Bad Request", [], '{"error": "invalid_request", "error_description": %s}' % quoted(text)),
    "a rejection": lambda text: ("401 Unauthorized", [f"WWW-Authenticate: Bearer error={text}"], '{"error": %s}' % quoted(text)),
    "a reason": lambda text: (f"500 {text}", [f"X-Echo: {text}", f"Set-Cookie: a={text}"], f"<html>{text}</html>"),
    "a redirect": lambda text: ("302 Found", [f"Location: http://127.0.0.1:1/{text}?a={text}"], text),
    "a success": lambda text: ("200 OK", [f"X-Echo: {text}"], '{"access_token": 7, "id": %s, %s: 1}' % (quoted(text), quoted(text))),
    "a bad length": lambda text: ("200 OK", [f"Content-Length: {text}"], ""),
}


class Echo(socketserver.StreamRequestHandler):
    """Responds to `/PART/SPELLING/WHO/…`, where WHO is the server that repeats secrets: `api` or `token`."""

    def handle(self):
        method, target, _ = self.rfile.readline().decode().split(" ", 2)
        length, has_new_token = 0, False
        while (line := self.rfile.readline().strip()):
            name, value = line.decode().split(":", 1)
            if name.lower() == "content-length":
                length = int(value)
            has_new_token = has_new_token or SECRETS["new"] in value
        form = urllib.parse.parse_qs(self.rfile.read(length).decode())
        part, spelling, who = [urllib.parse.unquote(word) for word in target.split("/")[1:4]]
        is_token = method == "POST"
        if (who == "token") == is_token:
            # The server knows a code after a login, and a new token after a refresh.
            known = ["access", "refresh", "secret"]
            if "code" in form:
                known.append("code")
            if has_new_token:
                known.append("new")
            text = " ".join(SPELLINGS[spelling](SECRETS[name]) for name in known)
            status, fields, body = PARTS[part](text)
        elif is_token:
            status, fields = "200 OK", []
            body = json.dumps({"access_token": SECRETS["new"], "refresh_token": SECRETS["refresh"], "expires_in": 3600})
        else:
            status, fields, body = "200 OK", [], "{}"
        if not any(field.startswith("Content-Length") for field in fields):
            fields = fields + [f"Content-Length: {len(body.encode())}"]
        kind = "text/html" if body.startswith("<") else "application/json"
        head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", "Connection: close", *fields]
        self.wfile.write(("\r\n".join(head) + "\r\n\r\n" + body).encode())


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 64


# The commands, and whether the stored token has expired.
MCP = {
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": {"name": "shop_me", "arguments": {}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}},
}
REPORTS = ["junit", "json", "md", "html", "har"]
COMMANDS = {
    "call": ["call", "shop.me"],
    "call -vv": ["call", "shop.me", "-vv", "-i"],
    "call --har": ["call", "shop.me", "--json-errors", "--har", "call.har", "-w", "%{json} %{header_json}"],
    "check": ["check", "shop.me", "--save-responses", "responses", *[word for kind in REPORTS for word in (f"--report-{kind}", f"report.{kind}")]],
    "curl": ["curl", "shop.me"],
    "mcp": ["mcp", "shop", "--tools", "endpoints"],
    "token": ["token", "shop", "--json-errors"],
    "login": ["login", "shop", "--force", "--redirect", "-"],
    "logout": ["logout", "shop"],
}


def document(url, path):
    flows = {"authorizationCode": {"tokenUrl": f"{url}/token", "authorizationUrl": f"{url}/authorize", "scopes": {}}}
    operation = {"operationId": "me", "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object", "required": ["name"]}}}}}}
    path.write_text(json.dumps({
        "openapi": "3.1.0", "info": {"title": "shop", "version": "1"}, "servers": [{"url": url}], "security": [{"auth": []}],
        "components": {"securitySchemes": {"auth": {"type": "oauth2", "flows": flows}}}, "paths": {"/me": {"get": operation}}}))


# The commands that write the body of a response, whose secrets are data, to stdout.
DATA_COMMANDS = ("call", "call -vv", "call --har", "token", "mcp")


def store_login(directory, port, url, has_expired):
    """Writes the file of a login. Returns the directory of logins."""
    logins = directory / "apictl/logins"
    logins.mkdir(parents=True, mode=0o700)
    server = urllib.parse.quote(f"http://127.0.0.1:{port}", safe="")
    file = logins / f"shop,SHOP_AUTH,{server}.json"
    file.write_text(json.dumps({
        "value": SECRETS["access"], "refreshToken": SECRETS["refresh"], "expires": 1 if has_expired else 9_999_999_999,
        "tokenURL": f"{url}/token"}))
    file.chmod(0o600)
    return logins


def start(directory, command):
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(directory), "XDG_STATE_HOME": str(directory), "SHOP_AUTH_CLIENT_ID": "app",
        "SHOP_AUTH_CLIENT_SECRET": SECRETS["secret"],
    }
    return subprocess.Popen(
        [APICTL, "--api", "shop=shop.json", *COMMANDS[command]], cwd=directory, env=environment, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def redirect(shown):
    """Returns the address that a browser would come back with: the state of the printed address, and a code."""
    state = re.search(rb"state=([^&\s]+)", shown)
    if state is None:
        raise ValueError(f"no state in {shown}")
    code = urllib.parse.quote(SECRETS["code"], safe="").encode()
    return b"http://127.0.0.1/?code=" + code + b"&state=" + state[1] + b"\n"


def first_leak(output, spelling):
    """Returns a message about the first part of a secret in the output; None if there is none."""
    for secret in SECRETS.values():
        for leak in leaks(secret, SPELLINGS[spelling](secret), output):
            place = output.find(leak.encode())
            return f"shows {leak!r} in …{output[max(place - 160, 0) : place + 80]}…"
    return None


def perform(port, part, spelling, who, command):
    """Runs a command whose server repeats secrets. Returns what is wrong; None if nothing is."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        url = f"http://127.0.0.1:{port}/" + "/".join(urllib.parse.quote(word) for word in (part, spelling, who))
        document(url, directory / "shop.json")
        # The server of tokens is called if the token has expired.
        logins = store_login(directory, port, url, has_expired=who == "token")
        process = start(directory, command)
        stdin, shown = b"", b""
        if command == "mcp":
            stdin = json.dumps(MCP).encode() + b"\n"
        try:
            if command == "login":
                shown = process.stderr.readline() + process.stderr.readline()
                stdin = redirect(shown)
            out, err = process.communicate(stdin, timeout=60)
        except (ValueError, subprocess.TimeoutExpired) as error:
            process.kill()
            return str(error)
        if process.returncode not in (0, 1, 2, 3, 4, 5, 6, 8, 9):
            return f"exit {process.returncode}: {err}"
        output = shown + err
        if process.returncode != 0 or command not in DATA_COMMANDS:
            output += out
        for path in directory.rglob("*"):
            if path.is_file() and logins not in path.parents and path.name != "shop.json":
                output += path.read_bytes()
        leak = first_leak(output, spelling)
        return f"exit {process.returncode} {leak}" if leak else None


def main():
    server = Server(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    jobs = [(part, spelling, who, command) for part in PARTS for spelling in SPELLINGS for who in ("api", "token") for command in COMMANDS]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for job, problem in zip(jobs, pool.map(lambda job: perform(port, *job), jobs)):
            if problem:
                failed += 1
                print("FAILED", *job, problem)
    print(f"echoes of logins: {len(jobs) - failed} runs with three to five secrets each passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
