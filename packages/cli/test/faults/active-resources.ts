import { setTimeout as sleep } from "node:timers/promises";

import { expect, onTestFinished } from "vitest";

/** Types of resources that the test runner opens and closes at any time. */
const runnerTypes: ReadonlySet<string> = new Set([
  "Immediate",
  "MessagePort",
  "FSReqCallback",
  "FSReqPromise",
]);

function countResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    if (!runnerTypes.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

function moreThan(before: ReadonlyMap<string, number>): string[] {
  return [...countResources()].flatMap(([type, count]) => {
    const more = count - (before.get(type) ?? 0);
    return more > 0 ? [`${more} ${type}`] : [];
  });
}

/** Expects that after the test and its clean-up no more sockets, servers and timers are open than now. */
export function expectNothingLeft(): void {
  const before = countResources();
  // One is the runner's time limit for the test, which is gone by then.
  before.delete("Timeout");
  // Such hooks run in reverse order: the first one registered runs last.
  onTestFinished(async () => {
    for (let waits = 0; waits < 100 && moreThan(before).length > 0; waits++) await sleep(20);
    expect(moreThan(before)).toEqual([]);
  });
}
