import { onTestFinished } from "vitest";

import { runBearhug, writeTest } from "../end-to-end/run-bearhug.ts";
import type { Ended } from "../kept-process/command-line.ts";
import {
  healthyKinds,
  startTarget,
  type BrokenTarget,
  type TargetKind,
  type TargetOptions,
} from "./broken-target.ts";

/** The outcome of a command against one kind of target. */
export interface Met extends Ended {
  readonly kind: TargetKind;
  readonly isHealthy: boolean;
  readonly firstLine: string;
}

/** Starts a target that is closed when the test ends. */
export async function startForTest(kind: TargetKind, options: TargetOptions): Promise<BrokenTarget> {
  const target = await startTarget(kind, options);
  onTestFinished(() => target.close());
  return target;
}

/** Runs a command against each kind of target, `atOnce` at the same time. */
export async function meetAll(
  kinds: readonly TargetKind[],
  options: TargetOptions,
  commandFor: (target: BrokenTarget) => readonly string[] | Promise<readonly string[]>,
  atOnce: number = kinds.length,
): Promise<Met[]> {
  const met: Met[] = [];
  const waiting = [...kinds];
  const meetWaiting = async (): Promise<void> => {
    for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift()) {
      const target = await startForTest(kind, options);
      const ended = await runBearhug(await commandFor(target));
      const [firstLine = ""] = ended.stdout.split("\n");
      met.push({ ...ended, kind, isHealthy: healthyKinds.has(kind), firstLine });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, meetWaiting));
  return met;
}

/** Writes a test with a closed model whose graceful stop takes only half a second. */
export function closedTest(baseUrl: string, seconds: number): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ name: "home", baseUrl: "${baseUrl}", scenarios: { visits: {
  executor: "constant-vus", vus: 4, duration: "${seconds}s", gracefulStop: "500ms", exec: ({ http }) => http.get("/"),
} } });`);
}

/** Describes the commands with a wrong exit code: healthy targets must pass, and broken ones fail. */
export function wrongEnds(met: readonly Met[]): string[] {
  return met
    .filter(({ isHealthy, exitCode }) => exitCode !== (isHealthy ? 0 : 99))
    .map(({ kind, exitCode, stdout, stderr }) => `${kind}: exit ${exitCode ?? "none"}\n${stdout}\n${stderr}`);
}
