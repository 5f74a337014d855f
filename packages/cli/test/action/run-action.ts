import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import { onTestFinished } from "vitest";

import { root } from "../../../../tools/workspace.mjs";
import { command } from "../command.ts";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { readOutputs } from "../../../report/test/github/runner.ts";
import { action, type Step } from "./action-file.ts";
import { fill, isTrue, type Contexts } from "./expressions.ts";

/** A job of GitHub Actions: the parts that differ between tests. */
export interface Job {
  readonly inputs: Readonly<Record<string, string>>;
  readonly eventName: string;
  readonly ref: string;
  readonly payload: unknown;
  readonly apiUrl: string;
  /** The folder of the checked-out repository. */
  readonly workspace: string;
  /** Artifacts and caches by name, which outlive the job. */
  readonly kept: Map<string, string>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The outcome of a job whose only step uses the action. */
export interface JobEnd {
  /** The outcome of each step that was not skipped, by name. */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly outputs: Readonly<Record<string, string>>;
  readonly hasFailed: boolean;
  readonly log: string;
  readonly summary: string;
  /** The folder that was uploaded as the artifact. */
  readonly artifact: string;
}

/**
 * Runs the steps of action.yml in turn, as GitHub's runner does. Steps that use other actions are simulated.
 */
export async function runAction(job: Job): Promise<JobEnd> {
  const files = temporaryFolder();
  const inputs = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default])),
    ...job.inputs,
  };
  const github = { token: "job-token", run_id: "4711", run_attempt: "1" };
  const done: Record<string, { outputs: Record<string, string>; outcome: string }> = {};
  const outcomes: Record<string, string> = {};
  let [log, summary] = ["", ""];
  for (const [index, step] of action.runs.steps.entries()) {
    const hasFailed = Object.values(outcomes).includes("failure");
    const contexts: Contexts = { inputs, github, steps: done };
    const isSkipped = !isTrue(step.if ?? "success()", contexts, hasFailed);
    const ended = isSkipped
      ? skipped
      : await runStep(fillStep(step, contexts), job, join(files, String(index)));
    if (!isSkipped) outcomes[step.name] = ended.outcome;
    if (step.id !== undefined) done[step.id] = ended;
    log += ended.log;
    summary += ended.summary;
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [
    name,
    fill(value, { inputs, github, steps: done }),
  ]);
  return {
    outcomes,
    log,
    summary,
    outputs: Object.fromEntries(outputs) as Record<string, string>,
    hasFailed: Object.values(outcomes).includes("failure"),
    artifact: job.kept.get(`artifact ${inputs["name"] ?? ""}`) ?? "",
  };
}

interface StepEnd {
  readonly outcome: string;
  readonly outputs: Record<string, string>;
  readonly log: string;
  readonly summary: string;
}

const skipped: StepEnd = { outcome: "skipped", outputs: {}, log: "", summary: "" };

function fillStep(step: Step, contexts: Contexts): Step {
  const fillAll = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value, contexts)]));
  return {
    ...step,
    env: fillAll(step.env),
    with: fillAll(step.with),
    "working-directory": fill(step["working-directory"] ?? ".", contexts),
  };
}

async function runStep(step: Step, job: Job, files: string): Promise<StepEnd> {
  if (step.uses !== undefined) return { ...skipped, outcome: "success", outputs: simulateAction(step, job) };
  mkdirSync(files);
  const paths = { GITHUB_OUTPUT: join(files, "output"), GITHUB_STEP_SUMMARY: join(files, "summary.md") };
  for (const path of Object.values(paths)) writeFileSync(path, "");
  writeFileSync(join(files, "event.json"), JSON.stringify(job.payload));
  const script = join(files, "step.sh");
  writeFileSync(script, step.run ?? "");
  // The command line of `shell: bash`: https://docs.github.com/actions/reference/workflow-syntax.
  const child = spawn("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", script], {
    cwd: join(job.workspace, step["working-directory"] ?? "."),
    env: { ...environmentOf(job), ...paths, GITHUB_EVENT_PATH: join(files, "event.json"), ...step.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (log += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  await once(child, "close");
  const outputs = readOutputs(readFileSync(paths.GITHUB_OUTPUT, "utf8"));
  const started = Number(outputs["pid"]);
  if (started > 0) onTestFinished(() => endGroup(started));
  return {
    outcome: child.exitCode === 0 ? "success" : "failure",
    outputs,
    log,
    summary: readFileSync(paths.GITHUB_STEP_SUMMARY, "utf8"),
  };
}

function environmentOf(job: Job): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:BEARHUG|GITHUB|RUNNER|npm|NODE)_/i.test(name),
  );
  const files = join(job.workspace, "node_modules/.runner");
  return {
    ...Object.fromEntries(inherited),
    PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
    CI: "true",
    GITHUB_ACTIONS: "true",
    RUNNER_OS: "Linux",
    RUNNER_TEMP: join(files, "temp"),
    npm_config_offline: "true",
    npm_config_cache: join(files, "npm"),
    XDG_CACHE_HOME: join(files, "cache"),
    GITHUB_ACTION_PATH: root,
    GITHUB_WORKSPACE: job.workspace,
    GITHUB_EVENT_NAME: job.eventName,
    GITHUB_REF: job.ref,
    GITHUB_API_URL: job.apiUrl,
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_REPOSITORY: "octo/shop",
    GITHUB_RUN_ID: "4711",
    // Other tests run at the same time.
    BEARHUG_ALLOW_SATURATED: "true",
    ...job.environment,
  };
}

/** Simulates the actions for artifacts and caches, with folders that outlive the job. */
function simulateAction({ uses = "", with: given }: Step, { kept }: Job): Record<string, string> {
  const path = given["path"] ?? "";
  if (uses.startsWith("actions/upload-artifact@")) keep(kept, `artifact ${given["name"] ?? ""}`, path);
  else if (uses.startsWith("actions/cache/save@")) keep(kept, `cache ${given["key"] ?? ""}`, path);
  else if (uses.startsWith("actions/cache/restore@")) {
    const prefix = `cache ${given["restore-keys"] ?? ""}`;
    const latest = [...kept.keys()].findLast((key) => key.startsWith(prefix));
    if (latest !== undefined) cpSync(kept.get(latest) ?? "", path, { recursive: true });
  } else if (uses.startsWith("actions/download-artifact@")) {
    const found = kept.get(`artifact ${given["artifact-ids"] ?? ""}`);
    if (found === undefined) throw new Error(`no artifact has the ID ${given["artifact-ids"] ?? ""}`);
    cpSync(found, path, { recursive: true });
  } else throw new Error(`the test does not know ${uses}`);
  return {};
}

function keep(kept: Map<string, string>, name: string, path: string): void {
  const copy = temporaryFolder();
  if (existsSync(path)) cpSync(path, copy, { recursive: true });
  kept.delete(name);
  kept.set(name, copy);
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // The whole group has ended.
  }
}

/** Makes a repository whose `npx bearhug` is the command under test. */
export function checkOut(files: Readonly<Record<string, string>>): string {
  const workspace = temporaryFolder();
  const bin = join(workspace, "node_modules/.bin/bearhug");
  mkdirSync(join(workspace, "node_modules/.runner/temp"), { recursive: true });
  mkdirSync(dirname(bin), { recursive: true });
  writeFileSync(bin, `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`);
  chmodSync(bin, 0o755);
  for (const [path, text] of Object.entries({ "package.json": '{"private":true}', ...files })) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  return workspace;
}
