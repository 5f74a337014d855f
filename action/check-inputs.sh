# Checks the inputs of the action, and creates the folders of this use of it. Reports all problems at once.
set -euo pipefail

problems=0
# Messages name inputs and never quote them: a value could contain a command for the runner.
problem() {
  echo "::error title=bearhug::$1"
  problems=1
}

if [[ "${GITHUB_EVENT_NAME:-}" == pull_request_target ]]; then
  problem "bearhug does not run on pull_request_target: code from a fork would have the secrets of this repository. Use pull_request."
fi
if [[ "${RUNNER_OS:-}" == Windows ]]; then
  problem "bearhug's action runs on Linux and macOS. On Windows, use \`npx bearhug run\` in a step of your own."
fi
if [[ -z "$INPUT_TEST$INPUT_MERGE" ]]; then
  problem "The input \`test\` is missing. Give the path of a test, such as \`test: load/shop.ts\`, or recordings to \`merge\`."
fi
if [[ -n "$INPUT_MERGE" && -n "$INPUT_TEST$INPUT_TARGET$INPUT_START$INPUT_WAIT_FOR" ]]; then
  problem "The input \`merge\` joins shards that have run: leave out \`test\`, \`target\`, \`start\` and \`wait-for\`."
fi
[[ "$INPUT_NAME" =~ ^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$ ]] ||
  problem "The input \`name\` must be at most 64 letters, digits, dots, dashes and underscores, and begin with a letter or a digit."
[[ "$INPUT_COMMENT" == true || "$INPUT_COMMENT" == false ]] || problem "The input \`comment\` must be true or false."
[[ "$INPUT_WAIT_SECONDS" =~ ^[1-9][0-9]{0,3}$ ]] ||
  problem "The input \`wait-seconds\` must be a whole number from 1 to 9999."
[[ -z "$INPUT_WAIT_FOR" || "$INPUT_WAIT_FOR" =~ ^https?://[^[:space:][:cntrl:]]+$ ]] ||
  problem "The input \`wait-for\` must be a URL that begins with http:// or https://."
[[ -z "$INPUT_TOLERANCE" || "$INPUT_TOLERANCE" =~ ^[0-9]{1,2}(\.[0-9]+)?%$ ]] ||
  problem "The input \`tolerance\` must be a percentage below 100%, such as 5%."
differences="(target|load|test|generator|ending|machine|redirects|sizes)"
[[ -z "$INPUT_ALLOW" || "$INPUT_ALLOW" =~ ^$differences(,$differences)*$ ]] ||
  problem "The input \`allow\` must name differences that bearhug compare can allow, such as machine or target,machine."
[[ "$INPUT_FAIL_ON" == regressed || "$INPUT_FAIL_ON" == undecided ]] ||
  problem "The input \`fail-on\` must be regressed or undecided."
[[ -z "$INPUT_VERSION" || "$INPUT_VERSION" =~ ^[A-Za-z0-9^~][A-Za-z0-9.+-]*$ ]] ||
  problem "The input \`version\` must be a version of bearhug on npm, such as 1.2.3 or latest."
((problems == 0)) || exit 1

# report/ becomes the artifact; baseline/ has the results to compare with.
folder="$RUNNER_TEMP/bearhug/$INPUT_NAME"
rm -rf "$folder"
mkdir -p "$folder/report" "$folder/baseline"
supported='const [major, minor] = process.versions.node.split("."); process.exit(+major > 22 || (+major === 22 && +minor >= 19) ? 0 : 1)'
needs_node=true
if command -v node >/dev/null && node -e "$supported"; then needs_node=false; fi
{
  echo "folder=$folder"
  echo "needs-node=$needs_node"
} >>"$GITHUB_OUTPUT"
