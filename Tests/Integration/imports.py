"""curl itself, and `call` of what `import curl` makes of the same command, send the same request.

Each command is run by bash with curl, given to `import` as text and, quoted by bash, as words. The APIs are compiled together into one program,
whose calls are compared with what curl sent. WORK is a directory to write to.
"""
import base64
import email
import email.policy
import http.server
import json
import os
import pathlib
import shlex
import subprocess
import sys
import threading
import urllib.parse

import generated

WORK = pathlib.Path(os.environ["WORK"]) / "imports"
APICTL = os.environ["APICTL"]
# Headers that belong to a connection or a client, and those that `import` names as left out.
NOISE = {
    "accept-encoding", "accept-language", "cache-control", "connection", "content-length", "dnt", "expect", "host", "if-modified-since",
    "if-none-match", "origin", "postman-token", "pragma", "priority", "referer", "save-data", "te", "transfer-encoding",
    "upgrade-insecure-requests",
}
AGENTS = ("Mozilla/", "PostmanRuntime/", "insomnia/", "curl/")
failures = []


class Recorder(http.server.BaseHTTPRequestHandler):
    """Keeps what is sent."""

    protocol_version = "HTTP/1.1"
    requests = []

    def record(self):
        if self.headers.get("Transfer-Encoding"):
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.requests.append((self.command, self.path, self.headers.items(), body))
        text = b'{"ok": true}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_PURGE = record

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
threading.Thread(target=server.serve_forever, daemon=True).start()
URL = "http://127.0.0.1:%d" % server.server_port

CHROME = r"""curl '@U@/api/items?limit=10&cursor=abc%3D' \
  -H 'accept: application/json, text/plain, */*' \
  -H 'accept-language: de-DE,de;q=0.9' \
  -H 'authorization: Bearer eyJhbGciOiJIUzI1NiJ9.s3cret.part' \
  -b 'session=s3cretsession; theme=dark' \
  -H 'priority: u=1, i' \
  -H 'referer: @U@/' \
  -H 'sec-ch-ua: "Chromium";v="140", "Not=A?Brand";v="24"' \
  -H 'sec-ch-ua-mobile: ?0' \
  -H 'sec-fetch-mode: cors' \
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'"""
CHROME_POST = r"""curl '@U@/api/comments' \
  -H 'accept: */*' \
  -H 'content-type: application/json' \
  -H 'origin: @U@' \
  -H 'user-agent: Mozilla/5.0' \
  --data-raw $'{"text":"it\'s\\n\u0021 gr\u00fc\u00df","stars":5,"tags":["a","b"]}' \
  --compressed ;"""
CHROME_FORM = r"""curl '@U@/upload' \
  -H 'content-type: multipart/form-data; boundary=----WebKitFormBoundaryAbC123' \
  --data-raw $'------WebKitFormBoundaryAbC123\r\nContent-Disposition: form-data; name="title"\r\n\r\nMy pet\r\n------WebKitFormBoundaryAbC123\r\nContent-Disposition: form-data; name="note"\r\n\r\nline 1\r\nline 2\r\n------WebKitFormBoundaryAbC123--\r\n'"""
FIREFOX = r"""curl '@U@/feed?since=2026-01-01' --compressed -X POST -H 'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' -H 'Accept: application/json' -H 'Accept-Language: en-US,en;q=0.5' -H 'Content-Type: application/x-www-form-urlencoded; charset=UTF-8' -H 'X-Requested-With: XMLHttpRequest' -H 'DNT: 1' -H 'Sec-Fetch-Dest: empty' -H 'Cookie: csrftoken=s3cretcookie' --data-raw 'a=1&b=x+y&c=%C3%A4'"""
SAFARI = r"""curl '@U@/v1/me' \
-X 'GET' \
-H 'Accept: */*' \
-H 'Sec-Fetch-Site: same-origin' \
-H 'User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15' \
-H 'X-Api-Key: s3cretkey'"""
POSTMAN = r"""curl --location --request PUT '@U@/v2/orders/1234/items/7' \
--header 'X-Tenant: acme' \
--header 'Content-Type: application/json' \
--header 'Authorization: Basic YW5uOnBhc3N3MHJk' \
--data '{
    "quantity": 2,
    "price": 12.5,
    "gift": false,
    "options": {"color": "red", "sizes": [1, 2]}
}'"""
POSTMAN_FORM = r"""curl --location '@U@/v2/avatars' \
--form 'name="Rex"' \
--form 'photo=@"f.txt"'"""

