import { expect, test } from "vitest";

import {
  abortedByThreshold,
  inScenario,
  killedProcess,
  killedWithProcess,
  lostWithShard,
  lostWorkers,
  reachedLimit,
  signalledTeardown,
} from "../../../src/outcome/verdict/cut-short.ts";
import { endingOf, failedThreshold, scenarioOf } from "./ending-of.ts";

test("a load that the test aborted was not complete when the process was killed in teardown", () => {
  const killed = { isTruncated: true, durationMs: 2000, isLoadOver: true };
  expect(killedProcess(endingOf(killed))[0]?.message).toContain("after the load was complete");
  expect(killedProcess(endingOf({ ...killed, abortReason: "enough" }))[0]?.message).toContain(
    "after the load had ended",
  );
});

test("workers that were lost with their process or shard are not reported one by one", () => {
  const workers = [killedWithProcess, "out of memory", `${lostWithShard} (shard 2)`, null].map(
    (lost, id) => ({
      id,
      lost,
      isRunning: false,
    }),
  );
  expect(lostWorkers(endingOf({ workers })).map(({ message }) => message)).toEqual([
    "worker 1 was lost: out of memory",
  ]);
});

test("a worker that was lost is reported with the place of its scenario", () => {
  const workers = [{ id: 0, lost: `ran out of heap${inScenario}visits`, isRunning: false }];
  const scenario = scenarioOf({ source: { file: "shop.ts", line: 3, column: 5 } });
  expect(lostWorkers(endingOf({ workers, scenarios: [scenario] }))[0]?.message).toBe(
    "worker 0 was lost: ran out of heap in scenario visits at shop.ts:3:5",
  );
});

test.each([
  [null, "interrupted by SIGTERM in teardown, after the load ended; teardown was cut off"],
  ["SIGINT", "a second signal arrived; teardown was cut off"],
])("a signal that cuts teardown off, after %s had ended the load, is reported", (interruptedBy, message) => {
  const teardownSignal = { signal: "SIGTERM", hasCutOff: true };
  expect(signalledTeardown(endingOf({ teardownSignal, interruptedBy }))).toEqual([{ code: 105, message }]);
});

test("a run that reached its limit of data passes, and says so", () => {
  expect(reachedLimit(endingOf({ endedBy: "data" }))).toEqual([
    { code: 0, message: "ended early: the run reached its --max-data limit" },
  ]);
  const shard = { index: 0, count: 3 };
  expect(reachedLimit(endingOf({ endedBy: "data", shard }))).toEqual([
    { code: 0, message: "ended early: the shard reached its part of --max-data" },
  ]);
});

test("a threshold that ended the load is noted, and fails the run if it holds at the end", () => {
  const abortedBy = "queue: value<5";
  const message = "ended early when queue: value<5 failed";
  expect(abortedByThreshold(endingOf({ abortedBy }))).toEqual([
    { code: 99, message: `${message}; it held again at the end, but the rest of the load is missing` },
  ]);
  const unjudged = [
    { shard: { index: 0, count: 3 } },
    { interruptedBy: "SIGINT" },
    { thresholds: [failedThreshold] },
  ];
  for (const changes of unjudged)
    expect(abortedByThreshold(endingOf({ abortedBy, ...changes }))).toEqual([{ code: 0, message }]);
});
