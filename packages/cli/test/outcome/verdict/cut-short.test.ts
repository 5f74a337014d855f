import { expect, test } from "vitest";

import {
  killedProcess,
  killedWithProcess,
  lostWorkers,
  receivedEnough,
  signalledTeardown,
} from "../../../src/outcome/verdict/cut-short.ts";
import { endingOf } from "./ending-of.ts";

test("a load that the test aborted was not complete when the process was killed in teardown", () => {
  const killed = { isTruncated: true, durationMs: 2000, isLoadOver: true };
  expect(killedProcess(endingOf(killed))[0]?.message).toContain("after the load was complete");
  expect(killedProcess(endingOf({ ...killed, abortReason: "enough" }))[0]?.message).toContain(
    "after the load had ended",
  );
});

test("workers that were killed with the process are not told of one by one", () => {
  const workers = [killedWithProcess, "out of memory", null].map((lost, id) => ({
    id,
    lost,
    isRunning: false,
  }));
  expect(lostWorkers(endingOf({ workers })).map(({ message }) => message)).toEqual([
    "worker 1 was lost: out of memory",
  ]);
});

test.each([
  [null, "interrupted by SIGTERM in teardown, after the load ended; teardown was cut off"],
  ["SIGINT", "a second signal arrived; teardown was cut off"],
])("a signal that cuts teardown off, after %s had ended the load, is told", (interruptedBy, message) => {
  const teardownSignal = { signal: "SIGTERM", hasCutOff: true };
  expect(signalledTeardown(endingOf({ teardownSignal, interruptedBy }))).toEqual([{ code: 105, message }]);
});

test("a run that reached its limit of data passes, and says so", () => {
  expect(receivedEnough(endingOf({ hasReceivedEnough: true }))).toEqual([
    { code: 0, message: "ended early: the run reached its --max-data limit" },
  ]);
  const shard = { index: 0, count: 3 };
  expect(receivedEnough(endingOf({ hasReceivedEnough: true, shard }))).toEqual([
    { code: 0, message: "ended early: the shard reached its part of --max-data" },
  ]);
});