# The command; the variables that must be set for the call; options: `environment`, of the shell; `secrets`, what must not be in the text; `own`: the shell's variables are in the text.
ROWS = [
    (CHROME, {"TOKEN": "eyJhbGciOiJIUzI1NiJ9.s3cret.part", "COOKIE": "session=s3cretsession; theme=dark"}),
    (CHROME_POST, {}),
    (CHROME_FORM, {}),
    (FIREFOX, {"COOKIE": "csrftoken=s3cretcookie"}),
    (SAFARI, {"API_KEY": "s3cretkey"}),
    (POSTMAN, {"USER": "ann", "PASSWORD": "passw0rd"}, {"secrets": ["passw0rd", "YW5uOnBhc3N3MHJk"]}),
    (POSTMAN_FORM, {}),
    ("curl @U@", {}),
    ("curl @U@/", {}),
    ("curl '@U@/a/b/../c?x=1'", {}),
    ("curl --path-as-is '@U@/a/b/c%2Fd'", {}),
    ("curl '@U@/users/42/posts/7?page=2'", {}),
    ("curl '@U@/orders/3f2b8c1e-9d4a-4c57-8a11-0123456789ab'", {}),
    ("curl '@U@/search?q=caf%C3%A9+au+lait&tags=a&tags=b&exact=true&n=-5&big=9007199254740993&zero=007'", {}),
    ("curl '@U@/search?q=%26%3D%2B%23&empty='", {}),
    ("curl -g '@U@/list?filter[name]=Rex&filter[age]=3'", {}),
    ("curl -G @U@/find -d q=swift -d page=2", {}),
    ("curl -G @U@/find --data-urlencode 'q=a & b = c' --data-urlencode 'plain text'", {}),
    ("curl '@U@/find?a=1' --url-query 'b=x y' --url-query '+c=%20'", {}),
    ("curl -X DELETE @U@/users/5", {}),
    ("curl -XPATCH @U@/users/5 -d name=Ann", {}),
    ("curl --request PURGE @U@/cache", {}),
    ("curl -I @U@/head?x=1", {}),
    ("curl -sSLX POST @U@/jobs/run", {}),
    ("curl -X OPTIONS @U@/any", {}),
    ("curl -d 'user=ann&email=ann@example.com&n=1' @U@/form", {}),
    ("curl -d a=1 -d b=2 --data-urlencode 'c=x&y' @U@/form", {}),
    ("curl -d tag=a -d tag=b @U@/form", {}),
    ("curl -d 'a[b]=1&to=+1555&email=a@b.c&t=12:00&x=b=c%2B%0D&y=%C3%BC%FF&e=&n=007' @U@/form", {}),
    ("curl -d 'a=%zz&b=100%' @U@/form", {}),
    ("curl -d 'a=1&&b=2;c=3' @U@/form", {}),
    ("curl -d 'a=1&flag&=2' @U@/form", {}),
    ("curl -H 'Content-Type: application/x-www-form-urlencoded; charset=utf-8' -d 'to=%2B1&p=(a)*!$~' @U@/form", {}),
    ("curl -d '{\"a\": 1}' @U@/loose", {}),
    ("curl -d 'just text' @U@/text", {}),
    ("curl -d @f.txt @U@/lines -H 'Content-Type: text/plain'", {}),
    ("curl --data-binary @f.txt @U@/lines -H 'Content-Type: text/plain'", {}),
    ("curl --data-raw @f.txt @U@/raw -H 'Content-Type: text/plain'", {}),
    ("curl --data-binary @b.bin @U@/bytes -H 'Content-Type: application/octet-stream'", {}),
    ("curl -T f.txt @U@/files/", {}),
    ("curl -T f.txt @U@/files/other.txt", {}),
    ("curl --json '{\"name\": \"Rex\", \"age\": 3, \"kg\": 1.5, \"ok\": true, \"none\": null, \"list\": [], \"object\": {}}' @U@/pets", {}),
    ("curl --json '{\"a\":' --json '1}' @U@/pets", {}),
    ("curl --json '[1, {\"a\": \"b\"}]' @U@/pets", {}),
    ("curl --json '{\"deep\": {\"a\": [{\"b\": {\"c\": [1.25, \"x\", null, true]}}]}}' @U@/pets", {}),
    ("curl --json '{\"huge\": 123456789012345678901234567890, \"e\": 1e3}' @U@/pets", {}),
    ("curl --json '{\"a b\": 1, \"a-b\": 2, \"class\": 3, \"1st\": 4, \"\": 5}' @U@/pets", {}),
    ("curl --json '{\"user\": \"ann\", \"password\": \"s3cretword\"}' @U@/login", {"LOGIN_PASSWORD": "s3cretword"}),
    (r"""curl @U@/graphql -H 'Content-Type: application/json' -d '{"query": "query($id: ID!) { pet(id: $id) { name } }", "variables": {"id": 7}}'""", {}),
    ("curl -F name=Rex -F 'bio=<f.txt' -F 'file=@f.txt;type=text/csv;filename=pets.csv' @U@/upload", {}),
    ("curl --form-string 'name=@x;y' -F n=1 @U@/upload", {}),
    ("curl -u ann:passw0rd @U@/private", {"USER": "ann", "PASSWORD": "passw0rd"}),
    ("curl http://ann:passw0rd@@H@/private", {"USER": "ann", "PASSWORD": "passw0rd"}),
    ("curl --oauth2-bearer s3cretbearer @U@/private", {"TOKEN": "s3cretbearer"}),
    ("curl -H 'Authorization: token s3crettoken' @U@/private", {"TOKEN": "s3crettoken"}),
    ("curl '@U@/weather?q=Berlin&api_key=s3cretid1&units=metric'", {"API_KEY": "s3cretid1"}),
    ("curl '@U@/maps?access_key=s3cretmap&center=52.5,13.4'", {"ACCESS_KEY": "s3cretmap"}),
    ("curl -H \"Authorization: Bearer $TOKEN\" \"@U@/users/${USER_ID}/posts?page=$PAGE\"", {"TOKEN": "s3cretenv"},
        {"environment": {"TOKEN": "s3cretenv", "USER_ID": "77", "PAGE": "3"}, "own": True}),
    ("TOKEN=s3cretown\ncurl -H \"X-Auth-Token: $TOKEN\" @U@/own", {"TOKEN": "s3cretown"}, {"own": True}),
    ("curl -b 'a=1; b=two' @U@/cookies", {"COOKIE": "a=1; b=two"}, {"secrets": []}),
    ("curl -b a=1 -b b=2 @U@/cookies", {"COOKIE": "a=1;b=2"}, {"secrets": []}),
    ("curl -A 'my-tool/1.0' @U@/agent", {}),
    ("curl -e http://from.example/ @U@/referer", {}),
    ("curl -H 'X-Empty;' -H 'X-Two: 2' -H 'Accept: text/csv' @U@/headers", {}),
    ("curl -H 'Accept:' -H 'x-lower: a:b;c' @U@/headers", {}),
    ("curl -r 0-9 @U@/range", {}),
    ("curl -k --compressed -m 10 --retry 2 -o /dev/null -w '%{http_code}' @U@/options", {}),
    ("curl @U@/a$'\\x62'\"c\"'d' # a comment\n", {}),
    ("curl -sS \"@U@/quote?x=\\$5\" > /dev/null 2>&1 && echo done", {}),
    ("curl @U@/percent/100%25/%C3%BC/a%20b", {}),
    ("curl '@U@/matrix;v=1/(x)/~me'", {}),
    ("curl -X POST -H 'Content-Type: application/xml' -d '<a b=\"c\">d</a>' @U@/xml", {}),
    ("curl -X POST -H 'Content-Length: 0' @U@/empty", {}),
    ("curl -X GET -d a=1 @U@/get-with-body", {}),
    ("curl --location --request POST '@U@/v1/chat/completions' --header 'Content-Type: application/json' --header 'Authorization: Bearer sk-s3cret00000000000000' --data '{\"model\": \"m-1\", \"messages\": [{\"role\": \"user\", \"content\": \"Say \\\"hi\\\"\\n\"}], \"temperature\": 0.7, \"max_tokens\": 100}'",
        {"TOKEN": "sk-s3cret00000000000000"}),
]


