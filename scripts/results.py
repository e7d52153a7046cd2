#!/usr/bin/env python3
"""Solves boards of the relay games and of the games of four rows with sowbase and writes docs/RESULTS.md.

usage: results.py [--out FILE] [--json FILE] [--sowbase PROGRAM] [GAME...]

Every answer is kept in the JSON file (results.jsonl), one a line as sowbase gave it, and is not asked
again, so a run that was ended goes on. GAMEs limit what is asked, not what is written. Takes up to an
hour. Ends with code 2 for wrong usage or an error.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRST_TURN = ["--first-turn"]
OWN_SIDE = ["--rule", "cycle=own-side", "--value-only"]
# A game, whether its positions can repeat, most seeds on the board, boards of the pits that are asked.
GAMES = (
    ("congklak", False, {1: 20, 2: 12, 3: 9, 4: 6, 5: 4, 6: 3}),
    ("sadeqa-iii", True, {1: 16, 2: 12, 3: 7, 4: 4, 5: 2, 6: 1, 7: 1}),
    ("en-dodoi", True, {1: 16, 2: 12, 3: 7, 4: 4, 5: 2, 6: 1, 7: 1}),
    ("pallanguzhi", True, {1: 16, 2: 12, 3: 7, 4: 4, 5: 2, 6: 1, 7: 1}),
    ("o-an-quan", False, {1: 8, 2: 6, 3: 4, 4: 2, 5: 1}),
    ("o-an-quan refill=end", False, {1: 8, 2: 6, 3: 2}),
)
# Games of four rows, with the boards of the pits in a row that are asked.
FOUR_ROWS = (
    ("omweso", {2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: 4, 8: 4}),
    ("omweso setup=even", {2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: 4, 8: 4}),
    ("bao-kujifunza", {4: 4, 5: 4, 6: 4, 7: 4, 8: 4}),
    ("bao-kujifunza hus=yes", {4: 4, 5: 4, 6: 4, 7: 4, 8: 4}),
    ("bao-kiswahili", {8: 2}),
)
PATIENCE = ("--time", "60", "--memory", "8GiB")
# Boards whose whole tables take longer, and the time for them.
WHOLE_BOARDS = dict.fromkeys(("omweso:3x2", "omweso:4x1"), ("--time", "900", "--memory", "8GiB"))
STANDARD = ("congklak:7x7", "sadeqa-91:8x4", "sadeqa-iii:8x6", "en-dodoi:8x4", "pallanguzhi:7x6", "o-an-quan:5x5")
TURNS = ("congklak:2x2", "congklak:3x3", "congklak:4x4", "congklak:5x5", "congklak:6x6", "congklak:7x7", "sungka:7x6")
INTRODUCTION = """# Results

