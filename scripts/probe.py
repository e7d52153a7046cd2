#!/usr/bin/env python3
"""Reads exact values from a table, from docs/FORMAT.md alone.

usage: probe.py TABLE POSITION...

TABLE is a file such as 5.sow, or 5.lower.sow for lower bounds, or the folder of the values. POSITION is
"OWN / OPPONENT [; stores OWN OPPONENT]", the player to move first, each row in its owner's sowing order.
Prints one value a position, as `sowbase query` does: points of the player to move minus those of the
opponent, with best play by both, stores included (0 each where they are left out). In games of four
rows OWN and OPPONENT are both rows of a player, the front row first, and a value is win, draw or loss for
the player to move, and in how many plies.
"""

import os
import struct
import sys
from math import comb

HEADER = struct.Struct("<8sIIQ16sHHIQhhBBHII6Q16s16s96sQ")


def read_header(file, path):
    data = file.read(HEADER.size)
    if len(data) < HEADER.size or data[:8] != b"\x89SOW\r\n\x1a\n":
        sys.exit(f"{path} is no table; name a .sow file or a folder that holds some")
    fields = HEADER.unpack(data)
    names = ("version", "header_length", "file_length", "fingerprint", "pits", "index_scheme", "seeds",
             "positions", "offset", "step", "bits", "codec", "flags")
    header = dict(zip(names, fields[1:]))
    header["values"] = fields[20]  # the offset of the third section
    file.seek(fields[16])  # that of the first one
    header["verdicts"] = file.readline(10) == b"four rows\n"
    flags = {".lower.sow": 1, ".upper.sow": 2}.get(path[-10:], 0)
    if [header[name] for name in ("version", "index_scheme", "bits", "codec", "flags")] != [1, 1, 8, 0, flags]:
        sys.exit(f"{path} has a format that this script does not know; get a newer one")
    if os.path.getsize(path) != header["file_length"]:
        sys.exit(f"{path} is not as long as its header says; run `sowbase verify` and build it again")
    return header


def count(pits, seeds):
    """Half boards with so many seeds."""
    return comb(seeds + pits - 1, pits - 1)


def rank(row):
    """Number of a half board among those with as many seeds."""
    number, prefix = 0, 0
    for k in range(1, len(row)):
        prefix += row[k - 1]
        number += comb(prefix + k - 1, k)
    return number


def index(own, opponent):
    pits, s, n = len(own), sum(own), sum(own) + sum(opponent)
    start = sum(count(pits, k) * count(pits, n - k) for k in range(s))
    return start + rank(own) * count(pits, n - s) + rank(opponent)


def numbers(words):
    if not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError
    return [int(word) for word in words]


def parse(text):
    """Both rows, and by how much the store of the player to move leads."""
    try:
        board, *rest = text.split(";")
        own, opponent = (numbers(row.split()) for row in board.split("/"))
        (field,) = rest or ["stores 0 0"]
        word, *stores = field.split()
        own_store, opponent_store = numbers(stores)
        if word != "stores":
            raise ValueError
    except ValueError:
        sys.exit(f"{text!r} is no position; write OWN / OPPONENT [; stores OWN OPPONENT], "
                 "such as '1 0 2 / 0 0 1 ; stores 3 5'")
    return own, opponent, own_store - opponent_store


def value(table, own, opponent, lead):
    seeds = sum(own) + sum(opponent)
    path = os.path.join(table, f"{seeds}.sow") if os.path.isdir(table) else table
    try:
        with open(path, "rb") as file:
            header = read_header(file, path)
            if not len(own) == len(opponent) == header["pits"] or seeds != header["seeds"]:
                sys.exit(f"{path} is for {header['pits']} pits a row and {header['seeds']} seeds, not this position")
            file.seek(header["values"] + index(own, opponent))
            byte = struct.unpack("<b", file.read(1))[0]
            if header["verdicts"]:
                return f"{'win' if byte > 0 else 'loss'} {abs(byte) - 1}" if byte else "draw"
            return lead + header["offset"] + header["step"] * byte
    except OSError as error:
        sys.exit(f"cannot read {path}: {error.strerror}; build the layer of {seeds} seeds")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    for text in sys.argv[2:]:
        print(value(sys.argv[1], *parse(text)))
