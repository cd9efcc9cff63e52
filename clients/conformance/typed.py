"""A program as users write it, for mypy alone: what docs/clients.md shows has types, and wrong uses have none. mypy refuses
a comment `type: ignore` that is not needed."""

import asyncio

from traitd import AsyncClient, Change, Client, Operation, TraitdError
from traitd.types import StreamRecord


def seen(record: StreamRecord) -> None:
    if record["type"] == "change":
        print(record["node"], record["changes"][0]["trait"])


def blocking() -> None:
    mail = Client("http://127.0.0.1:8080", token=None, backoff=(0.5, 30.0)).session("ipad-mail")
    with mail.watch({"scene": ["theme"], "attachment.photo": "all"}, on_change=print, registrations=["subject"]) as watch:
        if not watch.synced(10):
            print(watch.state, watch.reason)
        operations: list[Operation] = [{"op": "setOverride", "node": "scene", "trait": "theme", "value": "bold"}]
        commit = mail.transaction(operations, if_revision=watch.revision, dry_run=True, reason="TICKET-17")
        print(commit["revision"] + commit["notified"], commit.get("unchanged"))
        change: Change = next(iter(watch))
        print(change.previous)
    plan = mail.apply({"nodes": []}, manager="ci", dry_run=True)
    try:
        print(mail.apply({"nodes": []}, manager="ci", plan=plan["planToken"])["revision"])
    except TraitdError as error:
        print(error.code, error.status)
    mail.set_override("scene", "theme", "bold", reason="TICKET-18")
    print(mail.resolve(under="scene", traits=["theme"]).values["scene"]["theme"])
    changed = mail.resolve(nodes=["scene"], assume=[{"op": "setDevice", "node": "scene", "device": "iPhone SE"}], changed=True)
    print(changed.count, changed.previous["scene"])
    variants = mail.variants({"nodes": ["scene"], "reads": "recorded", "strength": 2, "except": [{"style": "dark"}], "axes": [
        {"name": "style", "trait": "userInterfaceStyle", "at": "scene"}]})
    for row in variants:
        print(row["labels"]["style"], row["nodes"][0]["traits"]["theme"])
    print(variants.end and variants.end["rows"])
    mail.records(operations=True, on_record=seen).close()

    # An axis has a node.
    mail.variants({"nodes": ["scene"], "axes": [{"name": "style", "trait": "userInterfaceStyle"}]})  # type: ignore
    # There is no such operation.
    mail.transaction([{"op": "setOveride", "node": "scene", "trait": "theme", "value": 1}])  # type: ignore
    # An operation has all its members, and no others.
    mail.transaction([{"op": "setOverride", "node": "scene", "trait": "theme"}])  # type: ignore
    mail.transaction([{"op": "deleteNode", "node": "scene", "trait": "theme"}])  # type: ignore
    # A commit has no such member.
    print(commit["revison"])  # type: ignore
    # A commit is no plan.
    print(mail.apply({}, manager="ci")["planToken"])  # type: ignore
    # A name is a text.
    mail.watch({"scene": 5})  # type: ignore


async def waiting() -> None:
    mail = AsyncClient("http://127.0.0.1:8080").session("ipad-mail")
    async with mail.watch({"scene": ["theme"]}) as watch:
        print(await watch.synced(10))
        commit = await mail.transaction([{"op": "removeOverride", "node": "scene", "trait": "theme"}])
        print(commit["revision"])
        async for change in watch:
            print(change.current)
            break
    async for row in mail.variants({"nodes": ["scene"], "axes": [{"name": "plan", "values": {"free": []}}]}):
        print(row.get("combinations"))
    # The answer has to be awaited.
    print(mail.set_override("scene", "theme", 1)["revision"])  # type: ignore
    await mail.transaction([{"op": "setOveride", "node": "scene"}])  # type: ignore


blocking()
asyncio.run(waiting())
