import { expect, test } from "vitest";

import { healthyKinds, targetKinds } from "../broken-targets/broken-target.ts";
import { closedTest, meetAll, startForTest, wrongEnds } from "../broken-targets/matrix.ts";
import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";

/** More would make the load generators slow. */
const atOnce = 3;
const accepted = ["--allow", "generator", "--allow-saturated", "--rate-tolerance", "5%", "--workers", "0"];

test("ab-test is red for every new side that breaks, and for no healthy one", async () => {
  const options = { breaksAfterMs: 4000 };
  const base = await startForTest("healthy", options);
  const met = await meetAll(
    targetKinds,
    options,
    ({ url }) => ["ab-test", closedTest(base.url, 20), "--base", base.url, "--new", url, ...accepted],
    atOnce,
  );
  expect(wrongEnds(met)).toEqual([]);
  for (const { firstLine, isHealthy } of met) if (!isHealthy) expect(firstLine).toMatch(/^✗ REGRESSED: /);
});

test("run --baseline is red for every target that breaks, and for no healthy one", async () => {
  const options = { breaksAfterMs: 4000 };
  const path = `${temporaryFolder()}/base.json`;
  const base = await startForTest("healthy", options);
  await runBearhug(["run", closedTest(base.url, 12), "--workers", "0", "--out", `json=${path}`]);
  const met = await meetAll(
    targetKinds,
    options,
    ({ url }) => ["run", closedTest(url, 12), "--baseline", path, "--allow", "target,test", ...accepted],
    atOnce,
  );
  // A slow first second of twelve may count as a regression.
  const undisputed = met.filter(({ kind }) => kind !== "slow start");
  expect(wrongEnds(undisputed)).toEqual([]);
});

test("sweep is red for every target that is down at its end, and for no healthy one", async () => {
  const met = await meetAll(
    // A sweep measures how much slower a target gets, so it does not fail for that.
    targetKinds.filter((kind) => kind !== "70 × slower"),
    { breaksAfterMs: 4500 },
    ({ url }) => ["sweep", url, "--connections", "2,4,8", "--settle", "500ms", "--measure", "3s"],
    atOnce,
  );
  const saturated = met.filter(({ stderr }) => stderr.includes("generator saturated"));
  // A sweep ends when the load generator is saturated, which may be before the target breaks.
  expect(wrongEnds(met.filter((one) => !saturated.includes(one)))).toEqual([]);
});

test("capacity is red for every target that goes down, and --at-least green for healthy ones alone", async () => {
  const met = await meetAll(
    targetKinds,
    { breaksAfterMs: 12_000 },
    ({ url }) => [
      "capacity",
      url,
      "--slo",
      "http_req_failed: rate<5%",
      "--slo",
      "http_req_response_time: p(95)<100ms",
      "--at-least",
      "80",
      "--max-rate",
      "200",
      "--budget",
      "45s",
      "--workers",
      "0",
    ],
    atOnce,
  );
  const broken = met.filter(({ kind }) => !healthyKinds.has(kind));
  expect(wrongEnds(broken)).toEqual([]);
  const limited = met.filter(({ stdout }) => stdout.includes("the load generator was saturated in"));
  expect(wrongEnds(met.filter((one) => !limited.includes(one)))).toEqual([]);
}, 600_000);
