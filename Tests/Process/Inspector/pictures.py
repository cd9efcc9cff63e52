#!/usr/bin/env python3
"""Takes the pictures of the inspector in docs/inspector from the mail example: one for README, and each of its main
states in three widths, all light and dark.

usage: pictures.py TRAITD        needs Chromium and the packages playwright and pillow
"""

import io
import pathlib
import shutil
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / ".ci/lib"))
from traitd_server import Server  # noqa: E402

TARGET = ROOT / "docs/inspector"
BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
SESSION = "/v1/sessions/ipad-mail"
BYTES_MAX, COLOURS = 150 * 1024, 224
SIZES = ((1440, 900), (1024, 768), (390, 844))
STATE_COLOURS, ALL_BYTES_MAX = 64, 1_400_000
NODE = "message-001.subject"


def save(page, name, colours):
    """Saves what is shown. Text has few colours; a palette of them is a third of the bytes. Returns the bytes."""
    path = TARGET / f"{name}.png"
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    # Without a step of k-means the colours of a large area are those of another one.
    picture.quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path.relative_to(ROOT), path.stat().st_size, "bytes")
    return path.stat().st_size


def why(page):
    """Where a value comes from, and the commits."""
    page.locator("[data-trait=theme] button[aria-expanded]").click()
    page.wait_for_selector("[data-trait=theme] [data-history] li")


def plan(page):
    """What a change at the scene would do."""
    page.get_by_role("button", name="What if").click()
    page.locator("[data-trait=theme]").hover()
    page.locator("[data-trait=theme] input[value=bold]").check()
    page.wait_for_selector("[data-affected-total]")
    page.get_by_role("tablist").evaluate("one => one.scrollIntoView()")


def back(page):
    """One commit is put back."""
    line = page.locator("[role=log] [data-record=commit]", has_text="TICKET-18")
    line.get_by_role("button", name="Details").click()
    line.get_by_role("button", name="Undo this commit").click()
    page.wait_for_selector("dialog[open] [data-affected-total]")


def variants(page):
    """A grid of two axes."""
    page.get_by_role("tab", name="Variants").click()
    page.get_by_role("button", name="Add axis").click()
    page.get_by_role("combobox", name="Axis 2", exact=True).select_option("devices")
    page.wait_for_selector("[data-variants] [data-axis=device]")
    page.get_by_role("tablist").evaluate("one => one.scrollIntoView()")


STATES = ((why, NODE), (plan, "scene"), (back, NODE), (variants, "attachment.photo"))


def take_states(chromium, server):
    total = 0
    for width, height in SIZES:
        for scheme in ("light", "dark"):
            for show, node in STATES:
                context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
                page = context.new_page()
                page.goto(f"http://{server.address}/ui#/sessions/ipad-mail/nodes/{node}")
                page.wait_for_selector("body[data-ready=true][data-connection=live]")
                page.wait_for_selector(f'[role=region][data-node="{node}"]')
                show(page)
                total += save(page, f"{show.__name__}-{width}-{scheme}", STATE_COLOURS)
                context.close()
    if total > ALL_BYTES_MAX:
        sys.exit(f"pictures: those of the states have {total} bytes, more than {ALL_BYTES_MAX}")


def take(chromium, server, scheme):
    page = chromium.new_context(viewport={"width": 1200, "height": 640}, color_scheme=scheme,
                                reduced_motion="reduce").new_page()
    page.goto(f"http://{server.address}/ui#/sessions/ipad-mail/nodes/attachment.photo?trait=userInterfaceStyle")
    page.wait_for_selector("body[data-ready=true][data-connection=live]")
    page.wait_for_selector('[role=region][data-node="attachment.photo"]')
    for theme in ("bold", "pastel"):
        answer = page.request.put(f"http://{server.address}{SESSION}/nodes/scene/overrides/theme",
                                  data={"value": theme})
        page.wait_for_selector(f'[data-record=commit][data-revision="{answer.json()["revision"]}"]')
    page.get_by_role("button", name="What if").click()
    page.locator("[data-trait=userInterfaceStyle] input[value=light]").check()
    page.wait_for_selector("[data-effect=userInterfaceStyle]")
    if save(page, scheme, COLOURS) > BYTES_MAX:
        sys.exit(f"pictures: {scheme}.png has more than {BYTES_MAX} bytes")


def main(binary):
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        sys.exit("pictures: there is no Chromium; .ci/packages browser installs one")
    TARGET.mkdir(exist_ok=True)
    with Server(binary, "--load", str(ROOT / "deploy/examples/ipad-mail.json")) as server, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program)
        request = playwright.request.new_context(base_url=f"http://{server.address}")
        for name, node, trait in (("photo", "attachment.photo", "userInterfaceStyle"), ("subject", "message-001.subject", "theme")):
            request.put(f"{SESSION}/registrations/{name}", data={"node": node, "traits": [trait]})
        for value, reason in (("light", "TICKET-17: one style for all"), ("dark", "TICKET-18: photos on black")):
            request.put(f"{SESSION}/nodes/attachment/overrides/userInterfaceStyle", data={"value": value},
                        headers={"Traitd-Reason": reason})
        for scheme in ("light", "dark"):
            take(chromium, server, scheme)
        take_states(chromium, server)
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1])
