"""Tests of the card in each combination of axes.json that it can tell apart. The rows are the arguments of the tests. They
come from a server that has card.json, by the client of Python, or without a server from `traitd render`:

    TRAITD_URL=http://127.0.0.1:8080 pytest
    TRAITD=/usr/local/bin/traitd pytest
"""
import json
import os
import pathlib
import subprocess

import pytest

FOLDER = pathlib.Path(__file__).parent
CONTRAST_MIN = 4.5  # of text, by WCAG 2


def rows():
    if "TRAITD_URL" in os.environ:
        from traitd import Client
        query = json.loads((FOLDER / "axes.json").read_text(encoding="utf-8"))
        return list(Client(os.environ["TRAITD_URL"]).session("card").variants(query))
    command = [os.environ.get("TRAITD", "traitd"), "render", "card.json", "--variants", "axes.json", "--json"]
    return json.loads(subprocess.run(command, cwd=FOLDER, check=True, stdout=subprocess.PIPE).stdout)


def name(row):
    return "-".join(map(str, row["labels"].values()))


def luminance(color):
    parts = [int(color[place:place + 2], 16) / 255 for place in (1, 3, 5)]
    parts = [((part + 0.055) / 1.055) ** 2.4 if part > 0.04045 else part / 12.92 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("row", rows(), ids=name)
def test_text_can_be_read(row):
    colors = row["nodes"][0]["colors"]
    light = [luminance(colors[color]["value"]) for color in ("text", "surface")]
    assert (max(light) + 0.05) / (min(light) + 0.05) >= CONTRAST_MIN
