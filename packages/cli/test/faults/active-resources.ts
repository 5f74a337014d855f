import { setTimeout as sleep } from "node:timers/promises";

import { expect, onTestFinished } from "vitest";

/** Those of the test runner come and go. */
const ofTheRunner: ReadonlySet<string> = new Set([
  "Immediate",
  "MessagePort",
  "FSReqCallback",
  "FSReqPromise",
]);

function countResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    if (!ofTheRunner.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

function moreThan(before: ReadonlyMap<string, number>): string[] {
  return [...countResources()].flatMap(([type, count]) => {
    const more = count - (before.get(type) ?? 0);
    return more > 0 ? [`${more} ${type}`] : [];
  });
}

/** When the test and all that it closes is over, the process has no more sockets, servers and timers than it has now. */
export function expectNothingLeft(): void {
  const before = countResources();
  // One is the runner's, which bounds the test and is gone by then.
  before.delete("Timeout");
  // The first that is registered runs last.
  onTestFinished(async () => {
    for (let waits = 0; waits < 100 && moreThan(before).length > 0; waits++) await sleep(20);
    expect(moreThan(before)).toEqual([]);
  });
}
