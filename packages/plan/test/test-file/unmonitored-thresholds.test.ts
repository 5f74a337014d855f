import { expect, test } from "vitest";

import type { WrittenOptions } from "../../src/test-file/run-options.ts";
import { unmonitoredThresholds } from "../../src/test-file/thresholds.ts";
import { optionsOf } from "./tests-for-plans.ts";

const [onCpu] = optionsOf({ threshold: ["server.cpu: avg<80%"] }).thresholds;

function problemsOf(written: WrittenOptions): readonly string[] {
  const options = optionsOf(written);
  const found = unmonitoredThresholds(options.thresholds, {}, options);
  for (const { code, path } of found)
    expect([code, path]).toEqual(["INVALID_OPTION", 'thresholds["server.cpu"]']);
  return found.map(({ message }) => message);
}

const threshold = ["server.cpu: avg<80%", "http_reqs: count>1"];

test("a threshold on a gauge needs the monitor that it names", () => {
  expect(problemsOf({ threshold })).toEqual([
    'Threshold "server.cpu": no monitor is called server. Add --monitor server=URL or --monitor-pid server=PID. With allowEmpty: true, the threshold passes without it.',
  ]);
  expect(problemsOf({ threshold, monitorPid: ["app=1"], monitor: ["db=http://127.0.0.1:9100"] })).toEqual([
    expect.stringContaining("no monitor is called server. There is db, app. Add --monitor server=URL"),
  ]);
  expect(problemsOf({ threshold, monitorPid: ["1"] })).toEqual([]);
});

test("a threshold that may be empty needs no monitor, nor does one of a shard, which judges nothing", () => {
  const empty = { ...onCpu!, allowEmpty: true };
  expect(unmonitoredThresholds([empty], {}, optionsOf({}))).toEqual([]);
  expect(problemsOf({ threshold, shard: "1/2" })).toEqual([]);
});

test("a threshold on a dotted metric of the test's own needs no monitor", () => {
  const metrics = { "shop.basket": { type: "trend", unit: null } } as const;
  const options = optionsOf({ threshold: ["shop.basket: p(95)<9"] });
  expect(unmonitoredThresholds(options.thresholds, metrics, options)).toEqual([]);
});
