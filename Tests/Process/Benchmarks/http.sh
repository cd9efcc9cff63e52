#!/usr/bin/env bash
# Measures the release binary against a minimal C epoll loop, each on core 0 with wrk on core 1.
#
# Absolute rates say more about the machine than about the server, so every round runs all of the
# loads one after another and each is divided by the C loop's figure of the same round. The figures
# go to docs/performance/http.json too.
#
# usage: http.sh TRAITD [ROUNDS [SECONDS]]      defaults: 9 rounds of 2 s a load
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 3 ]; then
    echo "usage: http.sh TRAITD [ROUNDS [SECONDS]]" >&2
    exit 2
fi
traitd="$(realpath "$1")"
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

if [ "$(nproc)" -lt 2 ]; then
    echo "http.sh: two cores are needed, one for the server and one for wrk" >&2
    exit 1
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cc -O2 -Wall -o "$work/epoll_loop" Tests/Process/Benchmarks/epoll_loop.c
python3 -B Tests/Process/Benchmarks/measure.py "$traitd" "$work/epoll_loop" "${2:-9}" "${3:-2}"
