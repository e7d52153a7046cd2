#!/usr/bin/env python3
"""Builds tables of oware and awari with sowbase and compares them with the published counts.

usage: check_oware.py [--sowbase PROGRAM] [--seeds-up-to N] FOLDER [-- OPTIONS OF SOWBASE BUILD]

Builds the layers of awari, oware and oware with grand-slam=free into FOLDER as far as counts are
published in tests/fixtures, 18 seeds at most, or N; layers that are there are kept, so a run that was
ended goes on. Positions won, drawn and lost are compared, for awari every value, for the others the
positions whose bounds meet, up to 12 seeds. Prints a line a layer and a verdict. Ends with code 1 if
anything differs, 2 for wrong usage or an error.
"""

import argparse
import csv
import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
# A game, the file of its counts, and the file of its values, if there is one.
GAMES = (
    (("awari",), "oware_academic_wdl.csv", "oware_academic_distribution.csv"),
    (("oware",), "oware_abapa_wdl.csv", None),
    (("oware", "--rule", "grand-slam=free"), "oware_free_slam_wdl.csv", None),
)
BOUNDS_UP_TO = 12


def refuse(text):
    print(f"error: {text}", file=sys.stderr)
    sys.exit(2)


def options():
    own, rest = sys.argv[1:], []
    if "--" in own:
        own, rest = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("--sowbase")
    parser.add_argument("--seeds-up-to", type=int, default=18)
    parser.add_argument("folder")
    chosen = parser.parse_args(own)
    if chosen.seeds_up_to < 0:
        refuse("layers begin with 0 seeds; give --seeds-up-to a number from 0 to 18")
    built = ROOT / "target" / "release" / "sowbase"
    chosen.sowbase = chosen.sowbase or (str(built) if built.exists() else shutil.which("sowbase"))
    if not chosen.sowbase:
        refuse("there is no program sowbase; run `cargo build --release` or name it with --sowbase")
    chosen.rest = rest
    return chosen


def published(name):
    with open(FIXTURES / name, newline="", encoding="utf-8") as file:
        return [{column: int(number) for column, number in row.items()} for row in csv.DictReader(file)]


def expected_layers(counts, values, up_to):
    """By seeds: what `sowbase stats` should say, under its names."""
    layers = {}
    for row in published(counts):
        seeds = row["seeds"]
        expected = {"wins": row["win"], "draws": row["draw"], "losses": row["loss"]}
        if "cycle_free" in row and seeds <= BOUNDS_UP_TO:
            expected["cycle_free"] = row["cycle_free"]
        if values:
            expected["distribution"] = {}
        layers[seeds] = expected
    for row in published(values) if values else []:
        layers[row["seeds"]]["distribution"][str(row["value"])] = row["count"]
    return {seeds: expected for seeds, expected in layers.items() if seeds <= up_to}


def sowbase(chosen, *arguments):
    line = [chosen.sowbase, *arguments, "--json", "--quiet"]
    try:
        ended = subprocess.run(line, stdout=subprocess.PIPE, encoding="utf-8")
    except OSError as error:
        refuse(f"cannot run {chosen.sowbase}: {error.strerror}; name the program with --sowbase")
    if ended.returncode != 0:
        refuse(f"`{' '.join(line)}` ended with code {ended.returncode}")
    return json.loads(ended.stdout)


def check(chosen, game, counts, values):
    """Builds a game and prints its layers. Returns how many were compared and how many differ."""
    expected = expected_layers(counts, values, chosen.seeds_up_to)
    bounded = [seeds for seeds, layer in expected.items() if "cycle_free" in layer]
    parts = [(max(expected), [])] + ([(max(bounded), ["--bounds"])] if bounded else [])
    for top, bounds in parts:
        made = ["build", *game, "--seeds-up-to", str(top), "--out", chosen.folder, *bounds]
        folder = sowbase(chosen, *made, *chosen.rest)["folder"]
    found = {layer["seeds"]: layer for layer in sowbase(chosen, "stats", folder)["layers"]}
    wrong = 0
    for seeds, layer in sorted(expected.items()):
        differs = [name for name, number in layer.items() if found[seeds].get(name) != number]
        wrong += bool(differs)
        verdict = "differs in " + ", ".join(differs) if differs else "as published: " + ", ".join(layer)
        print(f"{' '.join(game)}, layer {seeds}, {found[seeds]['positions']} positions: {verdict}", flush=True)
    return len(expected), wrong


def main():
    chosen = options()
    compared, wrong = map(sum, zip(*(check(chosen, *game) for game in GAMES)))
    print(f"{compared} layers compared, {wrong} of them differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
