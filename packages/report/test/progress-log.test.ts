import { describe, expect, test } from "vitest";

import { ProgressLog } from "../src/terminal/progress-log.ts";
import { snapshotOf } from "./snapshot-of.ts";

type Snapshot = ReturnType<typeof snapshotOf>;

function linesOf(seconds: readonly Partial<Snapshot>[], unicode = true): string[] {
  const log = new ProgressLog();
  return seconds.flatMap((parts) => log.add(snapshotOf(parts), unicode) ?? []);
}

describe("progress for a log", () => {
  test("is written every 10 s, however late the snapshots are", () => {
    const lines = linesOf([2000, 9_990, 10_900, 11_900, 20_000, 20_990, 43_000].map((atMs) => ({ atMs })));
    expect(lines.map((line) => line.replace(/:.*/, ""))).toEqual([
      "10 s of 30 s",
      "20 s of 30 s",
      "43 s, ending",
    ]);
  });

  test("shows the rate and failures since the last line, not only those of the last second", () => {
    const [first, second] = linesOf([
      { atMs: 5_000, requestRate: 100, failedRate: 0 },
      { atMs: 10_000, requestRate: 300, failedRate: 0.5 },
      { atMs: 15_000, requestRate: 40, failedRate: 0.25 },
      { atMs: 20_000, requestRate: 0, failedRate: 0 },
    ]);
    expect(first).toContain(" 200/s, 37.50 % failed,");
    expect(second).toContain(" 20.0/s, 25.00 % failed,");
  });

  test.each([
    [{ plannedMs: null, vus: 1 }, "12 s: 16 048 requests, 178/s, 0 % failed, 1 VU"],
    [{ dropped: 3 }, "12 s of 30 s: 16 048 requests, 178/s, 0 % failed, 50 VUs, 3 dropped"],
    [{ isWarmup: true }, "12 s of 30 s: 16 048 requests, warming up, 0 % failed, 50 VUs"],
    [
      { missingAgents: ["web-2"] },
      "12 s of 30 s: 16 048 requests, 178/s, 0 % failed, 50 VUs, agent web-2 is missing",
    ],
    [{ requests: 0, requestRate: 0 }, "12 s of 30 s: 0 requests, 0/s, 0 % failed, 50 VUs"],
  ])("is one line that describes %j", (parts, expected) => {
    expect(linesOf([parts], false)).toEqual([expected]);
  });
});
