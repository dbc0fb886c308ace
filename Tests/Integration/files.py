"""Writes the files that nginx serves to the fault checks into the given directory."""

import os
import random
import sys

import hostile

MEBIBYTE = 1 << 20


def main(directory):
    def write(name, content):
        with open(os.path.join(directory, name), "wb") as file:
            file.write(content)

    write("text", b"The quick brown fox jumps over the lazy dog.\n" * 20_000)
    # Not compressible, and no two parts alike.
    write("file", random.Random(1).randbytes(200_000))
    write("bomb", hostile.gzip_bomb(b"\0", 1024))
    # A hole of a gibibyte takes no space on the disk.
    with open(os.path.join(directory, "large"), "wb") as file:
        file.truncate(1024 * MEBIBYTE)


main(sys.argv[1])
