#!/usr/bin/env python3
"""Writes the inputs that a fuzzer begins with into a folder for each target.

usage: seeds.py FOLDER

Tests/Random/Fuzz/Corpus has the further inputs that the fuzzers have found; .ci/fuzz begins with both.
"""

import gzip
import pathlib
import random
import sys

WIRE = [
    "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
    "GET /v1/sessions/a/nodes/b%20c?traits=x,y&explain=true+1 HTTP/1.1\r\nHost: h:80\r\n"
    "Accept: application/json;q=0.5, text/*\r\nAccept-Encoding: gzip;q=0, *\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\nHost: h\r\n\r\n",
    "PUT /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3;a=b\r\nabc\r\n0;c=\"d\\\"\"\r\nX: y\r\n\r\nHEAD /c HTTP/1.1\r\nHost: h\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3, 3\r\n\r\nabc",
    "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close, x\r\n\r\n",
    "GET http://u.v:1/w?x HTTP/1.1\r\nHost: [::1]:2\r\n\r\n",
    "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n",
    "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n\r\nGET / HTTP/1.0\r\n\r\n",
    "PATCH /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n",
    "GET /%2f%00%zz HTTP/1.1\r\nHost: h\r\nIf-Match: \"1\", W/\"2\"\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01",
]

JSON = [
    "null", "true", " [1, -0, 2.5e-3, 1E400, 123456789012345678901] ", '"a\\u00e9\\n\\ud83d\\ude00"',
    '{"a": {"b": [[], {}, ""]}, "c": null}', '{"a":1,"a":2}', '{"a":1,"\\u0061":2}', "[1,]", "{",
    '"\\ud800"', "01", "1.", "-", "[[[[1]]]]", "\ufeff1", '"\x01"', "9223372036854775807",
    "-9223372036854775808", "1e22", "5e-324", "1.7976931348623157e308", "[tru", '"é日😀"',
]

SERVICE = [
    "GET /livez\0GET /readyz\0GET /version\0GET /v1/traits\0GET /problems/quota\0GET /v1/sessions",
    "GET ~\0GET ~/nodes?pageSize=2\0GET ~/nodes?under=s&kind=view&depth=2\0GET ~/stats",
    "GET ~/nodes/v/traits\0GET ~/nodes/v/traits?specified=true\0GET ~/nodes/v/traits/t?explain=true"
    "\0GET ~/nodes/v/traits?traits=t,d&explain=true&absent=true\0GET ~/nodes/v/compare?with=c",
    'PUT ~/nodes/s/overrides/t?changes=true\n{"value":"b"}\0GET ~/nodes/v/overrides\0'
    "DELETE ~/nodes/s/overrides/t\0HEAD ~/nodes/v/overrides/t",
    'PATCH ~/nodes/s/overrides\n{"t":"b","userInterfaceStyle":"dark","displayScale":2}\0'
    'PATCH ~/nodes/s/supplied\n{"t":null,"layoutDirection":1}\0GET ~/nodes/s/supplied',
    'POST ~/nodes\n{"kind":"view","parent":"v","label":"l"}\0PATCH ~/nodes/v\n{"parent":null}\0'
    'PUT ~/nodes/q\n{"kind":"view","parent":"w"}\0DELETE ~/nodes/w\0GET ~/nodes/v',
    'PUT ~/registrations/r\n{"node":"v","traits":["t"]}\0GET ~/registrations\0'
    'PUT ~/nodes/s/overrides/t\n{"value":1}\0GET ~/registrations/r/events?from=1&wait=0\0'
    "GET ~/registrations/r/events?initial=true\0DELETE ~/registrations/r",
    "GET ~/events?from=1&wait=0&operations=true\0GET ~/history?operations=true&pageSize=1\0"
    "GET ~/nodes/v/events?traits=t&initial=true",
    'POST ~/transactions?changes=true&dryRun=true\n{"operations":[{"op":"createNode","node":"z",'
    '"kind":"view","parent":"v"},{"op":"setOverride","node":"z","trait":"d","value":1.5},'
    '{"op":"register","registration":"r","node":"z","traits":["d"]},'
    '{"op":"updateNode","node":"z","parent":null},{"op":"deleteNode","node":"z"}]}',
    'PUT ~/traits/q\n{"type":"int","default":3,"nullable":true}\0GET ~/traits\0DELETE ~/traits/q\0'
    'PUT ~/traits/o\n{"type":"struct","fields":{"x":"double","on":"bool"},'
    '"default":{"x":0,"on":false}}',
    'PUT ~/nodes/v/scopes/draw\n{"reads":["t"]}\0GET ~/nodes/v/scopes\0'
    'PUT ~/nodes/s/overrides/t\n{"value":"b"}\0DELETE ~/nodes/v/scopes/draw',
    'PUT ~/environmentKeys/k\n{"type":"string","default":"p","bridgedTrait":"t",'
    '"map":{"p":"a","q":"b"}}\0PUT ~/nodes/v/environment/k\n{"value":"q"}\0'
    "GET ~/nodes/v/environment\0DELETE ~/nodes/v/environment/k\0DELETE ~/environmentKeys/k",
    'PUT ~/colors/c\n{"variants":[{"when":{"userInterfaceStyle":"dark"},"value":1},'
    '{"value":{"a":[]}}]}\0GET ~/nodes/v/colors/c\0PUT ~/images/i\n{"variants":[{"value":"x"},'
    '{"when":{"displayScale":2},"value":"y"}]}\0GET ~/nodes/v/images/i\0'
    'PUT ~/registrations/r\n{"node":"v","colors":["c"],"images":["i"]}\0DELETE ~/colors/c',
    'POST ~/resolve\n{"nodes":["s","v"],"traits":["t","displayScale"]}\0'
    'POST /v1/collections\n{"from":[{"displayScale":2},{}],"modify":{"layoutDirection":1}}\0'
    'POST /v1/collections/compare\n{"a":{"displayScale":2},"b":null}',
    'PUT /v1/sessions/y\n{"updates":"layout","propagation":"legacy","limits":{"nodesMax":3},'
    '"nodes":[{"id":"a","kind":"environment","overrides":{"displayScale":2}}]}\0'
    "POST /v1/sessions/y/layout\0POST /v1/sessions/y/nodes/a/updateTraitsIfNeeded\n{}\0"
    "DELETE /v1/sessions/y?dryRun=true\0DELETE /v1/sessions/y",
    'POST ~/transactions\n{"operations":[{"op":"setSupplied","node":"s","trait":"displayScale",'
    '"value":2},{"op":"removeOverride","node":"v","trait":"t"},{"op":"setContentSizeLimits",'
    '"node":"v","minimum":"small","maximum":"large"},{"op":"layout"},{"op":"deleteTrait",'
    '"trait":"d"}]}',
]


