import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

import { command } from "../command.ts";
import { freePort } from "../free-port.ts";
import { lintWorkflow } from "../packaging/lint-workflow.ts";
import { readOutputs } from "../../../report/test/github/runner.ts";
import { temporaryFolder } from "./run-bearhug.ts";

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const workflowPath = pathOf("../../../../examples/github/gate.yml");
const cachingPath = pathOf("../../../../examples/github/gate-with-cache.yml");

const stepSchema = z.object({
  name: z.string().optional(),
  id: z.string().optional(),
  if: z.string().optional(),
  run: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
});
const workflowSchema = z.object({ jobs: z.object({ gate: z.object({ steps: z.array(stepSchema) }) }) });
type Step = z.infer<typeof stepSchema>;
const readSteps = (path: string): Step[] =>
  workflowSchema.parse(parse(readFileSync(path, "utf8"))).jobs.gate.steps;
const workflow = readFileSync(workflowPath, "utf8");
const steps = readSteps(workflowPath);

describe("the example of a gate", () => {
  test("passes actionlint, as do the other workflows beside it", () => {
    expect(lintWorkflow(pathOf("../../../../examples/github/*.yml"), 6)).toBe("");
  });

  test("does not pass actionlint with a mistake in it", () => {
    const broken = join(temporaryFolder(), "broken.yml");
    writeFileSync(broken, workflow.replace("if: always()", "if: allways()").replace("runs-on:", "run-on:"));
    expect(lintWorkflow(broken)).toMatch(/allways[^]*run-on|run-on[^]*allways/);
  });

  test("passes for an app that meets its thresholds, and keeps the files that it names", async () => {
    const job = await startJob();
    expect(await job.runSteps()).toEqual({
      Install: 0,
      "Start the app": 0,
      "Wait for the app": 0,
      "Load test": 0,
    });
    expect(job.outputs()).toMatchObject({ verdict: "passed", "exit-code": "0" });
    for (const path of job.keptPaths()) expect([path, existsSync(path)]).toEqual([path, true]);
    expect(job.keptPaths()).toContain(join(job.workspace, "load-result/"));
    expect(existsSync(job.outputs()["result"] ?? "")).toBe(true);
  });

  test("fails the job if a threshold fails, and still keeps the result", async () => {
    const job = await startJob({ BEARHUG_THRESHOLD: "http_reqs: count<1" });
    expect(await job.runSteps()).toMatchObject({ "Wait for the app": 0, "Load test": 99 });
    expect(job.outputs()).toMatchObject({ verdict: "failed", "exit-code": "99" });
    expect(steps.at(-1)).toMatchObject({
      if: "always()",
      uses: expect.stringMatching(/^actions\/upload-artifact@v/) as string,
    });
    for (const path of job.keptPaths()) expect([path, existsSync(path)]).toEqual([path, true]);
  });

  test("compares with the cached result of the default branch, unless the test changed", async () => {
    const caching = readSteps(cachingPath);
    const job = await startJob({ BEARHUG_DURATION: "8s" });
    // With this tolerance the comparison passes, however different two runs on a busy machine are.
    job.replace("--tolerance 10%", "--tolerance 99%");
    const pushed = await job.runSteps(caching, "push");
    expect(pushed).toMatchObject({ "Load test": 0, "Store the next baseline": 0 });
    expect(pushed).not.toHaveProperty("Compare with the baseline");
    const [compare] = caching.filter(({ name }) => name === "Compare with the baseline");
    const again = await job.runSteps(caching.filter(({ name = "" }) => /^(Load test|Compare)/.test(name)));
    expect(again).toEqual({ "Load test": 0, "Compare with the baseline": 0 });
    expect(job.log()).toMatch(/OK|UNDECIDED/);
    writeFileSync(
      join(job.workspace, "baseline/result.json"),
      readFileSync(join(job.workspace, "baseline/result.json"), "utf8").replace(/"fingerprint": "/, "$&0"),
    );
    expect(await job.runSteps([compare ?? { with: {} }])).toEqual({ "Compare with the baseline": 0 });
    expect(job.log()).toContain("bearhug: not compared: ");
  });

  test("fails the job with the app's log if the app does not start, and applies no load", async () => {
    const job = await startJob({}, "echo cannot start >&2; exit 1");
    job.replace("--retry 30", "--retry 1");
    expect(await job.runSteps()).toEqual({ Install: 0, "Start the app": 0, "Wait for the app": 1 });
    expect(job.log()).toContain("cannot start");
  });
});

/** The lock file of all such repositories: they differ only in their start script, which is not in it. */
let lockFile: string | undefined;

function makeLockFile(cwd: string, env: NodeJS.ProcessEnv): string {
  const line = ["install", "--package-lock-only"];
  const { status, stderr } = spawnSync("npm", line, { cwd, env, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return readFileSync(join(cwd, "package-lock.json"), "utf8");
}

/** Creates a repository whose app is the demo site. Returns a runner of the workflow's steps in it. */
async function startJob(
  environment: Readonly<Record<string, string>> = {},
  start = "bearhug demo --listen $PORT",
) {
  const workspace = temporaryFolder();
  const files = temporaryFolder();
  writeRepository(workspace, start);
  const given = {
    ...withoutOurs(process.env),
    npm_config_offline: "true",
    npm_config_cache: join(files, "npm"),
    XDG_CACHE_HOME: join(files, "cache"),
    BEARHUG_DURATION: "1s",
    // Other tests run at the same time.
    BEARHUG_ALLOW_SATURATED: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: workspace,
    GITHUB_OUTPUT: join(files, "outputs"),
    GITHUB_STEP_SUMMARY: join(files, "summary.md"),
    PORT: String(await freePort()),
    ...environment,
  };
  lockFile ??= makeLockFile(workspace, given);
  writeFileSync(join(workspace, "package-lock.json"), lockFile);
  const changes: [string, string][] = [];
  let log = "";
  return {
    workspace,
    log: () => log,
    replace: (from: string, to: string) => void changes.push([from, to]),
    outputs: () => readOutputs(readFileSync(given.GITHUB_OUTPUT, "utf8")),
    keptPaths: () =>
      z
        .string()
        .parse(steps.at(-1)?.with["path"])
        .trim()
        .split("\n")
        .map((path) => join(workspace, path)),
    /** Runs steps up to the first one that fails. Returns their exit codes by name. */
    async runSteps(
      wanted: readonly Step[] = steps,
      event = "pull_request",
    ): Promise<Record<string, number | null>> {
      const ended: Record<string, number | null> = {};
      for (const { name = "", run, if: condition } of wanted) {
        const [, only = event] = /^github\.event_name == '(.*)'$/.exec(condition ?? "") ?? [];
        if (run === undefined || event !== only) continue;
        const script = changes.reduce((text, [from, to]) => text.replace(from, to), run);
        const step = await runStep(script, workspace, given);
        log += step.log;
        ended[name] = step.exitCode;
        if (step.exitCode !== 0) break;
      }
      return ended;
    },
  };
}

/** Runs a step as a runner on Linux does if no shell is named. Background processes end with the test. */
async function runStep(script: string, cwd: string, env: NodeJS.ProcessEnv) {
  const path = join(temporaryFolder(), "step.sh");
  writeFileSync(path, script);
  const child = spawn("bash", ["-e", path], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // The whole group has ended.
    }
  });
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (log += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  await once(child, "close");
  return { exitCode: child.exitCode, log };
}

/** Writes a repository in which `npm ci` and `npx bearhug` find this workspace's bearhug. */
function writeRepository(workspace: string, start: string): void {
  mkdirSync(join(workspace, "load"));
  mkdirSync(join(workspace, "shim"));
  copyFileSync(pathOf("../../../../examples/first-test.ts"), join(workspace, "load/shop.load.ts"));
  const bin = join(workspace, "shim/bearhug.sh");
  writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`);
  chmodSync(bin, 0o755);
  const shim = { name: "bearhug", version: "0.0.0", bin: { bearhug: "bearhug.sh" } };
  writeFileSync(join(workspace, "shim/package.json"), JSON.stringify(shim));
  const app = {
    name: "shop",
    private: true,
    scripts: { start },
    devDependencies: { bearhug: "file:./shim" },
  };
  writeFileSync(join(workspace, "package.json"), JSON.stringify(app));
}

function withoutOurs(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(?:BEARHUG|GITHUB|npm)_/i.test(name)),
  );
}
