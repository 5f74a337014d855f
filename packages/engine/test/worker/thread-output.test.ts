import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import { expect, test } from "vitest";

test("a thread that flushed its output can be terminated without losing any, however late that is read", async () => {
  const worker = new Worker(new URL("fixtures/prints-and-ends.ts", import.meta.url), { stdout: true });
  let hasEnded = false;
  const ended = once(worker, "message").then(() => {
    hasEnded = true;
    return worker.terminate();
  });
  await once(worker, "online");
  await delay(300);
  expect(hasEnded).toBe(false);
  const printed = text(worker.stdout);
  await ended;
  expect((await printed).split("\n")).toEqual([
    ...Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}`),
    "",
  ]);
});
