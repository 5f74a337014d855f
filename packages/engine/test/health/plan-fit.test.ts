import type { ValidatedScenario } from "@bearhug/plan/executors/validated-scenario";
import { InvalidInput } from "@bearhug/sdk";
import { expect, test } from "vitest";

import type { MachineLimits } from "../../src/health/machine-limits.ts";
import { describeMisfits, requireOpenFiles, type PlannedLoad } from "../../src/health/plan-fit.ts";
import { planScenarios } from "../../../plan/src/test-file/make-plan.ts";
import {
  arrivals,
  constantVus,
  rampingVus,
  sharedIterations,
} from "../../../plan/test/test-file/tests-for-plans.ts";

const limits: MachineLimits = {
  cores: 2,
  hasCpuQuota: false,
  memoryBytes: 1000 * 2 ** 20,
  hasMemoryLimit: true,
  openFiles: 1024,
  localPorts: { first: 32_768, last: 34_767 },
  links: [],
};

function misfits(scenarios: readonly ValidatedScenario[], changes: Partial<PlannedLoad> = {}): string[] {
  return describeMisfits(
    { scenarios: planScenarios(scenarios), workers: 1, allowHosts: [], ...changes },
    limits,
  );
}

/** Returns the problems of a plan that needs more descriptors than it may open; empty if they suffice. */
function refusals(
  scenarios: readonly ValidatedScenario[],
  machine: Pick<MachineLimits, "openFiles"> = limits,
): string[] {
  try {
    requireOpenFiles({ scenarios: planScenarios(scenarios), workers: 1, allowHosts: [] }, machine);
    return [];
  } catch (error) {
    if (error instanceof InvalidInput) return [...error.problems];
    throw error;
  }
}

test("a plan that fits is accepted without a word", () => {
  expect(misfits([constantVus("readers", 900)])).toEqual([]);
  expect(misfits([])).toEqual([]);
});

test("virtual users that outnumber the open files allowed are refused, with both numbers", () => {
  expect(refusals([constantVus("readers", 994)])).toEqual([]);
  expect(refusals([constantVus("readers", 1020)])).toEqual([
    "1020 virtual users need at least 1020 connections and bearhug 30 files, but the process may open 1024 files and connections at once (ulimit -n). Raise the limit to 1050 or more, or use fewer virtual users; bearhug doctor shows how.",
  ]);
  expect(refusals([{ ...constantVus("sleepers", 2000), expectsNoRequests: true }])).toEqual([]);
});

test("more connections than local ports are reported if there is only one target", () => {
  const [ports, ...others] = misfits([sharedIterations("jobs", 9000, 2001)]);
  expect(others).toEqual([]);
  expect(ports).toContain("each local address has only 2000 local ports to connect from");
  expect(misfits([sharedIterations("jobs", 9000, 2001)], { allowHosts: ["cdn.example"] })).toEqual([]);
});

test("more virtual users than fit in memory are reported", () => {
  const found = misfits([constantVus("readers", 30_000)], { workers: 2 });
  expect(found).toHaveLength(2);
  expect(found[1]).toContain("30000 virtual users on 2 workers need at least 1003 MiB");
});

test("scenarios at the same time are added up, those that follow one another are not", () => {
  const morning = constantVus("morning", 600);
  expect(refusals([morning, constantVus("also", 600)])).toHaveLength(1);
  expect(refusals([morning, { ...constantVus("later", 600), startTimeMs: 10_001 }])).toEqual([]);
  const peak = { ...rampingVus("ramp"), stages: [{ durationMs: 1000, target: 600 }] } as ValidatedScenario;
  expect(refusals([morning, peak])).toHaveLength(1);
  expect(refusals([{ ...peak, startTimeMs: 10_000 }, morning])).toEqual([]);
});

test("an open model counts its preallocated virtual users, not the most that it may start", () => {
  const open = { ...arrivals("visits"), maxVUs: 50_000 } as ValidatedScenario;
  expect(refusals([open])).toEqual([]);
  expect(refusals([{ ...open, preAllocatedVUs: 1500 } as ValidatedScenario])).toHaveLength(1);
});

test("a limit that the system does not report or does not have refuses nothing", () => {
  const plan = { scenarios: planScenarios([constantVus("readers", 10_000)]), workers: 1, allowHosts: [] };
  expect(describeMisfits(plan, { ...limits, localPorts: null })).toEqual([]);
  for (const openFiles of [null, Infinity])
    expect(refusals([constantVus("readers", 10_000)], { openFiles })).toEqual([]);
});

test("shared connections, unix sockets and several source addresses need fewer ports or descriptors", () => {
  const crowd = sharedIterations("jobs", 9000, 2001);
  const sent = (http: Partial<typeof crowd.http>): string[] =>
    misfits([{ ...crowd, http: { ...crowd.http, ...http } }]);
  expect(sent({})).toHaveLength(1);
  expect(sent({ connections: "shared" })).toEqual([]);
  expect(sent({ unixSocket: "/run/shop.sock" })).toEqual([]);
  expect(sent({ localAddresses: ["127.0.0.2", "127.0.0.3"] })).toEqual([]);
  expect(refusals([{ ...crowd, http: { ...crowd.http, connections: "shared" } }])).toEqual([]);
  expect(refusals([{ ...crowd, http: { ...crowd.http, unixSocket: "/run/shop.sock" } }])).toHaveLength(1);
});
