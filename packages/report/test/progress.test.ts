import { displayWidth } from "@bearhug/text/display-width";
import fc from "fast-check";
import { expect, test } from "vitest";

import { renderProgress } from "../src/terminal/progress.ts";
import { snapshotOf } from "./snapshot-of.ts";

const wide = { colors: false, width: 120, unicode: true };
const plain = (text: string) => text.replaceAll("\u202f", " ");

test.each([
  [{}, "━━━━────── 12 s of 30 s · 50 VUs · 1204 iterations · 16 048 requests · 178/s · p95 21.0 ms"],
  [
    { failedRate: 0.0042, dropped: 3, p95Ms: null },
    "━━━━────── 12 s of 30 s · 50 VUs · 1204 iterations · 16 048 requests · 178/s · 0.42 % failed · 3 dropped",
  ],
  [
    { plannedMs: null, p95Ms: 1200, isP95LowerBound: true },
    "12 s · 50 VUs · 1204 iterations · 16 048 requests · 178/s · p95 ≥1.20 s",
  ],
  [{ plannedMs: null, vus: 1 }, "12 s · 1 VU · 1204 iterations · 16 048 requests · 178/s · p95 21.0 ms"],
  [
    { atMs: 31_002 },
    "━━━━━━━━━━ 31 s, ending · 50 VUs · 1204 iterations · 16 048 requests · 178/s · p95 21.0 ms",
  ],
])("progress is one line that describes %j", (parts, expected) => {
  expect(plain(renderProgress(snapshotOf(parts), wide))).toBe(expected);
});

test("on a narrow terminal, the least important parts are omitted", () => {
  const snapshot = snapshotOf({ failedRate: 0.5 });
  expect(renderProgress(snapshot, { ...wide, width: 80 })).toBe(
    "━━━━────── 12 s of 30 s · 50 VUs · 178/s · p95 21.0 ms · 50.00 % failed",
  );
  expect(renderProgress(snapshot, { ...wide, width: 50, unicode: false })).toBe(
    "####...... 12 s of 30 s - 178/s - 50.00 % failed",
  );
});

test("the line leaves the terminal's last column free, whatever it contains", () => {
  const amount = fc.nat(2_000_000_000);
  const snapshot = fc.record({
    atMs: amount,
    plannedMs: fc.option(amount),
    vus: amount,
    iterations: amount,
    requests: amount,
    requestRate: fc.double({ min: 0, max: 1e7, noNaN: true }),
    failedRate: fc.double({ min: 0, max: 1, noNaN: true }),
    p95Ms: fc.option(fc.double({ min: 0, max: 1e7, noNaN: true })),
    dropped: amount,
  });
  fc.assert(
    fc.property(snapshot, fc.integer({ min: 40, max: 120 }), fc.boolean(), (parts, width, unicode) => {
      const line = renderProgress(snapshotOf(parts), { colors: false, width, unicode });
      expect(displayWidth(line)).toBeLessThan(width);
      if (!unicode) expect(line).toMatch(/^[\x20-\x7e]*$/);
    }),
  );
});
