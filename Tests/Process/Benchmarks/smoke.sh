#!/usr/bin/env bash
# Checks that the benchmark works, not how fast anything is: both engines agree, every figure that it
# lists is in its JSON, and small trees pass all cases.
#
# usage: smoke.sh TRAITD
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: smoke.sh TRAITD" >&2
    exit 2
fi
traitd="$(realpath "$1")"
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

bench="$(Tests/Process/Benchmarks/build.sh)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
"$bench" --quick --passes 2 --server "$traitd" --json "$work/engine.json" >"$work/log" || {
    tail -n 20 "$work/log"
    exit 1
}
"$bench" --list >"$work/names"
python3 -B Tests/Process/Benchmarks/report.py --check "$work/engine.json" "$work/names"
