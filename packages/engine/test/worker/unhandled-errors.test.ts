import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { expect, test } from "vitest";

test("unhandled rejections and uncaught exceptions are counted and do not end the worker, except the hard stop's own signal", async () => {
  const worker = new Worker(new URL("fixtures/unhandled.ts", import.meta.url));
  const [{ load, warmup }] = (await once(worker, "message")) as [{ load: unknown; warmup: unknown }];
  await worker.terminate();
  expect(load).toMatchObject([
    {
      code: "UNHANDLED_REJECTION",
      message: "TypeError: nobody waited",
      count: 3,
      name: "(outside an iteration)",
    },
    { code: "UNCAUGHT_EXCEPTION", message: "RangeError: nobody caught", count: 1 },
  ]);
  expect(load).toHaveLength(2);
  // No error is reported as earlier than the start of the load.
  expect(warmup).toMatchObject([
    { message: "TypeError: nobody waited in the warm-up", count: 1, firstAtMs: 0 },
  ]);
});

test("errors before the load are held in bearhug's own threads, and left to a program that runs a test in its own thread", async () => {
  const worker = new Worker(new URL("fixtures/hold.ts", import.meta.url));
  const [listeners] = (await once(worker, "message")) as [unknown];
  await worker.terminate();
  expect(listeners).toEqual({ asGuest: 0, inOwn: 1 });
});
