#!/usr/bin/env bash
# A gate for any CI system: starts the app, waits until it responds, load-tests it, and ends with the exit code of bearhug.
set -euo pipefail

export PORT="${PORT:-8080}"
url="http://127.0.0.1:$PORT"

set -m # The app leads a process group of its own, so that all of it can be stopped.
npm start >app.log 2>&1 &
app=$!
trap 'kill -- "-$app" 2>/dev/null || true' EXIT

curl --silent --show-error --fail --output /dev/null \
  --retry 30 --retry-delay 1 --retry-all-errors "$url/" || {
  cat app.log
  exit 1
}

npx bearhug run load/shop.load.ts --target "$url" \
  --out json=load-result/result.json --out html=load-result/report.html --out junit=load-result/junit.xml
