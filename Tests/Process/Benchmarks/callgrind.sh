#!/usr/bin/env bash
# Counts instructions and runtime calls (retain, release, exclusivity checks, allocations) in the
# engine's hot paths, and writes docs/performance/hot-paths.md. Counts do not depend on the load of
# the machine.
#
# usage: callgrind.sh [BENCH]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

if ! command -v valgrind >/dev/null; then
    echo "callgrind.sh: valgrind is not installed (.ci/packages profile)" >&2
    exit 1
fi
bench="${1:-$(Tests/Process/Benchmarks/build.sh)}"
python3 -B Tests/Process/Benchmarks/callgrind.py "$bench"
