#!/usr/bin/env bash
# What an immediate session pays for layout mode, tracking, bridging and colours that it does not
# use: builds one small program with the engine of before those and with today's, counts both under
# callgrind and times them in turn. Prints the tables of docs/performance/immediate.md.
#
# usage: immediate.sh [BEFORE [ROUNDS]]    BEFORE: the commit of the older engine
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$here/../../.."
before="${1:-8c0b943}"
rounds="${2:-7}"
work="$root/.build-immediate"

# build NAME DEFINE: the program with the engine in $work/NAME/Sources/TraitEngine.
build() {
    local package="$work/$1"
    mkdir -p "$package/Sources"
    ln -sfn "$here/immediate" "$package/Sources/immediate"
    ln -sfn "$root/Sources/Limits" "$package/Sources/Limits"
    cat >"$package/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "traitd",
    targets: [
        .target(name: "Limits"),
        .target(name: "TraitEngine", dependencies: ["Limits"]),
        .executableTarget(
            name: "immediate", dependencies: ["TraitEngine"], swiftSettings: [.define("$2")]),
    ],
    swiftLanguageModes: [.v6])
SWIFT
    swift build --no-color-diagnostics --configuration release --static-swift-stdlib --package-path "$package" >&2
}

mkdir -p "$work/before" "$work/today/Sources"
git -C "$root" archive "$before" Sources/TraitEngine | tar x -C "$work/before"
ln -sfn "$root/Sources/TraitEngine" "$work/today/Sources/TraitEngine"
build before BEFORE
build today TODAY
exec python3 -B "$here/immediate.py" "$work" "$rounds"
