#!/usr/bin/env python3
"""Solves boards of kalah with sowbase and compares them with the published values.

usage: solve_all.py [--out FILE] [--sowbase PROGRAM] [--max-seconds S] [--first-moves]
                    [PITSxSEEDS...] [-- OPTIONS OF SOWBASE]

Takes the boards that are named, under both capture rules, or else all that tests/fixtures/kalah_values.csv
calls proven. --first-moves adds the first turns of these boards in tests/fixtures/kalah_first_moves.csv.
Appends a row to FILE (solve_all.csv) as soon as it is proven, and skips what stands there, so a run
that was ended goes on; at the end all rows are printed in Markdown. Ends with code 1 if a value
disagrees, 2 for wrong usage or an error, 3 if a value is not proven within S seconds.
"""

import argparse
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
KEY = ("pits", "seeds", "empty_capture", "moves")
COLUMNS = KEY + ("value", "published", "agrees", "nodes", "seconds")


def refuse(text):
    print(f"error: {text}", file=sys.stderr)
    sys.exit(2)


def options():
    own, rest = sys.argv[1:], []
    if "--" in own:
        own, rest = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--out", default="solve_all.csv")
    parser.add_argument("--sowbase")
    parser.add_argument("--max-seconds", type=float)
    parser.add_argument("--first-moves", action="store_true")
    parser.add_argument("boards", nargs="*")
    chosen = parser.parse_args(own)
    built = ROOT / "target" / "release" / "sowbase"
    chosen.sowbase = chosen.sowbase or (str(built) if built.exists() else shutil.which("sowbase"))
    if not chosen.sowbase:
        refuse("there is no program sowbase; run `cargo build --release` or name it with --sowbase")
    chosen.rest = rest + ["--quiet"]
    return chosen


def published(name):
    with open(FIXTURES / name, newline="", encoding="utf-8") as file:
        return [{"moves": "", **row} for row in csv.DictReader(file)]


def tasks(chosen):
    rows = published("kalah_values.csv")
    firsts = published("kalah_first_moves.csv") if chosen.first_moves else []
    boards = [tuple(board.split("x")) for board in chosen.boards]
    if not boards:
        return [row for row in rows if row["status"] == "proven"] + firsts
    known = {tuple(row[key] for key in KEY): row for row in rows}
    found = []
    for board in boards:
        if len(board) != 2 or not all(number.isdigit() for number in board):
            refuse(f"{'x'.join(board)!r} is no board; write PITSxSEEDS, such as 6x4")
        for capture in ("no", "yes"):
            key = (*board, capture, "")
            found.append(known.get(key) or {**dict(zip(KEY, key)), "value": "", "status": ""})
        found += [row for row in firsts if (row["pits"], row["seeds"]) == board]
    return found


def sowbase(chosen, command, row, *arguments):
    game = f"kalah:{row['pits']}x{row['seeds']}"
    rule = f"empty-capture={row['empty_capture']}"
    line = [chosen.sowbase, command, game, *arguments, "--rule", rule, "--json"]
    try:
        ended = subprocess.run(line, stdout=subprocess.PIPE, encoding="utf-8")
    except OSError as error:
        refuse(f"cannot run {chosen.sowbase}: {error.strerror}; name the program with --sowbase")
    if ended.returncode != 0:
        refuse(f"`{' '.join(line)}` ended with code {ended.returncode}")
    return json.loads(ended.stdout)


def solve(chosen, row):
    """The answer of sowbase for the position after the moves, its value from the first player's side."""
    position, sign = "start", 1
    for move in row["moves"].split():
        if sign < 0:
            refuse(f"the moves {row['moves']} of {row['pits']}x{row['seeds']} are more than one turn")
        legal = sowbase(chosen, "moves", row, position)["moves"]
        played = next((found for found in legal if found["move"] == move), None)
        if played is None:
            refuse(f"move {move} is not legal in {position}")
        position, sign = played["next"], 1 if played["again"] else -1
    limit = [] if chosen.max_seconds is None else ["--time", str(chosen.max_seconds)]
    answer = sowbase(chosen, "query", row, position, "--value-only", *limit, *chosen.rest)
    if "value" in answer:
        answer["value"] *= sign
    return answer


def agrees(row, value):
    if row["value"] == "":
        return "unpublished"
    bound = int(row["value"])
    return "yes" if value == bound or (row["status"] == "lower-bound" and value > bound) else "no"


def main():
    chosen = options()
    done = {}
    if os.path.exists(chosen.out):
        with open(chosen.out, newline="", encoding="utf-8") as file:
            done = {tuple(row[key] for key in KEY): row for row in csv.DictReader(file)}
    unproven, rows = 0, []
    with open(chosen.out, "a", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if file.tell() == 0:
            table.writeheader()
        for row in tasks(chosen):
            key = tuple(row[name] for name in KEY)
            name = f"{row['pits']}x{row['seeds']} empty-capture={row['empty_capture']} {row['moves']}".strip()
            if key not in done:
                answer = solve(chosen, row)
                if "value" not in answer:
                    unproven += 1
                    print(f"{name}: not proven, {answer['lower']} to {answer['upper']}", file=sys.stderr)
                    continue
                value, seconds = answer["value"], f"{answer['seconds']:.2f}"
                results = (value, row["value"], agrees(row, value), answer["nodes"], seconds)
                done[key] = {name: str(cell) for name, cell in zip(COLUMNS, (*key, *results))}
                table.writerow(done[key])
                file.flush()
                print(f"{name}: {value}", file=sys.stderr)
            rows.append(done[key])
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for row in rows:
        print("| " + " | ".join(row[name] for name in COLUMNS) + " |")
    wrong = sum(row["agrees"] == "no" for row in rows)
    print(f"{len(rows)} proven, {wrong} of them disagree, {unproven} not proven", file=sys.stderr)
    sys.exit(1 if wrong else 3 if unproven else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
