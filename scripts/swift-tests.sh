#!/usr/bin/env bash
# Runs the built Swift tests, a few rooms at a time: those that keep threads busy with servers and databases of their own
# would take them from each other. Ends with what each group reported; fails when one did not report a passing run.
set -euo pipefail
cd "$(dirname "$0")/.."

log=.build/logs/unit.log
mkdir -p .build/logs
: >"$log"

groups=(
    'ConsentTests|JSONTests|CryptoTests|AppStoreTests|PlayStoreTests|RepresentationTests|HouseTests'
    'HTTPServerTests'
    'PostgresTests'
    'StoreTests'
    'WorkersTests'
    'APITests'
    'AssentTests'
)
# A test target that no group names would silently never run.
for folder in Tests/*Tests; do
    name=$(basename "$folder")
    [[ "|$(IFS='|'; echo "${groups[*]}")|" == *"|$name|"* ]] || { echo "no group runs $name" >&2; exit 1; }
done

failed=0
for group in "${groups[@]}"; do
    printf '\n== %s\n' "$group"
    timeout 300 swift test --skip-build --disable-xctest "$@" --filter "^($group)\\." 2>&1 | tee -a "$log" | grep -vE '^(◇|✔|↳)|^\[' || true
    tail -n 1 "$log" | grep -qE 'Test run with [1-9][0-9]* tests? .*passed' || { failed=1; echo "FAILED: $group" >&2; }
done

printf '\n'
grep -E 'Test run with ' "$log"
exit "$failed"
