import { asMasked } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import { CheckFaultLog, type FirstFault } from "../src/check-faults.ts";

const place = { check: "has items", scenario: "readers", page: "home", group: null };
const fault = (message: string, firstAtMs = 0): FirstFault => ({
  message: asMasked(message),
  firstAtMs,
  position: null,
});

describe("the log of checks that threw", () => {
  test("counts every exception of a check, and describes only the first", () => {
    const log = new CheckFaultLog();
    log.add(place, () => fault("not JSON", 5));
    log.add(place, () => expect.unreachable());
    expect(log.drain()).toEqual([{ ...place, ...fault("not JSON", 5), count: 2 }]);
  });

  test("counts from 0 after a drain, still without another description", () => {
    const log = new CheckFaultLog();
    log.add(place, () => fault("not JSON"));
    log.drain();
    expect(log.drain()).toEqual([]);
    log.add(place, () => expect.unreachable());
    expect(log.drain()).toMatchObject([{ count: 1, message: "not JSON" }]);
  });

  test.each([
    { check: "other" },
    { scenario: "other" },
    { page: "other" },
    { page: null },
    { group: "other" },
  ])("distinguishes checks by %j", (change) => {
    const log = new CheckFaultLog();
    log.add(place, () => fault("one"));
    log.add({ ...place, ...change }, () => fault("another"));
    expect(log.faultOf(place)).toMatchObject({ count: 1, message: "one" });
    expect(log.faultOf({ ...place, ...change })).toMatchObject({ count: 1, message: "another" });
  });

  test("has no entry for a check that never threw", () => {
    expect(new CheckFaultLog().faultOf(place)).toBeUndefined();
  });

  test.each([
    { order: "in order", times: [100, 200, 300] },
    { order: "in reverse order", times: [300, 200, 100] },
  ])("merges reports of workers $order: counts add up, and the earliest exception is kept", ({ times }) => {
    const merged = new CheckFaultLog();
    for (const atMs of times) merged.merge({ ...place, ...fault(`at ${atMs}`, atMs), count: 2 });
    expect(merged.faultOf(place)).toEqual({ ...place, ...fault("at 100", 100), count: 6 });
  });
});
