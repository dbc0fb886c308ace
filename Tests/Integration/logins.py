"""Logs in to OAuth servers: nanoidp with the client's secret and on a device, oidc-provider-mock in a browser, and a server of our own that counts
refreshes. The API is that of an OpenAPI document, and its server repeats the header Authorization."""

import concurrent.futures
import http.server
import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

APICTL = os.environ["APICTL"]
NANOIDP, OIDC = os.environ["NANOIDP"], os.environ["OIDC"]
failures = []


def check(name, condition, detail=""):
    if not condition:
        failures.append(f"{name}: {detail}")


class Server(http.server.BaseHTTPRequestHandler):
    """An API that needs a token, and a token endpoint whose refresh tokens can be used once."""

    current = "r0"
    refreshes = 0
    lock = threading.Lock()

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        token = self.headers.get("Authorization", "")
        self.answer(200 if token else 401, {"scheme": token.split(" ")[0], "length": len(token)})

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        time.sleep(0.2)
        with Server.lock:
            if form["refresh_token"] != [Server.current]:
                return self.answer(400, {"error": "invalid_grant"})
            Server.refreshes += 1
            Server.current = f"r{Server.refreshes}"
            self.answer(200, {"access_token": f"t{Server.refreshes}", "refresh_token": Server.current, "expires_in": 3600})

    def log_message(self, *_):
        pass


api = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=api.serve_forever, daemon=True).start()
API = f"http://127.0.0.1:{api.server_port}"
work = pathlib.Path(tempfile.mkdtemp())


def document(name, flow, token, **urls):
    flows = {flow: {"tokenUrl": token, "scopes": {"openid": ""}, **urls}}
    operation = {"operationId": "me", "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}}}
    path = work / f"{name}.json"
    path.write_text(json.dumps({
        "openapi": "3.1.0", "info": {"title": name, "version": "1"}, "servers": [{"url": API}], "security": [{"auth": []}],
        "components": {"securitySchemes": {"auth": {"type": "oauth2", "flows": flows}}}, "paths": {"/me": {"get": operation}}}))
    return ["--api", f"{name}={path}"]


def environment(name, state, **more):
    variables = {f"{name.upper()}_AUTH_CLIENT_ID": "demo-client", f"{name.upper()}_AUTH_CLIENT_SECRET": "demo-secret"}
    return {"PATH": os.environ["PATH"], "HOME": str(work), "XDG_STATE_HOME": str(work / state), **variables, **more}


def run(words, env, **options):
    return subprocess.run([APICTL, *words], capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL, timeout=60, **options)


def stored(state):
    return sorted((work / state / "apictl/logins").glob("*.json"))


def client_credentials():
    words, env = document("shop", "clientCredentials", f"{NANOIDP}/token"), environment("shop", "client")
    first = run([*words, "call", "shop.me", "--compact"], env, umask=0)
    check("client credentials", first.returncode == 0 and '"scheme":"Bearer"' in first.stdout, first)
    [file] = stored("client")
    check("mode of the file", stat.S_IMODE(file.stat().st_mode) == 0o600, oct(file.stat().st_mode))
    check("mode of the directory", stat.S_IMODE(file.parent.stat().st_mode) == 0o700, oct(file.parent.stat().st_mode))
    token = json.loads(file.read_text())["value"]
    second = run([*words, "token", "shop"], env)
    check("a token is kept", second.stdout == token + "\n", second)
    verbose = run([*words, "call", "shop.me", "-vv"], env)
    check("a token is not shown", token not in verbose.stdout + verbose.stderr, verbose)
    wrong = run([*words, "call", "shop.me"], environment("shop", "wrong", SHOP_AUTH_CLIENT_SECRET="wr0ng"))
    check("a wrong secret", wrong.returncode == 9 and "invalid_client" in wrong.stderr and "wr0ng" not in wrong.stderr, wrong)
    out = run([*words, "logout", "shop"], env)
    check("logout", out.returncode == 0 and not stored("client"), out)
    without = run([*words, "call", "shop.me"], {**env, "SHOP_AUTH_CLIENT_SECRET": ""})
    check("without a secret", without.returncode == 9 and "SHOP_AUTH" in without.stderr, without)


def shown_address(process, pattern):
    text = ""
    while not re.search(pattern, text):
        line = process.stderr.readline()
        if not line:
            sys.exit(f"no address was shown: {text}")
        text += line
    return re.search(pattern, text).group(1)


def post(url, **form):
    return urllib.request.urlopen(url, urllib.parse.urlencode(form).encode())


def device():
    words = document("phone", "deviceAuthorization", f"{NANOIDP}/token", deviceAuthorizationUrl=f"{NANOIDP}/device_authorization")
    env = environment("phone", "device")
    with subprocess.Popen([APICTL, *words, "login", "phone"], stderr=subprocess.PIPE, text=True, env=env) as login:
        code = shown_address(login, r"enter the code (\S+)")
        post(f"{NANOIDP}/device", user_code=code, username="admin", password="admin", action="approve")
        rest = login.stderr.read()
    check("device", login.returncode == 0 and "logged in to phone" in rest, rest)
    call = run([*words, "call", "phone.me"], env)
    check("a call after a login on a device", call.returncode == 0, call)


def browser():
    words = document("page", "authorizationCode", f"{OIDC}/oauth2/token", authorizationUrl=f"{OIDC}/oauth2/authorize")
    env = environment("page", "browser")
    with subprocess.Popen([APICTL, *words, "login", "page"], stderr=subprocess.PIPE, text=True, env=env) as login:
        address = shown_address(login, r"open (http\S+)")
        redirect = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["redirect_uri"][0]
        try:
            urllib.request.urlopen(redirect + "?code=evil&state=evil")
            check("a wrong state", False, "it was accepted")
        except urllib.error.HTTPError as error:
            check("a wrong state", error.code == 400, error)
        post(address, sub="ada")
        rest = login.stderr.read()
    check("browser", login.returncode == 0 and "logged in to page" in rest, rest)
    call = run([*words, "call", "page.me"], env)
    check("a call after a login in a browser", call.returncode == 0, call)


def refresh():
    """Eight processes with an expired token send one refresh, and all of their calls succeed."""
    words = document("turn", "authorizationCode", f"{API}/token", authorizationUrl=f"{API}/authorize")
    env = environment("turn", "refresh")
    directory = work / "refresh/apictl/logins"
    directory.mkdir(parents=True, mode=0o700)
    origin = urllib.parse.quote(API, safe="")
    file = directory / f"turn,TURN_AUTH,{origin}.json"
    file.write_text(json.dumps({"value": "t0", "refreshToken": "r0", "expires": 1, "tokenURL": f"{API}/token"}))
    file.chmod(0o600)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        calls = list(pool.map(lambda _: run([*words, "call", "turn.me"], env), range(8)))
    check("calls with an expired token", all(one.returncode == 0 for one in calls), calls)
    check("refreshes", Server.refreshes == 1, Server.refreshes)
    check("the new refresh token", json.loads(file.read_text())["refreshToken"] == "r1", file.read_text())
    file.chmod(0o644)
    open_file = run([*words, "call", "turn.me"], env)
    check("a file that others can read", open_file.returncode == 1 and "others can read it" in open_file.stderr, open_file)


for part in [client_credentials, device, browser, refresh]:
    part()
if failures:
    sys.exit("\n".join(failures))
print("logins: client credentials, device, browser and refresh")