Values of start positions, for the player who begins: his seeds minus the opponent's at the end with best play by both.
In games of four rows, which are won and lost, the value is a word.
`scripts/results.py` writes this page from the answers of `sowbase solve GAME --json`; each of them can be asked again.
Nothing here was published before, as far as we know, but for the rules' own worked examples. A cell with two numbers
holds proven bounds of a value that is not proven, `at least` and `at most` one bound, a dash none.
"""
OUTCOMES = (
    "What the player who begins reaches: `win 9` is the exact distance in plies, from the table of the whole board; `win <= 25` is proven by a search "
    "(`solve --value-only`, a minute at most), and he needs at most so many plies. A dash: nothing was proven in that time. `solve --proof` writes the proofs down."
)
CYCLES = (
    "Positions of this game can repeat; the value holds if an endless line brings neither side anything further. "
    "In brackets: what holds whatever a repetition is worth, where that is less."
)
NO_LAYERS = (
    "Captured seeds come back to the board, so there are no tables: a value is proven from the positions that can follow, "
    "and only without using a repetition."
)


def refuse(text):
    print(f"error: {text}", file=sys.stderr)
    sys.exit(2)


def options():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--out", default=ROOT / "docs" / "RESULTS.md")
    parser.add_argument("--json", default="results.jsonl")
    parser.add_argument("--sowbase")
    parser.add_argument("games", nargs="*")
    chosen = parser.parse_args()
    built = ROOT / "target" / "release" / "sowbase"
    chosen.sowbase = chosen.sowbase or (str(built) if built.exists() else shutil.which("sowbase"))
    if not chosen.sowbase:
        refuse("there is no program sowbase; run `cargo build --release` or name it with --sowbase")
    unknown = set(chosen.games) - {game.split()[0] for game, *_ in GAMES + FOUR_ROWS}
    if unknown:
        refuse(f"no results are asked of {', '.join(sorted(unknown))}")
    return chosen


class Answers:
    """What sowbase said, by the arguments it was asked with."""

    def __init__(self, chosen):
        self.chosen = chosen
        self.path = pathlib.Path(chosen.json)
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        self.known = {tuple(kept["asked"]): kept["answer"] for kept in map(json.loads, lines)}

    def ask(self, game, *arguments):
        """The answer, None if it is not known and not asked now."""
        name, *rules = game.split()
        asked = [name, *(word for rule in rules for word in ("--rule", rule)), *arguments]
        if tuple(asked) not in self.known:
            if self.chosen.games and name.split(":")[0] not in self.chosen.games:
                return None
            line = [self.chosen.sowbase, "solve", *asked, "--json", "--quiet"]
            ended = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
            if ended.returncode != 0:
                refuse(f"`{' '.join(line)}` ended with code {ended.returncode}: {ended.stderr.strip()}")
            answer = json.loads(ended.stdout)
            self.known[tuple(asked)] = answer
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"asked": asked, "answer": answer}) + "\n")
            print(" ".join(asked), cell(answer), file=sys.stderr)
        return self.known[tuple(asked)]


def cell(answer):
    if answer is None:
        return ""
    if "first_turn" in answer:
        return str(answer["first_turn"]["captured"])
    if "value" in answer:
        plies = f" {answer['distance']}" if "distance" in answer else ""
        within = f" <= {answer['within']}" if "within" in answer else ""
        return str(answer["value"]) + (plies or within if isinstance(answer["value"], str) else "")
    lower, upper = answer.get("lower"), answer.get("upper")
    if (lower, upper) in ((None, None), ("loss", "win")):
        return "-"
    if lower is None or upper is None:
        return f"at most {upper}" if lower is None else f"at least {lower}"
    return f"{lower} to {upper}"


def with_bounds(value, bounds):
    text, holds = cell(value), cell(bounds)
    return text if holds in ("", text) or "value" not in value else f"{text} ({holds})"


def table(answers, game, repeats, boards, *arguments):
    name, *rules = game.split()
    widest = max(boards.values())
    lines = ["| pits \\ seeds | " + " | ".join(map(str, range(1, widest + 1))) + " |", "|---" * (widest + 1) + "|"]
    for pits, most in boards.items():
        cells = []
        for seeds in range(1, most + 1):
            board = " ".join([f"{name}:{pits}x{seeds}", *rules])
            if game == "bao-kiswahili" and seeds != 2:
                cells.append("")
                continue
            value = answers.ask(board, "--value-only", *WHOLE_BOARDS.get(board.split()[0], arguments))
            cells.append(with_bounds(value, answers.ask(board, *OWN_SIDE)) if repeats else cell(value))
        lines.append(f"| {pits} | " + " | ".join(cells + [""] * (widest - most)) + " |")
    return lines


def first_turns(answers):
    lines = ["| board | most seeds of one first turn | of | proven | moves |", "|---|---|---|---|---|"]
    for board in TURNS:
        answer = answers.ask(board, *FIRST_TURN)
        if answer:
            turn = answer["first_turn"]
            proven = "yes" if turn["proven"] else f"at most {turn['upper']}"
            moves = " ".join(turn["moves"])
            lines.append(f"| {board} | {turn['captured']} | {turn['of']} | {proven} | {moves} |")
    return lines


def standard(answers):
    lines = ["| board | value | rests on |", "|---|---|---|"]
    for board in STANDARD:
        answer = answers.ask(board, "--value-only")
        if answer:
            rests = f"a search of {answer.get('nodes')} positions, and tables in memory where the game has them"
            lines.append(f"| {board} | {cell(answer)} | {rests} |")
    return lines


def main():
    chosen = options()
    answers = Answers(chosen)
    text = [INTRODUCTION]
    for game, repeats, boards in GAMES:
        name, *rules = game.split()
        text += [f"## {name}" + "".join(f", `{rule}`" for rule in rules), ""]
        if repeats or name == "o-an-quan":
            text += [CYCLES if repeats else NO_LAYERS, ""]
        text += table(answers, game, repeats, boards) + [""]
    text += ["## Games of four rows", "", OUTCOMES, ""]
    for game, boards in FOUR_ROWS:
        name, *rules = game.split()
        text += [f"### {name}" + "".join(f", `{rule}`" for rule in rules), ""]
        text += table(answers, game, False, boards, *PATIENCE) + [""]
    text += ["## First turns", "", "With extra moves one turn can take nearly everything (`sowbase solve GAME --first-turn`)."]
    text += ["", *first_turns(answers), "", "## Standard boards", ""]
    text += ["What a minute or two of `sowbase solve GAME` prove on the boards that people play.", "", *standard(answers)]
    pathlib.Path(chosen.out).write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
