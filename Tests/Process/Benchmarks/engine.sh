#!/usr/bin/env bash
# Measures the engine and the loading of a large file, and writes docs/performance/engine.json.
#
# usage: engine.sh BENCH TRAITD [OPTION…]      options are traitd-bench's
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: engine.sh BENCH TRAITD [OPTION…]" >&2
    exit 2
fi
bench="$(realpath "$1")"
traitd="$(realpath "$2")"
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

# One core, so that the scheduler does not move it away from its caches.
# Five passes: what else goes on beside it lasts for seconds, and hits a figure once or twice.
command=("$bench" --passes 5 --server "$traitd" --machine "$(python3 -B Tests/Process/Benchmarks/machine.py)")
if command -v taskset >/dev/null && [ "$(nproc)" -gt 1 ]; then
    command=(taskset -c 1 "${command[@]}")
fi
mkdir -p docs/performance
"${command[@]}" --json docs/performance/engine.json "$@"
