import { expect, test } from "vitest";

import { parseSchedstat, readThreadQueues } from "../../src/health/thread-queues.ts";

test("the second number of schedstat is the time in a core's queue, in nanoseconds", () => {
  expect(parseSchedstat("1057508 4059837 3\n")).toBe(4.059837);
});

test.each(["", "0 0", "a b c", "1 2 3 4"])("%j is not a schedstat", (text) => {
  expect(parseSchedstat(text)).toBeNull();
});

test.runIf(process.platform === "linux")("each thread of this process has waited for a core by now", () => {
  const queues = [...(readThreadQueues()?.values() ?? [])];
  expect(queues.length).toBeGreaterThan(1);
  expect(queues.some((queuedMs) => queuedMs > 0)).toBe(true);
});