HOSTILE = generated.HOSTILE + ["name", "endpoint", "examples", "servers", "\U0010fffd", "\U0010fffdA\U0010fffd", "\U0010fffe"]


def recording():
    """An archive whose names and values are hostile everywhere."""
    def entry(method, path, text, **request):
        return {
            "request": {"method": method, "url": "http://127.0.0.1:9" + path, **request},
            "response": {"status": 200, "content": {"mimeType": "application/json", "text": json.dumps({"value": text, text: 1})}},
        }

    for number, text in enumerate(HOSTILE):
        quoted = urllib.parse.quote(text, safe="")
        yield entry("GET", "/get%d/%s/9/%s?%s=%s" % (number, quoted or "x", quoted or "x", quoted or "x", quoted), text,
                    headers=[{"name": "X-Text", "value": text}])
        body = json.dumps({text: text, "list": [text], "object": {text: text}, "deep": [[{text: [text]}]]})
        yield entry("POST", "/post%d" % number, text, postData={"mimeType": "application/json", "text": body},
                    headers=[{"name": "Content-Type", "value": "application/json"}])
        yield entry("PUT", "/put%d" % number, text, postData={"mimeType": "multipart/form-data", "params": [
            {"name": text, "value": text}, {"name": "file", "fileName": text, "contentType": text}]})
        yield entry("PATCH", "/patch%d" % number, text, postData={"mimeType": "text/" + text, "text": text + "="},
                    headers=[{"name": "Content-Type", "value": "text/" + text}])


