#!/usr/bin/env python3
"""Takes the pictures of the inspector in docs/inspector, light and dark, from the mail example.

usage: pictures.py TRAITD        needs Chromium and the packages playwright and pillow
"""

import io
import pathlib
import shutil
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / ".ci/lib"))
from traitd_server import Server  # noqa: E402

TARGET = ROOT / "docs/inspector"
BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
SESSION = "/v1/sessions/ipad-mail"
BYTES_MAX, COLOURS = 150 * 1024, 224


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
    path = TARGET / f"{scheme}.png"
    # Text has few colours; a palette of them is a third of the bytes.
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE).save(path, optimize=True)
    if path.stat().st_size > BYTES_MAX:
        sys.exit(f"pictures: {path} has {path.stat().st_size} bytes, more than {BYTES_MAX}")
    print(path.relative_to(ROOT), path.stat().st_size, "bytes")


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
        chromium.close()


if __name__ == "__main__":
    main(sys.argv[1])
