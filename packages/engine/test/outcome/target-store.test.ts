import { TargetLog } from "@bearhug/metrics/target-log";
import { expect, test } from "vitest";

import { TargetStore } from "../../src/outcome/target-store.ts";

const shop = "http://127.0.0.1:8080";

test("a log counts by scenario and host, and starts anew when it is drained", () => {
  const log = new TargetLog();
  log.count("readers", shop, false);
  log.count("readers", shop, false);
  log.count("buyers", shop, true);
  log.count("readers", null, true);
  expect(log.drain()).toEqual([
    { scenario: "readers", origin: shop, succeeded: 2, failed: 0 },
    { scenario: "readers", origin: null, succeeded: 0, failed: 1 },
    { scenario: "buyers", origin: shop, succeeded: 0, failed: 1 },
  ]);
  expect(log.drain()).toEqual([]);
  log.count("buyers", shop, false);
  expect(log.drain()).toEqual([{ scenario: "buyers", origin: shop, succeeded: 1, failed: 0 }]);
});

test("a log tells a hundred hosts of a scenario apart, and counts the others together", () => {
  const log = new TargetLog();
  for (let host = 0; host < 150; host++) log.count("readers", `http://host-${host}`, false);
  const drained = log.drain();
  expect(drained).toHaveLength(101);
  expect(drained.at(-1)).toEqual({ scenario: "readers", origin: "(other)", succeeded: 50, failed: 0 });
});

test("a store adds the counts of all workers, and splits them at a moment: its second counts as since", () => {
  const store = new TargetStore();
  for (let second = 0; second < 10; second++)
    for (const failed of [0, 1])
      store.add(second, [{ scenario: "readers", origin: shop, succeeded: 10, failed }]);
  const [target] = store.all();
  expect(target?.splitAt(9000)).toEqual({
    before: { succeeded: 180, failed: 9 },
    since: { succeeded: 20, failed: 1 },
  });
  expect(target?.splitAt(8500)).toMatchObject({ since: { succeeded: 40, failed: 2 } });
  expect(target?.splitAt(0)).toMatchObject({ before: { succeeded: 0, failed: 0 } });
});

test("the first redirect of a scenario and host is told once, and the earliest of all workers is kept", () => {
  const redirect = (atMs: number) => ({ atMs, name: "GET /", status: 302, location: `${shop}/login` });
  const log = new TargetLog();
  const unused = (): never => expect.unreachable("one is enough");
  log.redirected("readers", shop, () => null);
  log.redirected("readers", shop, () => redirect(30));
  log.redirected("readers", shop, unused);
  log.count("readers", shop, false);
  const first = log.drain();
  expect(first).toMatchObject([{ succeeded: 1, redirect: redirect(30) }]);
  log.redirected("readers", shop, unused);
  log.count("readers", shop, false);
  expect(log.drain()[0]).not.toHaveProperty("redirect");
  const store = new TargetStore();
  expect(store.firstRedirect).toBeNull();
  store.add(0, first);
  store.add(0, [{ scenario: "readers", origin: shop, succeeded: 1, failed: 0, redirect: redirect(10) }]);
  expect(store.firstRedirect).toEqual(redirect(10));
});
