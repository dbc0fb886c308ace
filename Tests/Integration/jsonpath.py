"""Compares `apictl format --select` with PyPI jsonpath-rfc9535, in generated queries and documents: which values are selected, in which
order, and which queries are refused.

usage: APICTL=… jsonpath.py [COUNT] [SEED]
"""

import json
import os
import random
import re
import subprocess
import sys

import jsonpath_rfc9535

APICTL = os.environ["APICTL"]
COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 9535
NAMES = ["a", "b", "c", "é", "k k", "1", "'", '"', "\\", "a.b", "😀", "", "\n"]
PATTERNS = ["a", "a*", "[ab]+", ".", "a.b", "\\\\p{L}", "\\\\P{Ll}+", "(a|é){1,2}", "[^a]", "a{2}", "", "(", "\\\\d", "[a-]", "x|"]


class Generator:
    """Documents and queries; short names, few values, so that queries find something."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.functions = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    # Documents

    def document(self, depth=0):
        kind = self.random.randrange(10 if depth < 4 else 6)
        if kind < 3:
            return self.pick(0, 1, -1, 2, 1.0, 1.5, -0.5, 100, 1e2, 12345678901234567, 0.1, 1e300)
        if kind < 5:
            return self.pick("", "a", "b", "é", "aé", "ab", "a\nb", "😀", "1", "\u2028", "A")
        if kind == 5:
            return self.pick(None, True, False)
        if kind < 8:
            return [self.document(depth + 1) for _ in range(self.random.randrange(5))]
        return {name: self.document(depth + 1) for name in self.random.sample(NAMES, self.random.randrange(5))}

    # Queries

    def space(self):
        return self.pick("", "", "", "", " ", "\n", "\t ")

    def quoted(self, text):
        quote = self.pick("'", '"')
        escaped = "".join(
            "\\" + char if char in ("\\", quote) else "\\n" if char == "\n" else self.pick(char, self.unicode(char))
            for char in text
        )
        return quote + escaped + quote

    def unicode(self, char):
        data = char.encode("utf-16-be")
        digits = ["\\u" + data[i : i + 2].hex() for i in range(0, len(data), 2)]
        return "".join(digits) if self.random.random() < 0.3 else char

    def integer(self):
        return str(self.pick(0, 1, 2, 3, -1, -2, -4, 7))

    def selector(self, depth):
        kind = self.random.randrange(8 if depth < 3 else 6)
        if kind < 2:
            return self.quoted(self.pick(*NAMES))
        if kind == 2:
            return "*"
        if kind == 3:
            return self.integer()
        if kind < 6:
            parts = [self.pick("", self.integer()), self.pick("", self.integer())]
            if self.random.random() < 0.5:
                parts.append(self.pick("", self.integer()))
            return (self.space() + ":" + self.space()).join(parts).strip()
        return "?" + self.space() + self.condition(depth + 1)

    def segment(self, depth):
        kind = self.random.randrange(10)
        space = self.pick("", "", "", "", "", " ")
        if kind < 3:
            return space + "." + self.pick("a", "b", "c", "é", "*", "😀")
        if kind == 3:
            return space + ".." + self.pick("a", "b", "*", "é")
        # Inside a function, the library takes a comma after a filter for the function's.
        count = 1 if self.functions else self.pick(1, 1, 1, 2, 3)
        separator = self.space() + "," + self.space()
        body = "[" + self.space() + separator.join(self.selector(depth) for _ in range(count)) + self.space() + "]"
        return space + self.pick("", "", "", "..") + body

    def query(self, start="$", depth=0, longest=4, shortest=0):
        return start + "".join(self.segment(depth) for _ in range(self.random.randrange(shortest, longest)))

    def singular(self):
        steps = [
            self.pick(".a", ".b", ".c", ".é", "[%s]" % self.integer(), "[%s]" % self.quoted(self.pick(*NAMES)))
            for _ in range(self.random.randrange(3))
        ]
        return self.pick("@", "@", "$") + "".join(steps)

    def literal(self):
        number = self.pick("0", "1", "-1", "1.0", "1e0", "100", "1E2", "-0", "0.1", "1.5", "12345678901234567", "1e-1", "2")
        return self.pick(number, number, "true", "false", "null", self.quoted(self.pick("a", "b", "é", "", "1", "a\nb")))

    def value(self, depth):
        kind = self.random.randrange(9)
        if kind < 4:
            return self.singular()
        if kind < 7 or depth > 3:
            return self.literal()
        if kind == 7:
            return "length(" + self.space() + self.value(depth + 1) + self.space() + ")"
        self.functions += 1
        query = self.query(self.pick("@", "@", "$"), depth + 1, 3)
        self.functions -= 1
        return self.pick("count", "value") + "(" + query + ")"

    def condition(self, depth):
        kind = self.random.randrange(12)
        if kind < 5 or depth > 4:
            operator = self.pick("==", "!=", "<", "<=", ">", ">=")
            return self.value(depth) + self.space() + operator + self.space() + self.value(depth)
        if kind < 7:
            # The library takes `@` alone for the question whether the value is true in Python.
            return self.pick("", "!") + self.query(self.pick("@", "@", "$"), depth + 1, 3, shortest=1)
        if kind < 9:
            joint = self.space() + self.pick("&&", "||") + self.space()
            return joint.join(self.condition(depth + 1) for _ in range(2))
        if kind == 9:
            return self.pick("", "!", "! ") + "(" + self.space() + self.condition(depth + 1) + self.space() + ")"
        pattern = self.pick("'%s'" % self.pick(*PATTERNS), self.singular())
        return "%s(%s, %s)" % (self.pick("match", "search"), self.pick(self.singular(), self.quoted("aé")), pattern)

    def changed(self, query):
        """The query with a change or two, often invalid."""
        for _ in range(self.random.randrange(1, 3)):
            place = self.random.randrange(len(query) + 1)
            text = self.pick("", ".", "[", "]", "'", "(", ")", "?", "@", "$", "0", "-", " ", "*", ":", ",", "=", "!", "a", "&", "\\")
            query = query[:place] + text + query[place + self.random.randrange(2) :]
        return query


class Broken(Exception):
    """The library fails at a query that it takes for valid, as at count(@)."""


def expected(query, document):
    """The selected values as texts; None if the query is refused."""
    try:
        compiled = jsonpath_rfc9535.compile(query)
    except jsonpath_rfc9535.JSONPathError:
        return None
    try:
        return [json.dumps(node.value) for node in compiled.find(document)]
    except Exception as error:
        raise Broken from error


def selected(query, text):
    process = subprocess.run(
        [APICTL, "format", "--compact", "--select", query], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    if process.returncode == 2:
        return None
    assert process.returncode == 0, (process.returncode, process.stderr.decode(), query, text)
    return [json.dumps(json.loads(line)) for line in process.stdout.decode().split("\n")[:-1]]


def main():
    generator = Generator(SEED)
    counts = {"values": 0, "empty": 0, "refused": 0, "broken": 0}
    different = 0
    for _ in range(COUNT):
        document = generator.document()
        query = generator.query(longest=5)
        if generator.random.random() < 0.3:
            query = generator.changed(query)
        # Names with dots are not JSONPath. The library lets a comma end the arguments of a function, negates sides of comparisons, and
        # takes two numbers in a slice.
        if not query.startswith("$") or re.search(r"\d\s+[-\d]|,\s*\)|[=<>]\s*!|!\s*[^=\s(][^&|]*[=<>]", query):
            continue
        text = json.dumps(document, ensure_ascii=generator.pick(True, False))
        try:
            theirs, ours = expected(query, document), selected(query, text)
        except Broken:
            counts["broken"] += 1
            continue
        counts["refused" if theirs is None else "values" if theirs else "empty"] += 1
        if theirs != ours:
            different += 1
            print(f"{query!r} in {text}\n  expected {theirs}\n  selected {ours}")
    print(f"{sum(counts.values())} queries (seed {SEED}): {counts}, {different} different")
    # A generator that finds nothing would prove nothing.
    if different or min(counts[kind] for kind in ("values", "empty", "refused")) < COUNT // 20:
        sys.exit(1)


main()
