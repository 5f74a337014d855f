import { expect, test } from "vitest";

import { heapLimitMb, maxUsedBytes } from "../../src/run/thread-pool.ts";

const gib = 2 ** 30;

test.for([
  { machine: 16, workers: 1, mayFetch: true, limitMb: 2048 },
  { machine: 16, workers: 4, mayFetch: true, limitMb: 2048 },
  { machine: 16, workers: 4, mayFetch: false, limitMb: 1536 },
  { machine: 16, workers: 15, mayFetch: true, limitMb: 768 },
  { machine: 2, workers: 2, mayFetch: true, limitMb: 512 },
  { machine: 2, workers: 2, mayFetch: false, limitMb: 512 },
  { machine: 1, workers: 8, mayFetch: true, limitMb: 384 },
])(
  "of $workers workers on $machine GiB, each may have $limitMb MB (fetch: $mayFetch)",
  ({ machine, workers, mayFetch, limitMb }) => {
    expect(heapLimitMb(workers, mayFetch, machine * gib)).toBe(limitMb);
  },
);

test("a heap may use three quarters of V8's limit", () => {
  expect(maxUsedBytes(2048)).toBe(1.5 * gib);
});
