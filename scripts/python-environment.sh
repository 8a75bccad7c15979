#!/usr/bin/env bash
# Makes the Python environment of the black-box tests in .build/venv, or brings it up to date with requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

environment=.build/venv
requirements=Tests/blackbox/requirements.txt
wanted=$(sha256sum "$requirements")
if [ "$(cat "$environment/installed" 2>/dev/null || true)" = "$wanted" ]; then
    exit 0
fi
if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
    scripts/install-packages.sh python3 python3-venv
fi
mkdir -p .build
rm -rf "$environment"
python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
echo "$wanted" >"$environment/installed"
