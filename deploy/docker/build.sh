#!/usr/bin/env bash
# Builds the release binary into a folder: the one build step that the Dockerfile, `make build`
# and `make test` share, so that what was tested is what ships.
#
# The Swift standard library, Dispatch and Foundation are linked in statically; what stays dynamic
# is the C library, libstdc++, libgcc, zlib and SQLite, which every Debian has.
#
# usage: build.sh FOLDER
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: build.sh FOLDER" >&2
    exit 2
fi
mkdir -p "$1"
output="$(cd "$1" && pwd)"
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# One argument a line. traitd-bench is built with the same ones, else each of the two would have the
# other's modules compiled anew. A folder apart from the debug builds for the same reason. No build ID: it is a hash of
# all that the linker wrote, with the paths of this folder for debuggers, and would differ from folder to folder. And the
# toolchain's own linker: the system's (gold, which is given up) warns of a function in Foundation
# that is linked in but never called. No colours: with them a build at a terminal and one without would each
# compile all modules of the other anew.
mapfile -t options <deploy/docker/options
options+=(--product traitd)
# For `traitd --version`. Where there is no repository, the caller may give both.
if commit="$(git describe --always --abbrev=40 --exclude='*' --dirty 2>/dev/null)"; then
    TRAITD_COMMIT="$commit"
    TRAITD_DATE="$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)"
fi
TRAITD_COMMIT="${TRAITD_COMMIT:-}" TRAITD_DATE="${TRAITD_DATE:-}"
export TRAITD_COMMIT TRAITD_DATE
swift build "${options[@]}"
binary="$(swift build "${options[@]}" --show-bin-path)/traitd"

# A running binary cannot be overwritten, but it can be replaced.
rm -f "$output/traitd"
# The toolchain's own tool: the system's strip would take RELRO away. The hashes of modules name this folder.
objcopy="$(dirname "$(readlink -f "$(command -v swift)")")/llvm-objcopy"
if [ -x "$objcopy" ]; then
    "$objcopy" --strip-all --remove-section=.swift_modhash "$binary" "$output/traitd"
else
    cp "$binary" "$output/traitd"
fi
chmod 755 "$output/traitd"
"$output/traitd" --version
