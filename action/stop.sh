# Ends the process group that start.sh started.
set -euo pipefail

kill -TERM -- "-$PID" 2>/dev/null || exit 0
for ((tries = 0; tries < 50; tries++)); do
  kill -0 -- "-$PID" 2>/dev/null || exit 0
  sleep 0.2
done
kill -KILL -- "-$PID"
