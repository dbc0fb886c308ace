"""The commands that `apictl curl` prints, in several shells: each must send exactly the bytes that apictl was given."""
import os
import subprocess
import sys
import tempfile

apictl = os.environ["APICTL"]
shells = ["zsh", "dash", "bash", "busybox sh", "fish"]

texts = []
for byte in range(1, 256):
    one = bytes([byte])
    texts += [one, one + one, b"a" + one + b"b", b"'" + one, one + b"'", b"=" + one]
texts += ["'\u0301".encode(), "'\u200d".encode(), b"\r\n", "'\ufe0f; echo no; '".encode(), b"~root", b"-n", b"!!", b"==", b"$(echo no)"]


def command(text):
    """The printed command for a body of these bytes."""
    result = subprocess.run(
        [apictl.encode(), b"curl", b"httpbin.uuid", b"--body=" + text],
        env={"PATH": os.environ["PATH"]}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode != 0:
        sys.exit(f"apictl curl failed for {text!r}: {result.stderr!r}")
    return result.stdout


commands = [(text, command(text)) for text in texts if not text.startswith(b"@") and text != b"-"]
# The last argument is the body; a function in curl's place writes it, ended by a NUL.
function = b"curl() { for word do :; done; printf '%s\\0' \"$word\"; }\n"
fish_function = b"function curl; printf '%s\\0' $argv[-1]; end\n"
failed = 0
for shell in shells:
    with tempfile.NamedTemporaryFile(suffix=".sh") as file:
        file.write((fish_function if shell == "fish" else function) + b"".join(line for _, line in commands))
        file.flush()
        words = shell.split()
        got = subprocess.run(words + [file.name], env={"PATH": os.environ["PATH"]}, stdout=subprocess.PIPE).stdout
        bodies = got.split(b"\0")[:-1]
        wrong = [(text, body) for (text, _), body in zip(commands, bodies) if text != body]
        if len(bodies) != len(commands) or wrong:
            print(f"not ok: {shell}: {len(bodies)} of {len(commands)} bodies, wrong: {wrong[:5]}")
            failed += 1
        else:
            print(f"ok: {shell}: {len(bodies)} bodies read back")
print(f"{len(shells) - failed} passed, {failed} failed")
sys.exit(failed > 0)
