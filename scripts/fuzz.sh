#!/bin/bash
# Fuzzes what reads tokens, certificates and payloads: scripts/fuzz.sh [SECONDS]. Inputs that found something new are kept
# in .build/fuzz/found, those that broke something in .build/fuzz/broken-*; Tests/fuzz/corpus is where it starts.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
work=.build/fuzz
mkdir -p "$work/found"

compile() { # MODULE IMPORTED...
  local module=$1
  swiftc -emit-object -emit-module -parse-as-library -whole-module-optimization -O -g -enable-testing \
    -sanitize=fuzzer,address -swift-version 6 -package-name assent -module-name "$module" \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature ExistentialAny \
    -I "$work" -I Sources/COpenSSL -I Sources/CJansson \
    -emit-module-path "$work/$module.swiftmodule" -o "$work/$module.o" "Sources/$module"/*.swift
}

for module in JSON Crypto AppStore; do compile "$module"; done
swiftc -parse-as-library -O -g -sanitize=fuzzer,address -swift-version 6 -package-name assent -module-name Fuzz \
  -I "$work" -I Sources/COpenSSL -I Sources/CJansson \
  -o "$work/fuzz" Tests/fuzz/Target.swift "$work"/{JSON,Crypto,AppStore}.o -lcrypto -ljansson

exec "$work/fuzz" -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
  -dict=Tests/fuzz/words.dict -artifact_prefix="$work/broken-" "$work/found" Tests/fuzz/corpus
