import { linesOf, type PackageManager } from "./project.ts";

/** The parts of a GitHub Actions workflow that differ between projects. */
export interface WorkflowPlan {
  readonly packageManager: PackageManager;
  /** The path of the project in its repository: "" or "apps/shop/". */
  readonly prefix: string;
  /** The test's path, relative to the project's folder. */
  readonly test: string;
  /** The address of the site. */
  readonly address: string;
  /** True if `npm start` starts the site there. */
  readonly startsSite: boolean;
  /** Variables that the test needs; the repository has their values as secrets. */
  readonly secrets: readonly string[];
}

const checkout = "actions/checkout@v7";
const setupNode = "actions/setup-node@v7";
const uploadArtifact = "actions/upload-artifact@v7";

/**
 * Returns the text of a workflow: a check of pull requests if it can start the site itself, otherwise one to
 * start by hand.
 */
export function writeWorkflow(plan: WorkflowPlan): string {
  const { packageManager, prefix } = plan;
  const { setUp, installLocked } = linesOf[packageManager];
  const steps = [
    [`uses: ${checkout}`],
    [`uses: ${setupNode}`, "with:", "  node-version: 24"],
    ...(setUp === null ? [] : [[`run: ${setUp}`]]),
    ["name: Install", `run: ${installLocked}`],
    ...(plan.startsSite ? startSteps(plan) : []),
    loadStep(plan),
    [
      "name: Keep the result",
      "if: always()",
      `uses: ${uploadArtifact}`,
      "with:",
      "  name: load-result",
      `  path: ${quoted(`${prefix}load-result/`)}`,
    ],
  ];
  const lines = [
    "name: load test",
    "",
    ...triggers(plan),
    "",
    "permissions:",
    "  contents: read",
    "",
    "jobs:",
    "  load:",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 15",
    "    steps:",
    ...steps.flatMap((step, index) => [...(index === 0 ? [] : [""]), ...asStep(step)]),
  ];
  return `${lines.join("\n")}\n`;
}

function triggers({ startsSite, address }: WorkflowPlan): string[] {
  if (startsSite) return ["on:", "  pull_request:", "  workflow_dispatch:"];
  return [
    "# Runs when you start it. Load only a site that you may load; to gate pull requests, start it in a step before the test.",
    "on:",
    "  workflow_dispatch:",
    "    inputs:",
    "      target:",
    "        description: the site to load",
    `        default: ${JSON.stringify(address)}`,
  ];
}

function startSteps({ packageManager, prefix, address }: WorkflowPlan): string[][] {
  const start = packageManager === "bun" ? "bun run start" : `${packageManager} start`;
  return [
    ["name: Start the site", ...inFolder(prefix), `run: ${start} > "$RUNNER_TEMP/site.log" 2>&1 &`],
    [
      "name: Wait for the site",
      "env:",
      `  TARGET: ${quoted(address)}`,
      "run: |",
      "  curl --silent --show-error --output /dev/null \\",
      '    --retry 60 --retry-delay 1 --retry-all-errors "$TARGET" ||',
      '    { cat "$RUNNER_TEMP/site.log"; exit 1; }',
    ],
  ];
}

function loadStep({ packageManager, prefix, test, startsSite, secrets }: WorkflowPlan): string[] {
  const variables = [
    ...(startsSite ? [] : ["TARGET: ${{ inputs.target }}"]),
    ...secrets.map((name) => `${name}: \${{ secrets.${name} }}`),
  ];
  const target = startsSite ? "" : ' --target "$TARGET"';
  return [
    "name: Load test",
    ...inFolder(prefix),
    ...(variables.length === 0 ? [] : ["env:", ...variables.map((line) => `  ${line}`)]),
    `run: ${linesOf[packageManager].exec} bearhug run ${test}${target} --out json=load-result/result.json --out html=load-result/report.html`,
  ];
}

function inFolder(prefix: string): string[] {
  return prefix === "" ? [] : [`working-directory: ${quoted(prefix.slice(0, -1))}`];
}

/** Quotes a text for YAML, and escapes GitHub's expressions in it. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("${{", "${{ '${{' }}");
}

function asStep([first = "", ...others]: readonly string[]): string[] {
  return [`      - ${first}`, ...others.map((line) => `        ${line}`)];
}
