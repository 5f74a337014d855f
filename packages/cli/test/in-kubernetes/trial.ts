import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parseResult, type TestResult } from "@bearhug/sdk";

import { startCountingServer } from "../packaging/counting-server.ts";
import type { ControlPlane } from "./control-plane.ts";
import { image } from "./image.ts";

/** The outcome of a command. */
export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  /** The JSON report; null if none was written. */
  readonly result: TestResult | null;
}

/** A running command. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The tools of a trial. */
export interface Trial {
  readonly plane: ControlPlane;
  /** Starts `bearhug k8s run` with a test of `rate` iterations per second, each with one request. */
  readonly start: (load: Load, ...options: readonly string[]) => Running;
  /** Starts another `bearhug k8s` command. */
  readonly k8s: (...words: readonly string[]) => Running;
  /** Returns the number of requests that the site has received since the trial began. */
  readonly requests: () => number;
  /** Adds an observation to the printed report. */
  readonly note: (text: string) => void;
}

export interface Load {
  readonly name: string;
  readonly agents: number;
  readonly rate: number;
  readonly seconds: number;
  /** @default the image that contains bearhug */
  readonly image?: string;
}

/** Runs one trial and prints its outcome. Returns true if it passed. */
export async function runTrial(
  title: string,
  { plane, command }: { readonly plane: ControlPlane; readonly command: string },
  trial: (tools: Trial) => Promise<void>,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-trial-"));
  const notes: string[] = [];
  const startedMs = Date.now();
  await using site = await startCountingServer();
  const run = (words: readonly string[]): Running => runCommand(command, words, folder, plane.environment);
  let failure: string | null = null;
  try {
    await trial({
      plane,
      start: ({ name, agents, rate, seconds, image: named = image }, ...options) => {
        writeFileSync(join(folder, "site.ts"), testOf(site.url, rate, seconds));
        const facts = ["--name", name, "--parallelism", String(agents), "--image", named, "--workers", "1"];
        return run(["k8s", "run", "site.ts", ...facts, ...options]);
      },
      k8s: (...words) => run(["k8s", ...words]),
      requests: site.requests,
      note: (text) => notes.push(text),
    });
  } catch (error) {
    failure = error instanceof Error ? error.message : "something else than an error was thrown";
  }
  const took = `${Math.round((Date.now() - startedMs) / 1000)} s`;
  process.stdout.write(`${failure === null ? "✔" : "✘"} ${title} (${took})\n`);
  for (const note of notes) process.stdout.write(`    ${note}\n`);
  if (failure !== null) process.stdout.write(`    ${failure.replaceAll("\n", "\n    ")}\n`);
  rmSync(folder, { recursive: true, force: true });
  return failure === null;
}

function testOf(url: string, rate: number, seconds: number): string {
  return `import { defineTest } from "@bearhug/sdk";

export default defineTest({
  baseUrl: ${JSON.stringify(url)},
  scenarios: {
    visitors: {
      executor: "constant-arrival-rate",
      rate: ${rate},
      duration: "${seconds}s",
      maxVUs: 500,
      exec: ({ http }) => http.get("/"),
    },
  },
  thresholds: { http_req_failed: ["rate<1%"] },
});
`;
}

function runCommand(
  command: string,
  words: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv,
): Running {
  const report = join(cwd, "result.json");
  rmSync(report, { force: true });
  const out = words[1] === "list" ? [] : ["--out", `json=${report}`];
  const child = spawn(process.execPath, [command, ...words, ...out], {
    cwd,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code) => {
      resolve({ code, stderr, result: readReport(report) });
    });
  });
  return { child, ended };
}

function readReport(path: string): TestResult | null {
  try {
    return parseResult(JSON.parse(readFileSync(path, "utf8"))).result ?? null;
  } catch {
    return null;
  }
}

/** Compares a fact with the expected value. @throws with the command's output if they differ */
export function expectFact(what: string, actual: unknown, wanted: unknown, ended?: Ended): void {
  if (JSON.stringify(actual) === JSON.stringify(wanted)) return;
  const output = ended === undefined ? "" : `\n${ended.stderr}`;
  throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}${output}`);
}
