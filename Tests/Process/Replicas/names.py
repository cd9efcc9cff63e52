"""Checks what was shown of the sessions that come and go.

One client makes and ends each of them, and waits for the answer before it goes on. So a name is a register with one
writer. Its values are the uids of its sessions, and None while there is no session. A read may show a value if the
write of the value began before the read ended, and the next write ended after the read began. No read may show an
older value than a read that ended before it began.
"""

import bisect

from history import Finding

MARGIN_SECONDS = 5


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
    seen = Seen(history)
    for name in {*writes, *unknown}:
        register = [(float("-inf"), float("-inf"), None, None), *writes.get(name, [])]
        end = unknown[name].start if name in unknown else float("inf")
        # Long before and after its time nothing is left to find of a name.
        begin = min(write[0] for write in register[1:] or [(end,)]) - MARGIN_SECONDS
        findings += check_name(name, register, seen.of(name, begin, end))
        compared += len(register)
    return findings, compared


class Seen:
    """What all answers show of the names, in the order in which the requests began."""

    def __init__(self, history):
        self.reads, self.lists = {}, []
        for request in sorted(history.requests, key=lambda one: one.start):
            if request.kind == "name" and request.status in (200, 404):
                value = request.body["uid"] if request.status == 200 else None
                self.reads.setdefault(request.target.rsplit("/", 1)[1], []).append(
                    (request.start, request.end, value, request))
            elif request.kind == "sessions" and request.status == 200:
                uids = {entry["name"]: entry["uid"] for entry in request.body["sessions"]}
                self.lists.append((request.start, request.end, uids, request))
        self.starts = [one[0] for one in self.lists]

    def of(self, name, begin, end):
        """(start, end, value, request) of the answers between two moments that show this name."""
        found = [one for one in self.reads.get(name, []) if begin <= one[0] and one[1] < end]
        some = self.lists[bisect.bisect(self.starts, begin):bisect.bisect(self.starts, end)]
        return found + [(start, ended, uids.get(name), request)
                        for start, ended, uids, request in some if ended < end]


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
