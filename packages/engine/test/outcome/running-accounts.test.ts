import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { expect, test } from "vitest";

import { accountIterations, accountRequests } from "../../src/outcome/account.ts";

test("accounts that are read while a worker still counts also balance, and are never negative", async () => {
  const accounting = new SharedAccounting();
  const worker = new Worker(
    new URL("../../../plan/test/protocol/fixtures/count-without-end.ts", import.meta.url),
    {
      workerData: accounting.buffer,
    },
  );
  await once(worker, "message");
  let lastStarted = 0;
  for (let look = 0; look < 300 || lastStarted <= 1000; look++) {
    const iterations = accountIterations([accounting]);
    expect(iterations.started).toBe(iterations.completed + iterations.failed + iterations.lost);
    expect(iterations.lost).toBeGreaterThanOrEqual(0);
    expect(iterations.started).toBeGreaterThanOrEqual(lastStarted);
    lastStarted = iterations.started;
    for (const { name, started, sent, succeeded, failed, lost } of accountRequests([accounting])) {
      const text = `${name} in look ${look}`;
      expect(lost, text).toBeGreaterThanOrEqual(0);
      expect(started, text).toBe(succeeded + failed + lost);
      expect(sent, text).toBeLessThanOrEqual(started);
      expect(succeeded + failed, text).toBeLessThanOrEqual(sent);
    }
  }
  await worker.terminate();
});