def wire():
    for number, text in enumerate(WIRE):
        yield bytes([number & 1, number % 10, number]) + text.encode("latin-1")


def json():
    for number, text in enumerate(JSON):
        yield bytes([int(number % 7 == 6)]) + text.encode()


def gzip_bodies():
    dice = random.Random(1)
    contents = [b"", b"a", b"abc" * 400, bytes(range(256)) * 2, dice.randbytes(600)]
    for content in contents:
        packed = gzip.compress(content, 6, mtime=0)
        named = packed[:3] + b"\x08" + packed[4:10] + b"name\0" + packed[10:]
        for mode, body in [(0, packed), (4, packed), (0, packed * 2), (0, packed[:-3]), (0, named)]:
            allowed = bytes([40]) if mode & 4 else b""
            yield bytes([mode]) + allowed + bytes([dice.randrange(18), 0]) + body
        for mode, damage in [(1, 0), (3, 0), (5, 0), (1, 77)]:
            allowed = bytes([9]) if mode & 4 else b""
            yield bytes([mode]) + allowed + bytes([dice.randrange(18), damage]) + content


def engine():
    for seed in range(40):
        dice = random.Random(seed)
        # Mostly nodes at first, so that there is something to work on.
        creating = b"".join(
            bytes([dice.randrange(4), dice.randrange(16), dice.randrange(6), dice.randrange(16),
                   1, 1])
            for _ in range(12))
        yield bytes([seed & 7, 1, 12]) + creating + dice.randbytes(dice.randrange(20, 400))


def service():
    for text in SERVICE:
        yield text.encode()
    for text in SERVICE:
        for part in text.split("\0")[:3]:
            yield part.encode()


def main():
    targets = {
        "wire": wire, "json": json, "gzip": gzip_bodies, "engine": engine, "service": service,
    }
    for name, inputs in targets.items():
        folder = pathlib.Path(sys.argv[1]) / name
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(inputs()):
            (folder / f"seed-{number:03}").write_bytes(data)


if __name__ == "__main__":
    main()
