#!/usr/bin/env python3
"""Writes the input files: always the same bytes, and only if they do not exist yet.

usage: data.py FOLDER
"""

import itertools
import json
import os
import random
import sys

WORDS = (
    "night|river|stone|the|of|winter|last|house|mother|silent|city|fire|garden|seven|road|after|letter"
    '|Zürich|été|東京|naïve|"quoted"|one\'s|back\\slash|line\nbreak'
).split("|")
SHAPE_SIZE = 32_000_000
ISSUES_SIZE = 30_000_000


def text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def movie(number, size, rand):
    """One result of movies.popular as a text of exactly `size` bytes: the overview fills it up."""
    title = rand.choice(WORDS).title()
    value = {
        "adult": number % 50 == 0,
        "backdrop_path": None if number % 3 else "/%010x.jpg" % rand.getrandbits(40),
        "genre_ids": [rand.randrange(10, 100) for _ in range(number % 3)],
        "id": 100000 + number,
        "original_language": "en",
        "original_title": title,
        "overview": "",
        "popularity": round(rand.random() * 100, 3),
        "poster_path": None if number % 2 else "/%010x.jpg" % rand.getrandbits(40),
        "release_date": "20%02d-%02d-%02d" % (number % 25, number % 12 + 1, number % 28 + 1),
        "title": title,
        "video": False,
        "vote_average": round(rand.random() * 10, 1),
        "vote_count": rand.randrange(30000),
    }
    if size < 320:
        del value["original_title"], value["original_language"]
    while (missing := size - len(text(value).encode())) > 0:
        value["overview"] += rand.choice(WORDS) + " " if missing > 20 else "." * missing
    assert missing == 0, "the size leaves no room for the overview"
    return text(value)


def big():
    """An array of 500,000 objects on one line, 149 MB."""
    rand = random.Random(1)
    # 5,000 of them differ in everything, the others only in their id: making all anew would take minutes.
    pool = [movie(number, 297, rand).split('"id":%d' % (100000 + number)) for number in range(5000)]
    for number in range(500_000):
        head, tail = pool[number % len(pool)]
        yield '%s%s"id":%d%s' % ("," if number else "[", head, 100000 + number, tail)
    yield "]"


def page():
    """A page of 20 movies, 6.6 kB."""
    rand = random.Random(2)
    results = ",".join(movie(number, 327, rand) for number in range(20))
    yield '{"page":1,"results":[%s],"total_pages":500,"total_results":10000}' % results


def issues():
    """GitHub's issues from the endpoint's sample, over and over, 30 MB."""
    path = os.path.join(os.path.dirname(__file__), "../../Endpoints/Samples/github.json")
    with open(path, encoding="utf-8") as file:
        elements = [json.dumps(issue, ensure_ascii=False, indent=2) for issue in json.load(file)["issues"]]
    length = sum(len(element.encode()) + 1 for element in elements)
    yield "["
    for number in range(ISSUES_SIZE // length):
        yield ("," if number else "") + ",".join(elements)
    yield "]"


def dense():
    """As many values as fit into 10 MB."""
    yield '{"a":[0' + ",0" * 4_999_990 + "]}"


def array(element):
    """An array of that element, over and over, as long as the shapes are."""
    count = SHAPE_SIZE // (len(element.encode()) + 1)
    yield "[" + element
    yield from itertools.repeat("," + element, count - 1)
    yield "]"


def numbers():
    rand = random.Random(3)
    forms = [
        lambda: "%d" % rand.randrange(100),
        lambda: "%d" % rand.getrandbits(63),
        lambda: "%.3f" % (rand.random() * 1000 - 500),
        lambda: repr(rand.random()),
        lambda: "%.6e" % rand.random(),
    ]
    return ",".join(rand.choice(forms)() for _ in range(100_000))


def not_ascii():
    """Characters of two, three and four bytes in no regular order."""
    rand = random.Random(4)
    return text("".join(rand.choices("éüñжшщ東京都中文字한국어😀🎬", k=200_000)))


def escapes():
    rand = random.Random(5)
    forms = ["\\n", "\\t", '\\"', "\\\\", "\\/", "\\u00e9", "\\u6771", "\\ud83d\\ude00"]
    return '"' + "".join(rand.choices(forms, k=200_000)) + '"'


FILES = {
    "big.json": big,
    "page.json": page,
    "issues.json": issues,
    "dense.json": dense,
    "long-strings.json": lambda: array('"' + "All work and no play. " * 50_000 + '"'),
    "escapes.json": lambda: array(escapes()),
    "numbers.json": lambda: array(numbers()),
    "not-ascii.json": lambda: array(not_ascii()),
    # Three numbers within 32 arrays.
    "deep-arrays.json": lambda: array("[" * 32 + "1,2,3" + "]" * 32),
    # A document a line, each a million arrays deep.
    "million-deep.json": lambda: itertools.repeat("[" * 1_000_000 + "]" * 1_000_000 + "\n", SHAPE_SIZE // 2_000_000),
}


def main(directory):
    os.makedirs(directory, exist_ok=True)
    for name, chunks in FILES.items():
        path = os.path.join(directory, name)
        if os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(__file__):
            continue
        print("writing " + path, file=sys.stderr)
        # Only a complete file gets the name.
        with open(path + ".part", "w", encoding="utf-8") as file:
            file.writelines(chunks())
        os.replace(path + ".part", path)


main(sys.argv[1])
