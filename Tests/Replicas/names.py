"""Checks what was shown of the sessions that come and go.

One client makes and ends each of them, and waits for the answer before it goes on. So a name is a register with one
writer. Its values are the uids of its sessions, and None while there is no session. A read may show a value if the
write of the value began before the read ended, and the next write ended after the read began. No read may show an
older value than a read that ended before it began.
"""

from history import Finding


def check(history):
    """The findings, and how many reads were compared."""
    writes, unknown = {}, {}
    for request in sorted(history.requests, key=lambda one: one.start):
        if request.kind not in ("make", "unmake"):
            continue
        name = request.target.rsplit("/", 1)[1]
        if request.status in (200, 201):
            value = request.body["uid"] if request.kind == "make" else None
            writes.setdefault(name, []).append((request.start, request.end, value, request))
        else:
            # From then on anything may happen to the name.
            unknown.setdefault(name, request)
    findings = [
        Finding("names", "refused, although no other client makes or ends this session", [request])
        for request in unknown.values() if request.is_refused]
    compared = 0
    for name in {*writes, *unknown}:
        register = [(float("-inf"), float("-inf"), None, None), *writes.get(name, [])]
        end = unknown[name].start if name in unknown else float("inf")
        for finding in check_name(name, register, list(reads(history, name, end))):
            findings.append(finding)
        compared += len(register)
    return findings, compared


def reads(history, name, before):
    """(start, end, value, request) of the answers that show this name."""
    for request in history.requests:
        if request.end >= before:
            continue
        if request.kind == "name" and request.target.endswith(f"/{name}"):
            if request.status == 200:
                yield request.start, request.end, request.body["uid"], request
            elif request.status == 404:
                yield request.start, request.end, None, request
        elif request.kind == "sessions" and request.status == 200:
            found = [entry["uid"] for entry in request.body["sessions"] if entry["name"] == name]
            yield request.start, request.end, (found or [None])[0], request


def check_name(name, register, seen):
    shown = []  # (end, index of the write) of earlier reads, in the order of their ends
    for start, end, value, request in sorted(seen, key=lambda one: one[0]):
        floor = max((index for ended, index in shown if ended < start), default=0)
        allowed = [
            index for index in range(floor, len(register))
            if register[index][2] == value and register[index][0] < end
            and (index + 1 == len(register) or register[index + 1][1] > start)]
        if not allowed:
            around = [write for write in register if write[3] is not None
                      and write[1] > start - 1 and write[0] < end + 1]
            yield Finding("names", f"{name} is shown as {value}", [
                request, *(write[3] for write in around)])
        else:
            shown.append((end, allowed[0]))
            del shown[:-50]
