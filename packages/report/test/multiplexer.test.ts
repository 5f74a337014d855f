import type { IntervalSnapshot } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { createMultiplexer } from "../src/multiplexer.ts";
import type { Reporter } from "../src/reporter.ts";
import { ReportNotWritten } from "../src/write-report.ts";
import { passed } from "./results.ts";
import { snapshotOf } from "./snapshot-of.ts";

function recorder(): Reporter & { seen: unknown[] } {
  const seen: unknown[] = [];
  return {
    name: "recorder",
    seen,
    onInterval: (snapshot: IntervalSnapshot) => void seen.push(snapshot.atMs),
    onEnd: (result) => void seen.push(result.verdict),
  };
}

function thrower(error: unknown): Reporter {
  const fail = () => {
    throw error;
  };
  return { name: "thrower", onInterval: fail, onEnd: fail };
}

test("a reporter that throws is reported once, and does not affect the run or other reporters", async () => {
  const lines: string[] = [];
  const good = recorder();
  const all = createMultiplexer([thrower(new Error("no \u001b[31mbear")), good], (line) => lines.push(line));
  all.onInterval(snapshotOf({ atMs: 1000 }));
  all.onInterval(snapshotOf({ atMs: 2000 }));
  const { problems } = await all.onEnd(passed);
  expect(good.seen).toEqual([1000, 2000, "passed"]);
  expect(problems).toEqual([expect.any(ReportNotWritten)]);
  expect(lines).toEqual([
    "The thrower reporter failed: Error: no \\e[31mbear",
    "report not written: no \\e[31mbear (thrower)",
  ]);
});

test("a reporter that throws during the run has not written its report, although its end succeeds", async () => {
  const fail = () => {
    throw new Error("no database");
  };
  const early = { name: "early", onInterval: fail };
  const late = { name: "late", onInterval: () => Promise.reject(new Error("timed out")) };
  const reporters = [early, late].map((one) => ({ ...one, onEnd: () => undefined }));
  const all = createMultiplexer([...reporters, recorder()], () => {});
  all.onInterval(snapshotOf({ atMs: 1000 }));
  const { problems, written } = await all.onEnd(passed);
  expect(problems.map(({ message }) => message)).toEqual([
    "report not written: no database (early)",
    "report not written: timed out (late)",
  ]);
  expect(written.map(({ name }) => name)).toEqual(["recorder"]);
});

test("a report that could not be written is a problem with the system's error message", async () => {
  const cause = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  const json = {
    name: "json",
    onEnd: () => Promise.reject(new ReportNotWritten("json", cause, "result.json")),
  };
  const { problems } = await createMultiplexer([json, recorder()], () => {}).onEnd(passed);
  expect(problems.map(({ message }) => message)).toEqual([
    "report not written: ENOSPC: no space left on device, write (json to result.json)",
  ]);
});

test("a reporter may throw something other than an error", async () => {
  const { problems } = await createMultiplexer([thrower(null), thrower("why")], () => {}).onEnd(passed);
  expect(problems.map(({ message }) => message)).toEqual([
    "report not written: null (thrower)",
    "report not written: why (thrower)",
  ]);
});

test("only a reporter that wants series receives them, and the remaining ones at the end", () => {
  const seen: unknown[] = [];
  const reporter = (name: string, wantsSeries: boolean): Reporter => ({
    name,
    wantsSeries,
    onEnd: () => undefined,
    onInterval: ({ atMs, series }) => void seen.push([name, atMs, series]),
  });
  const series = [{ metric: "pages", unit: null, tags: {}, type: "counter", sum: 2 }] as const;
  const all = createMultiplexer([reporter("wants", true), reporter("does not", false)], () => {});
  expect(all.wantsSeries).toBe(true);
  all.onInterval(snapshotOf({ atMs: 1000, series }));
  all.onFinalSeries(snapshotOf({ atMs: 1500, series }));
  expect(seen).toEqual([
    ["wants", 1000, series],
    ["does not", 1000, undefined],
    ["wants", 1500, series],
  ]);
});
