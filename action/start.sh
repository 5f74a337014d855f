# Starts the app under test in its own process group, and waits until its URL responds.
set -euo pipefail

log="$FOLDER/report/app.log"

# The log may contain anything: the runner ignores commands in it until it reads the token again.
fail() {
  if [[ -f "$log" ]]; then
    local token
    token="bearhug-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
    echo "::stop-commands::$token"
    echo "The end of its log:"
    tail -n 200 "$log"
    echo
    echo "::$token::"
  fi
  local text=${1//'%'/%25}
  echo "::error title=bearhug%3A not started::${text//$'\n'/%0A}"
  exit 1
}

responds() {
  curl --silent --show-error --fail --location --globoff --proto '=http,https' --max-time 5 \
    --output /dev/null --url "$INPUT_WAIT_FOR" 2>&1
}

pid=""
if [[ -n "$INPUT_START" ]]; then
  if [[ -n "$INPUT_WAIT_FOR" ]] && responds >/dev/null; then
    fail "$INPUT_WAIT_FOR responds before the app is started: something else runs there."
  fi
  set -m # A command in the background leads a process group, which stop.sh ends.
  bash -c "$INPUT_START" </dev/null >"$log" 2>&1 &
  pid=$!
  set +m
  echo "pid=$pid" >>"$GITHUB_OUTPUT"
fi

[[ -n "$INPUT_WAIT_FOR" ]] || exit 0
deadline=$((SECONDS + INPUT_WAIT_SECONDS))
until last=$(responds); do
  # A command such as `docker compose up --detach` may end, but not fail.
  if [[ -n "$pid" ]] && ! kill -0 "$pid" 2>/dev/null; then
    wait "$pid" || fail "The command of \`start\` failed with exit code $?."
    pid=""
  fi
  if ((SECONDS >= deadline)); then
    fail "$INPUT_WAIT_FOR did not respond within $INPUT_WAIT_SECONDS s: $last"
  fi
  sleep 0.5
done
echo "$INPUT_WAIT_FOR responds."
