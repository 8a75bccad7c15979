#!/usr/bin/env bash
# Installs the Debian packages named as arguments, those that are missing only; quiet when there is nothing to do.
# As root directly, else with sudo. Fails with their names where it cannot.
set -euo pipefail

missing=()
for package in "$@"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "missing packages: ${missing[*]} (there is no apt-get here; see CONTRIBUTING.md for what they provide)" >&2
    exit 1
fi
run=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "missing packages: ${missing[*]}; run 'apt-get install ${missing[*]}' as root" >&2
        exit 1
    }
    run=(sudo)
fi
echo "installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -qq </dev/null >&2
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null >&2
