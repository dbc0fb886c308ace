"""Completion in bash, zsh and fish on a pseudo-terminal: words are typed with TAB, and what the completed command prints is looked for."""
import os
import pty
import select
import shutil
import sys
import tempfile
import time

apictl = os.environ["APICTL"]
shells = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source <(apictl completions bash)"),
    "zsh": (["zsh", "-f", "-i"], "autoload -U compinit; compinit -u -d zcompdump; source <(apictl completions zsh)"),
    "fish": (["fish", "--no-config", "-i"], "apictl completions fish | source"),
}
# The keys that are typed, and a text that the command or the shell then prints.
cases = [
    ("an endpoint", "apictl call movies.pop\t --dry-run\r", "GET https://api.themoviedb.org/3/movie/popular"),
    ("two words", "apictl movies popu\t --dry-run\r", "GET https://api.themoviedb.org/3/movie/popular"),
    ("a command", "apictl describ\t narcos.police\r", "GET /3/police"),
    ("a server", "apictl call movies.popular --server stag\t --dry-run\r", "GET https://staging.themoviedb.example/"),
    ("a server after =", "apictl call movies.popular --server=stag\t --dry-run\r", "GET https://staging.themoviedb.example/"),
    ("an allowed value", "apictl call github.issues --owner o --repository r --state clo\t --dry-run\r", "state=closed"),
    ("a path of the response", "apictl call movies.popular --sample --select total_p\t --compact\r", "500\r\n"),
    ("a file with a space", "apictl format --compact uniq\t\r", '{"only":"here"}'),
    ("a directory, and a file in it", "apictl format --compact de\tinn\t\r", '{"deep":1}'),
    ("a file at home", "apictl format --compact ~/uniq\t\r", '{"only":"here"}'),
    ("a file of a directory in quotes", "apictl format --compact \"two words/inn\t\r", '{"quoted":1}'),
    ("a file after @", "apictl call httpbin.post --product @prod\t --dry-run\r", '{"title":"Tea","price":1}'),
    ("a file after =@", "apictl call httpbin.post --body=@prod\t --dry-run\r", "(the content of product.json)"),
    ("a credential", "TMDB_ACCESS_TOKEN=t apictl call movies.popular --auth bea\t --dry-run\r", "Bearer (redacted)"),
    ("an item of a list", "apictl call movies.popular --sample --csv --columns id,titl\t\r", "238,The Godfather"),
    ("parameters first", "apictl call movies.recommended --\t\t\x03", "--id", "--compact"),
]


class Terminal:
    """A shell on a pseudo-terminal."""

    def __init__(self, words, directory):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(directory)
            environment = {
                "PATH": directory + "/bin:" + os.environ["PATH"], "HOME": directory, "TERM": "xterm", "LANG": "C.UTF-8",
                "PS1": "$ ", "HISTFILE": "/dev/null", "NO_COLOR": "1"}
            os.execvpe(words[0], words, environment)

    def send(self, text):
        os.write(self.descriptor, text.encode())

    def read(self, until, seconds):
        """Reads the terminal until its text has `until`, or for so many seconds. Returns the text."""
        end, text = time.monotonic() + seconds, ""
        while until not in text and time.monotonic() < end:
            if select.select([self.descriptor], [], [], 0.1)[0]:
                try:
                    text += os.read(self.descriptor, 65536).decode(errors="replace")
                except OSError:
                    break
        return text

    def close(self):
        os.close(self.descriptor)
        os.waitpid(self.process, 0)


def main():
    passed, failed = 0, 0
    for shell, (words, setup) in shells.items():
        with tempfile.TemporaryDirectory() as directory:
            os.mkdir(directory + "/bin")
            shutil.copy(apictl, directory + "/bin/apictl")
            with open(directory + "/unique name.json", "w", encoding="utf-8") as file:
                file.write('{"only": "here"}')
            with open(directory + "/product.json", "w", encoding="utf-8") as file:
                file.write('{"title": "Tea", "price": 1}')
            for name, text in (("deep", '{"deep": 1}'), ("two words", '{"quoted": 1}')):
                os.mkdir(directory + "/" + name)
                with open(directory + "/" + name + "/inner.json", "w", encoding="utf-8") as file:
                    file.write(text)
            terminal = Terminal(words, directory)
            # The marker is not in what is typed, so it is not found in the echo.
            terminal.send(setup + "; echo rea''dy\r")
            terminal.read("ready", 20)
            for name, typed, *expected in cases:
                *parts, after = typed.split("\t")
                shown = ""
                for part in parts:
                    terminal.send(part + "\t")
                    # The shell is busy with the completion; what is typed meanwhile would be taken for part of the word.
                    shown += terminal.read("\0", 1.5)
                terminal.send(after)
                shown += terminal.read(expected[-1], 10)
                # In this order.
                places = [shown.find(text) for text in expected]
                if places == sorted(places) and places[0] >= 0:
                    passed += 1
                else:
                    failed += 1
                    print("not ok: %s: %s: %r" % (shell, name, shown))
                    terminal.send("\x03")
                terminal.read("\0", 0.3)
            terminal.close()
    print("%d passed, %d failed: completion in %s" % (passed, failed, ", ".join(shells)))
    sys.exit(failed > 0)


main()
