"""The package that README shows, written into an empty directory: it builds, runs and passes its test with nothing set but PATH and HOME."""
import os
import re
import subprocess
import sys
import tempfile

root = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
# Which file a block is, by a text in it.
files = {
    "let package = Package(": "Package.swift",
    "public enum Todos": "Sources/Todos/Todos.swift",
    "Apictl.main(": "Sources/todo/main.swift",
    "@Test func": "Tests/TodosTests/TodosTests.swift",
}
url = '(url: "https://git.example.com/apictl.git", branch: "main")'

with open(os.path.join(root, "README.md"), encoding="utf-8") as readme:
    blocks = re.findall(r"^```swift\n(.*?)^```$", readme.read(), re.S | re.M)
failed = 0
with tempfile.TemporaryDirectory() as directory:
    for text, name in files.items():
        [block] = [block for block in blocks if text in block]
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(block.replace(url, f'(name: "apictl", path: "{root}")'))
    environment = {name: os.environ[name] for name in ("PATH", "HOME")}
    for words, expected in [
        ("swift build", "Build complete!"),
        ("swift run --skip-build todo curl todos.get 1", "https://jsonplaceholder.typicode.com/todos/1"),
        ("swift test", "1 test"),
    ]:
        result = subprocess.run(
            words.split(), cwd=directory, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode == 0 and expected in result.stdout and "warning:" not in result.stdout:
            print(f"ok: {words}")
        else:
            print(f"not ok: {words}\n{result.stdout}")
            failed += 1
print(f"{3 - failed} passed, {failed} failed")
sys.exit(failed > 0)
