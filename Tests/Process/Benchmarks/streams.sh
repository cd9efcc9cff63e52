#!/usr/bin/env bash
# Measures streams against the C loop's: builds it, then see streams.py.
#
# usage: streams.sh TRAITD [ROUNDS]      default: 9 rounds
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: streams.sh TRAITD [ROUNDS]" >&2
    exit 2
fi
traitd="$(realpath "$1")"
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

if [ "$(nproc)" -lt 2 ]; then
    echo "streams.sh: two cores are needed, one for the server and one for its clients" >&2
    exit 1
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cc -O2 -Wall -o "$work/epoll_loop" Tests/Process/Benchmarks/epoll_loop.c
python3 -B Tests/Process/Benchmarks/streams.py "$traitd" "$work/epoll_loop" "${2:-9}"
