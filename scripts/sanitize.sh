#!/usr/bin/env bash
# Runs the tests of the HTTP server under the thread sanitizer: scripts/sanitize.sh [ROUNDS] [FILTER]. Builds the room and its
# tests as a package of their own below .build/sanitize, with a mutex that the sanitizer sees (Tests/sanitize/Mutex.swift).
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-1}
filter=${2:-HTTPServerTests}
root=$PWD
work=.build/sanitize
package=$work/assent

mkdir -p "$package/Sources/HTTPServer" "$package/Tests/HTTPServerTests"
find "$package/Sources" "$package/Tests" -type l -delete
ln -s "$root/Sources/CMicrohttpd" "$package/Sources/CMicrohttpd"
for room in Sources/HTTPServer Tests/HTTPServerTests; do
    for file in "$root/$room"/*.swift "$root/Tests/sanitize/Mutex.swift"; do ln -s "$file" "$package/$room/"; done
done
ln -s "$root/Tests/sanitize/SanitizerControl.swift" "$package/Tests/HTTPServerTests/"
cat >"$package/Package.swift" <<'END'
// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("ExistentialAny"),
]
let package = Package(
    name: "assent",
    targets: [
        .systemLibrary(name: "CMicrohttpd", pkgConfig: "libmicrohttpd"),
        .target(name: "HTTPServer", dependencies: ["CMicrohttpd"], swiftSettings: settings),
        .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer"], swiftSettings: settings),
    ])
END
swift build --package-path "$package" --scratch-path "$work/build" --sanitize=thread --build-tests

export TSAN_OPTIONS="halt_on_error=0 exitcode=66 history_size=4"
run() { # FILTER [OPTION...]: what it says goes to the log
    local filter=$1
    shift
    swift test --package-path "$package" --scratch-path "$work/build" --sanitize=thread --skip-build --disable-xctest \
        --filter "$filter" "$@" >"$work/log" 2>&1 || true
}

run SanitizerControl
grep -qE 'WARNING: ThreadSanitizer: (data|Swift access) race' "$work/log" || { echo "the sanitizer does not see a race made on purpose" >&2; exit 1; }
for ((round = 1; round <= rounds; round++)); do
    run "$filter" --skip SanitizerControl
    if grep -q 'WARNING: ThreadSanitizer' "$work/log"; then
        echo "the sanitizer reported something in round $round: $work/log" >&2
        exit 1
    fi
    # Ten times as slow as usual: on a machine that is busy besides, a deadline of a test may pass.
    tail -n 1 "$work/log" | grep -E 'Test run with [1-9][0-9]* tests? .*passed' || {
        echo "no race was reported, and tests failed in round $round: $work/log" >&2
        exit 1
    }
done
