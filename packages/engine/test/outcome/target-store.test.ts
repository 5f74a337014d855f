import { TargetLog, type TargetDelta } from "@bearhug/metrics/target-log";
import { expect, test } from "vitest";

import { TargetStore, type Target } from "../../src/outcome/target-store.ts";

const shop = "http://127.0.0.1:8080";

test("a log counts by scenario and host, and starts anew when it is drained", () => {
  const log = new TargetLog();
  log.succeeded("readers", shop, 1010);
  log.failed("readers", shop);
  log.succeeded("readers", shop, 1020);
  log.failed("readers", shop);
  log.failed("buyers", shop);
  log.failed("readers", null);
  const lastSuccess = { atMs: 20, failedSince: 1 };
  expect(log.drain(1000)).toEqual([
    { scenario: "readers", origin: shop, succeeded: 2, failed: 2, lastSuccess },
    { scenario: "readers", origin: null, succeeded: 0, failed: 1 },
    { scenario: "buyers", origin: shop, succeeded: 0, failed: 1 },
  ]);
  expect(log.drain(1000)).toEqual([]);
  log.failed("readers", shop);
  expect(log.drain(1000)).toEqual([{ scenario: "readers", origin: shop, succeeded: 0, failed: 1 }]);
});

test("a log distinguishes a hundred hosts of a scenario, and counts the others together", () => {
  const log = new TargetLog();
  for (let host = 0; host < 150; host++) log.failed("readers", `http://host-${host}`);
  const drained = log.drain(0);
  expect(drained).toHaveLength(101);
  expect(drained.at(-1)).toEqual({ scenario: "readers", origin: "(other)", succeeded: 0, failed: 50 });
});

/** Returns the target of a host after each worker has reported these counts, one for each second. */
function storeOf(...reported: (readonly Partial<TargetDelta>[])[]): Target {
  const store = new TargetStore();
  for (const deltas of reported)
    for (const [second, delta] of deltas.entries())
      store.add(second, [{ scenario: "readers", origin: shop, succeeded: 0, failed: 0, ...delta }]);
  const [target] = store.all();
  return target ?? expect.unreachable("no target was reported");
}

const lastAt = (atMs: number, failedSince = 0) => ({ succeeded: 10, lastSuccess: { atMs, failedSince } });

test("a store adds the counts of all workers", () => {
  const { counts } = storeOf([lastAt(990), { failed: 3 }], [lastAt(900, 2), lastAt(1900)]);
  expect(counts).toEqual({ succeeded: 30, failed: 3 });
});

test("failures in a row are counted from the last success of all workers, to the millisecond", () => {
  const dies = storeOf([lastAt(990), { ...lastAt(1600, 4), failed: 5 }, { failed: 7 }], [lastAt(950)]);
  expect(dies.failedInARow(1600)).toBeNull();
  expect(dies.failedInARow(1601)).toBe(11);
  expect(dies.failedInARow(3000)).toBe(11);
});

test("failures of other workers in the second of the last success do not count as after it", () => {
  const dies = storeOf([lastAt(800, 2), { failed: 1 }], [{ failed: 9 }]);
  expect(dies.failedInARow(900)).toBe(3);
});

test("a success that was reported in the snapshot of the second before counts at its own time", () => {
  expect(storeOf([lastAt(990), lastAt(2050), { failed: 7 }]).failedInARow(2000)).toBeNull();
});

test("without the time of the last success, it is taken to be at the end of its second", () => {
  const dies = storeOf([{ succeeded: 10 }, { succeeded: 10, failed: 3 }, { failed: 7 }]);
  expect(dies.failedInARow(2000)).toBeNull();
  expect(dies.failedInARow(2001)).toBe(7);
});

test("failures of a host that never answered are counted from the given time on", () => {
  expect(storeOf([{ failed: 5 }, { failed: 6 }, { failed: 7 }]).failedInARow(1500)).toBe(13);
});

test("the first redirect of a scenario and host is reported once, and the earliest of all workers is kept", () => {
  const redirect = (atMs: number) => ({ atMs, name: "GET /", status: 302, location: `${shop}/login` });
  const log = new TargetLog();
  const unused = (): never => expect.unreachable("one is enough");
  log.redirected("readers", shop, () => null);
  log.redirected("readers", shop, () => redirect(30));
  log.redirected("readers", shop, unused);
  log.succeeded("readers", shop, 40);
  const first = log.drain(0);
  expect(first).toMatchObject([{ succeeded: 1, redirect: redirect(30) }]);
  log.redirected("readers", shop, unused);
  log.succeeded("readers", shop, 50);
  expect(log.drain(0)[0]).not.toHaveProperty("redirect");
  const store = new TargetStore();
  expect(store.firstRedirect).toBeNull();
  store.add(0, first);
  store.add(0, [{ scenario: "readers", origin: shop, succeeded: 1, failed: 0, redirect: redirect(10) }]);
  expect(store.firstRedirect).toEqual(redirect(10));
});