def shell(command, **environment):
    text = command.replace("@U@", URL).replace("@H@", URL.split("//")[1])
    return text, {"PATH": os.environ["PATH"], "HOME": str(WORK), "APICTL": APICTL, **environment}


def bash(text, environment, function):
    return subprocess.run(
        ["bash", "-c", "curl() { %s; }\n%s" % (function, text)], cwd=WORK, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def sent():
    requests, Recorder.requests[:] = list(Recorder.requests), []
    return requests


def content(kind, body):
    """The body by its meaning: white space of JSON and the escaping of forms do not count."""
    if kind.startswith("multipart/form-data"):
        message = email.message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body, policy=email.policy.HTTP)
        return [(part.get_param("name", header="content-disposition"), part.get_filename(), part.get_content_type() if part.get_filename() else "",
                 part.get_payload(decode=True)) for part in message.iter_parts()]
    try:
        return json.loads(body)
    except ValueError:
        pass
    if kind.startswith("application/x-www-form-urlencoded"):
        return urllib.parse.parse_qsl(body.decode(), keep_blank_values=True) or body
    return body


def meaning(request, curl):
    """The request without noise, as curl's tells what is noise."""
    method, target, headers, body = request
    path, _, query = target.partition("?")
    own = {name.lower(): value for name, value in curl[2]}
    kept = {}
    for name, value in headers:
        name = name.lower()
        noisy_agent = name == "user-agent" and own.get(name, AGENTS[0]).startswith(AGENTS)
        noisy_accept = name == "accept" and ("*/*" in own.get(name, "*/*") or own[name] == "application/json")
        # curl -T sends no type.
        unsaid = name == "content-type" and name not in own
        if name not in NOISE and not name.startswith("sec-") and not noisy_agent and not noisy_accept and not unsaid:
            kept[name] = value.split(";")[0] if value.startswith("multipart/") else value
    kind = {name.lower(): value for name, value in headers}.get("content-type", "")
    decoded = "/".join(urllib.parse.unquote(part) if "%2F" not in part else part for part in path.split("/"))
    return method, decoded, sorted(urllib.parse.parse_qsl(query, keep_blank_values=True)), kept, content(kind, body)


