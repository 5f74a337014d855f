import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { describe, expect, test } from "vitest";

import { SharedTickets } from "../../src/protocol/shared-tickets.ts";

const drawer = new URL("fixtures/draw-tickets.ts", import.meta.url);

async function drawInThread(buffer: SharedArrayBuffer, limit: number): Promise<number[]> {
  const worker = new Worker(drawer, { workerData: { buffer, limit } });
  const [drawn] = (await once(worker, "message")) as [number[]];
  await worker.terminate();
  return drawn;
}

describe("shared tickets", () => {
  test("are drawn in order up to the limit, separately for each scenario", () => {
    const tickets = new SharedTickets(2);
    expect([1, 2, 3, 4].map(() => tickets.draw(0, 3))).toEqual([0, 1, 2, null]);
    expect(tickets.draw(1, 1)).toBe(0);
    expect(tickets.draw(1, 1)).toBeNull();
    expect(tickets.draw(0, 3)).toBeNull();
  });

  test("exist even if a plan has no scenario", () => {
    expect(new SharedTickets(0).draw(0, 1)).toBe(0);
  });

  test("are each drawn by one thread only, and all of them", async () => {
    const limit = 200_000;
    const { buffer } = new SharedTickets(2);
    const drawn = await Promise.all([1, 2, 3].map(() => drawInThread(buffer, limit)));
    const all = drawn.flat();
    expect(all).toHaveLength(limit);
    expect(new Set(all).size).toBe(limit);
    expect(all.every((ticket) => ticket >= 0 && ticket < limit)).toBe(true);
  });
});
