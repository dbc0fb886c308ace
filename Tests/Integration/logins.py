"""Logs in to OAuth servers: nanoidp with the client's secret and on a device, oidc-provider-mock in a browser, `mock`, and servers of our own that
count refreshes. The API is that of an OpenAPI document, and its server repeats the header Authorization."""

import concurrent.futures
import http.server
import json
import os
import pathlib
import random
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
    # The refresh token that was used last; None if it is never accepted again.
    used = None
    has_grace = False
    delay = 0.2
    lifetime = 3600
    refreshes = 0
    lock = threading.Lock()

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        try:
            self.end_headers()
            self.wfile.write(data)
        except BrokenPipeError:
            pass  # The process was killed.

    def do_GET(self):
        token = self.headers.get("Authorization", "")
        self.answer(200 if token else 401, {"scheme": token.split(" ")[0], "length": len(token)})

    def do_POST(self):
        form = urllib.parse.parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        time.sleep(Server.delay)
        with Server.lock:
            [token] = form["refresh_token"]
            if token != Server.current and (Server.used is None or token != Server.used):
                return self.answer(400, {"error": "invalid_grant"})
            Server.refreshes += 1
            Server.used = token if Server.has_grace else None
            Server.current = f"r{Server.refreshes}"
            self.answer(200, {"access_token": f"t{Server.refreshes}", "refresh_token": Server.current, "expires_in": Server.lifetime})

    def log_message(self, *_):
        pass


api = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=api.serve_forever, daemon=True).start()
API = f"http://127.0.0.1:{api.server_port}"
work = pathlib.Path(tempfile.mkdtemp())


def document(name, flow, token, server=API, **urls):
    flows = {flow: {"tokenUrl": token, "scopes": {"openid": ""}, **urls}}
    operation = {"operationId": "me", "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}}}
    path = work / f"{name}.json"
    path.write_text(json.dumps({
        "openapi": "3.1.0", "info": {"title": name, "version": "1"}, "servers": [{"url": server}], "security": [{"auth": []}],
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


def killed():
    """Processes are killed at any moment of a refresh. The server accepts the last refresh token once more, as servers do whose answer may get lost."""
    words = document("kill", "authorizationCode", f"{API}/token", authorizationUrl=f"{API}/authorize")
    env = environment("kill", "killed")
    directory = work / "killed/apictl/logins"
    directory.mkdir(parents=True, mode=0o700)
    file = directory / f"kill,KILL_AUTH,{urllib.parse.quote(API, safe='')}.json"
    file.write_text(json.dumps({"value": "t0", "refreshToken": Server.current, "expires": 1, "tokenURL": f"{API}/token"}))
    file.chmod(0o600)
    # A token that expires at once is refreshed by every call.
    Server.has_grace, Server.delay, Server.lifetime = True, 0.002, 0
    start = time.monotonic()
    run([*words, "call", "kill.me"], env)
    duration = time.monotonic() - start
    generator = random.Random(7)
    kills = 0
    for number in range(50):
        process = subprocess.Popen([APICTL, *words, "call", "kill.me"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
        time.sleep(generator.uniform(0, duration))
        process.kill()
        kills += process.wait() == -9
        login = json.loads(file.read_text())
        check(f"the file after kill {number}", login["value"].startswith("t") and login["refreshToken"].startswith("r"), login)
    check("kills", kills > 25, kills)
    call = run([*words, "call", "kill.me"], env)
    check("a call after 50 kills", call.returncode == 0, call)
    check("what killed processes left behind", not list(directory.glob(".part-*")), list(directory.iterdir()))


def mock():
    """`mock` plays the token endpoint: nobody has to approve, tokens expire, and refresh tokens can be used once."""
    flow = dict(token="https://id.example.test/oauth/token", server="https://api.example.test")
    words = document("play", "deviceAuthorization", deviceAuthorizationUrl="https://id.example.test/device", **flow)
    with subprocess.Popen([APICTL, *words, "mock", "play", "--port", "0", "--token-lifetime", "30s"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, env=environment("play", "mock")) as server:
        try:
            base = server.stdout.readline().strip()
            env = environment("play", "mock", APICTL_PLAY_URL=base)
            login = run([*words, "login", "play", "--base-url", base], env)
            check("a login with mock", login.returncode == 0 and "logged in to play" in login.stderr, login)
            call = run([*words, "call", "play.me"], env)
            check("a call with the token of mock", call.returncode == 0, call)
            token = run([*words, "token", "play"], env).stdout.strip()
            unknown = run([*words, "call", "play.me"], {**env, "PLAY_AUTH": "t0ken-of-another"})
            check("an unknown token", unknown.returncode == 4 and "unknown or has expired" in unknown.stderr, unknown)
            [file] = stored("mock")
            old = json.loads(file.read_text())
            # The token is near its end, so it is refreshed.
            file.write_text(json.dumps({**old, "expires": 1}))
            fresh = run([*words, "token", "play"], env).stdout.strip()
            check("a refresh with mock", fresh.startswith("mock-") and fresh != token, fresh)
            # The refresh token was used, as by a process that has lost the new one.
            file.write_text(json.dumps({**old, "expires": 1}))
            spent = run([*words, "call", "play.me"], env)
            check("a refresh token that was used", spent.returncode == 9 and "login play" in spent.stderr, spent)
            out = run([*words, "login", "play"], env), run([*words, "logout", "play"], env)
            check("logout with mock", out[1].returncode == 0 and not stored("mock"), out)
        finally:
            server.terminate()


def program():
    """A program keeps the logins."""
    words, env = document("vault", "clientCredentials", f"{NANOIDP}/token"), environment("vault", "program")
    keeper, noted = work / "keeper", work / "keeper-arguments"
    keeper.write_text(f'''#!/bin/sh
echo "$@" >> {noted}
file={work}/kept-$2
case $1 in
get) if [ -f "$file" ]; then cat "$file"; fi ;;
put) umask 077; cat > "$file" ;;
delete) rm -f "$file" ;;
esac
''')
    keeper.chmod(0o700)
    settings = work / "program.json"
    settings.write_text(json.dumps({"version": 1, "logins": {"store": [str(keeper)]}}))
    env["APICTL_CONFIG"] = str(settings)
    call = run([*words, "call", "vault.me"], env)
    check("a call with a program", call.returncode == 0, call)
    token = run([*words, "token", "vault"], env).stdout.strip()
    kept = json.loads((work / "kept-vault").read_text())
    check("the program's value", kept["value"] == token and token, kept)
    files = [path for path in (work / "program").rglob("*") if path.is_file()]
    check("no file has the token", all(token not in path.read_text() for path in files) and not stored("program"), files)
    check("no argument has the token", token not in noted.read_text(), "it does")
    check("the program is asked once by a call", noted.read_text().count("get") <= 4, noted.read_text())
    out = run([*words, "logout", "vault"], env)
    check("logout with a program", out.returncode == 0 and not (work / "kept-vault").exists(), out)
    keeper.write_text("#!/bin/sh\nexit 3\n")
    phone = document("phone2", "deviceAuthorization", f"{NANOIDP}/token", deviceAuthorizationUrl=f"{NANOIDP}/device_authorization")
    fails = run([*phone, "call", "phone2.me"], {**environment("phone2", "program"), "APICTL_CONFIG": str(settings)})
    check("a program that fails", fails.returncode == 1 and f"{keeper} get" in fails.stderr, fails)


for part in [client_credentials, device, browser, refresh, killed, mock, program]:
    part()
if failures:
    sys.exit("\n".join(failures))
print("logins: client credentials, device, browser, refresh, kills, mock and a program")
