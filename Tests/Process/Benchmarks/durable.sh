#!/usr/bin/env bash
# Measures durable writes beside Redis and etcd; see durable.py.
#
# usage: durable.sh TRAITD [ROUNDS [SECONDS [FOLDER]]]
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 4 ]; then
    echo "usage: durable.sh TRAITD [ROUNDS [SECONDS [FOLDER]]]" >&2
    exit 2
fi
traitd="$(realpath "$1")"
shift
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cc -O2 -Wall -o "$work/durable_load" Tests/Process/Benchmarks/durable_load.c
cc -O2 -Wall -shared -fPIC -o "$work/slow_flush.so" Tests/Process/Benchmarks/slow_flush.c -ldl
python3 -B Tests/Process/Benchmarks/durable.py "$traitd" "$work/durable_load" "$work/slow_flush.so" "$@"
