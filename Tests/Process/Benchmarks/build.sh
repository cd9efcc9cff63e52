#!/usr/bin/env bash
# Builds traitd-bench with the options of the server: release, whole modules, Swift's libraries linked
# in. Prints its path. The symbols stay, for profilers.
#
# usage: build.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

mapfile -t options <deploy/docker/options
options+=(--product traitd-bench)
swift build "${options[@]}" >&2
echo "$(swift build "${options[@]}" --show-bin-path)/traitd-bench"
