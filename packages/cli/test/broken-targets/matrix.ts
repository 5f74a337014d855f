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

/** How a command met one kind of target. */
export interface Met extends Ended {
  readonly kind: TargetKind;
  readonly isHealthy: boolean;
  readonly firstLine: string;
}

/** A target that is gone when the test has ended. */
export async function startForTest(kind: TargetKind, options: TargetOptions): Promise<BrokenTarget> {
  const target = await startTarget(kind, options);
  onTestFinished(() => target.close());
  return target;
}

/** Runs a command against each kind of target, so many at the same time. */
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

/** A closed model whose end waits for half a second only. */
export function closedTest(baseUrl: string, seconds: number): string {
  return writeTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({ name: "home", baseUrl: "${baseUrl}", scenarios: { visits: {
  executor: "constant-vus", vus: 4, duration: "${seconds}s", gracefulStop: "500ms", exec: ({ http }) => http.get("/"),
} } });`);
}

/** One line for each that ended as no person would call it: for the message of a test. */
export function wrongEnds(met: readonly Met[]): string[] {
  return met
    .filter(({ isHealthy, exitCode }) => exitCode !== (isHealthy ? 0 : 99))
    .map(({ kind, exitCode, stdout, stderr }) => `${kind}: exit ${exitCode ?? "none"}\n${stdout}\n${stderr}`);
}
