import fc from "fast-check";
import { expect, test } from "vitest";

import { ClockOffset } from "../../../src/cluster/wire/clock-offset.ts";

test("nothing is known before the first exchange", () => {
  const offset = new ClockOffset();
  expect(offset.aheadMs).toBeNull();
  expect(offset.roundTripMs).toBeNull();
});

test("the exchange with the shortest round trip counts", () => {
  const offset = new ClockOffset();
  offset.add({ sentAtMs: 0, answeredAtMs: 5090, receivedAtMs: 100 });
  offset.add({ sentAtMs: 200, answeredAtMs: 5201, receivedAtMs: 202 });
  offset.add({ sentAtMs: 300, answeredAtMs: 5301, receivedAtMs: 330 });
  expect(offset.aheadMs).toBe(5000);
  expect(offset.roundTripMs).toBe(2);
});

const delay = fc.double({ min: 0, max: 1000, noNaN: true });

test("the error is at most half of the shortest round trip", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.array(fc.tuple(delay, delay), { minLength: 1 }),
      (aheadMs, delays) => {
        const offset = new ClockOffset();
        for (const [thereMs, backMs] of delays)
          offset.add({ sentAtMs: 0, answeredAtMs: thereMs + aheadMs, receivedAtMs: thereMs + backMs });
        const error = Math.abs((offset.aheadMs ?? Number.NaN) - aheadMs);
        expect(error).toBeLessThanOrEqual((offset.roundTripMs ?? 0) / 2 + 1e-6);
      },
    ),
  );
});