sources = generated.sources(WORK, "imports")
(WORK / "f.txt").write_bytes(b"line 1\r\nline 2\n")
(WORK / "b.bin").write_bytes(bytes(range(256)))
calls = []
for number, row in enumerate(ROWS):
    command, variables, options = (*row, {})[:3]
    name = "case%d" % number
    text, environment = shell(command, **options.get("environment", {}))
    bash(text, environment, 'command curl -s -o /dev/null "$@"')
    requests = sent()
    if len(requests) != 1:
        failures.append("%s: curl sent %d requests: %s" % (name, len(requests), command))
        continue
    made = subprocess.run(
        [APICTL, "import", "--no-send", "--name", name, "curl", "-"], input=text, cwd=WORK, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    if made.returncode:
        failures.append("%s: import: %s\n%s" % (name, made.stderr, command))
        continue
    # A shell that quotes gives the same words; it replaces variables.
    if not options.get("own"):
        words = bash(text.split(" > ")[0], environment, '"$APICTL" import --no-send --name %s curl "$@"' % name)
        if words.stdout != made.stdout:
            failures.append("%s: as words: %s%s\nas text: %s" % (name, words.stdout, words.stderr, made.stdout))
    secrets = options.get("secrets", [value for value in variables.values() if "=" not in value])
    for secret in secrets + [base64.b64encode(secret.encode()).decode() for secret in secrets]:
        if secret in made.stdout or secret in made.stderr:
            failures.append("%s: %s is in the text:\n%s%s" % (name, secret, made.stdout, made.stderr))
    (sources / (name.capitalize() + ".swift")).write_text(made.stdout)
    line = made.stderr.split("\nnext: swift run ", 1)[1]
    named = {key if options.get("own") else "%s_%s" % (name.upper(), key): value for key, value in variables.items()}
    words = subprocess.run(
        ["bash", "-c", "apictl() { printf '%s\\0' \"$@\"; }\n" + line], env={**environment, **named},
        stdout=subprocess.PIPE).stdout.decode(errors="surrogateescape").split("\0")[:-1]
    calls.append((name, command, requests[0], words, named))

(WORK / "hostile.har").write_text(json.dumps({"log": {"entries": list(recording())}}))
made = subprocess.run([APICTL, "import", "--name", "hostile", "har", "hostile.har"], cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
if made.returncode:
    failures.append("hostile: %s" % made.stderr.decode())
(sources / "Hostile.swift").write_bytes(made.stdout)

generated.lint(WORK, failures)
program = generated.compiled(WORK, "imports", [name.capitalize() for name in [call[0] for call in calls] + ["hostile"]], failures)
names = subprocess.run([program, "list", "hostile", "--json"], stdout=subprocess.PIPE).stdout
if len(json.loads(names)["endpoints"]) != 4 * len(HOSTILE):
    failures.append("hostile: %d endpoints" % len(json.loads(names)["endpoints"]))
for name, command, expected, words, variables in calls:
    done = subprocess.run(
        [program, *words], cwd=WORK, env={"PATH": os.environ["PATH"], **variables}, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    requests = sent()
    if done.returncode or len(requests) != 1:
        failures.append("%s: %s\n%d requests, exit %d: %s\n%s" % (name, shlex.join(words), len(requests), done.returncode, done.stderr, command))
        continue
    one, other = meaning(expected, expected), meaning(requests[0], expected)
    if one != other:
        failures.append("%s: %s\ncurl:   %s\ncall:   %s\nwords: %s" % (name, command, one, other, shlex.join(words)))
server.shutdown()
for failure in failures:
    print("not ok:", failure)
print("%d commands, %d failed" % (len(ROWS), len(failures)))
sys.exit(bool(failures))
