"""The rows of rows.py in which a reader prepares work for writers: streams, long polls and watches with many
filters. `ALL` lists them."""

import json
import random
import time

from costly import JSON_TYPE, node


def poll_many(client, requests):
    """Sends requests for pages of records on one connection, and returns how many were accepted."""
    connection, accepted = client.persistent(), 0
    for method, target, body in requests:
        connection.request(method, target, json.dumps(body) if body else None, JSON_TYPE if body else {})
        accepted += client.take(target, connection.getresponse(), False)[0] == 200
    connection.close()
    return accepted


def write_times(client, target):
    """Sends three writes, and returns how long the longest took."""
    longest = 0
    for value in range(1, 4):
        start = time.monotonic()
        client.must("PUT", target, {"value": value})
        longest = max(longest, time.monotonic() - start)
    return f"a write took {longest * 1000:.0f} ms"


def subtrees_above_one_node(client):
    """A commit once cost its notes times the subtrees with streams above them."""
    client.session(traits={"level": {"type": "int", "default": 0}})
    client.operate([node("n0")] + [node(f"n{number}", f"n{number - 1}") for number in range(1, 4_000)]
                   + [{"op": "register", "registration": f"r{number}", "node": "n3999",
                       "traits": ["level"]} for number in range(4_000)])
    accepted = poll_many(client, [("GET", f"/v1/sessions/x/events?subtree=n{number}&wait=0", None)
                                  for number in range(4_000)])
    return f"{accepted} subtrees; {write_times(client, '/v1/sessions/x/nodes/n0/overrides/level')}"


def feeds_of_the_same_registrations(client):
    """Each registration had as many feeds as there may be."""
    client.session(traits={"level": {"type": "int", "default": 0}})
    client.operate([node("n")] + [{"op": "register", "registration": f"r{number}", "node": "n",
                                   "traits": ["level"]} for number in range(200)])
    sample = random.Random(1)
    accepted = poll_many(client, [
        ("POST", "/v1/sessions/x/events?wait=0",
         {"registrations": [f"r{name}" for name in sample.sample(range(200), 100)]}) for _ in range(10_000)])
    return f"{accepted} feeds; {write_times(client, '/v1/sessions/x/nodes/n/overrides/level')}"


def watches_that_fill_it(client):
    """Watches took five times what was counted, from the room that writes need."""
    client.session(traits={"level": {"type": "int", "default": 0}})
    client.operate([node(f"{number:060d}") for number in range(1_000)])
    accepted = poll_many(client, [
        ("POST", "/v1/sessions/x/events?wait=0",
         {"watches": [{"node": f"{(number * 131 + step * (number % 7 + 1)) % 1_000:060d}", "traits": ["level"]}
                      for step in range(100)]}) for number in range(8_375)])
    target = f"/v1/sessions/x/nodes/{0:060d}/overrides/level"
    return f"{accepted} polls; {write_times(client, target)}"


ALL = [subtrees_above_one_node, feeds_of_the_same_registrations, watches_that_fill_it]
for row in ALL:
    # Feeds outlive their last reader by so long.
    row.options = ("--limit", "watch-linger-seconds=60")
