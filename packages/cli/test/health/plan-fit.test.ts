import type { ValidatedScenario } from "@bearhug/sdk/internal";
import { expect, test } from "vitest";

import type { MachineLimits } from "../../src/health/machine-limits.ts";
import { describeMisfits, type PlannedLoad } from "../../src/health/plan-fit.ts";
import { numberWork } from "../../src/test-file/work-numbering.ts";
import { arrivals, constantVus, rampingVus, sharedIterations } from "../test-file/tests-for-plans.ts";

const limits: MachineLimits = {
  cores: 2,
  hasCpuQuota: false,
  memoryBytes: 1000 * 2 ** 20,
  hasMemoryLimit: true,
  openFiles: { soft: 1024, hard: 1024 },
  localPorts: { first: 32_768, last: 34_767 },
  links: [],
};

function misfits(scenarios: readonly ValidatedScenario[], changes: Partial<PlannedLoad> = {}): string[] {
  return describeMisfits(
    { scenarios: numberWork(scenarios), workers: 1, allowHosts: [], ...changes },
    limits,
  );
}

test("a plan that fits is not talked about", () => {
  expect(misfits([constantVus("readers", 900)])).toEqual([]);
  expect(misfits([])).toEqual([]);
});

test("more virtual users than descriptors are told, with both numbers", () => {
  const [misfit, ...others] = misfits([constantVus("readers", 1020)]);
  expect(others).toEqual([]);
  expect(misfit).toContain("1020 virtual users need at least 1020 connections");
  expect(misfit).toContain("may open 1024 files");
});

test("more than local ports are told where there is one target", () => {
  const [files, ports, ...others] = misfits([sharedIterations("jobs", 9000, 2001)]);
  expect(others).toEqual([]);
  expect(files).toContain("TOO_MANY_OPEN_FILES");
  expect(ports).toContain("each local address has only 2000 local ports to connect from");
  expect(misfits([sharedIterations("jobs", 9000, 2001)], { allowHosts: ["cdn.example"] })).toHaveLength(1);
});

test("more than memory holds are told", () => {
  const told = misfits([constantVus("readers", 30_000)], { workers: 2 });
  expect(told).toHaveLength(3);
  expect(told[2]).toContain("30000 virtual users on 2 workers need at least 1302 MiB");
});

test("scenarios at the same time are added up, those that follow one another are not", () => {
  const morning = constantVus("morning", 600);
  expect(misfits([morning, constantVus("also", 600)])).toHaveLength(1);
  expect(misfits([morning, { ...constantVus("later", 600), startTimeMs: 10_001 }])).toEqual([]);
  const peak = { ...rampingVus("ramp"), stages: [{ durationMs: 1000, target: 600 }] } as ValidatedScenario;
  expect(misfits([morning, peak])).toHaveLength(1);
  expect(misfits([{ ...peak, startTimeMs: 10_000 }, morning])).toEqual([]);
});

test("of an open model those count that were asked for, not those that it may come to", () => {
  const open = { ...arrivals("visits"), maxVUs: 50_000 } as ValidatedScenario;
  expect(misfits([open])).toEqual([]);
  expect(misfits([{ ...open, preAllocatedVUs: 1500 } as ValidatedScenario])).toHaveLength(1);
});

test("what the system does not tell, or does not limit, bounds nothing", () => {
  const plan = { scenarios: numberWork([constantVus("readers", 10_000)]), workers: 1, allowHosts: [] };
  const unlimited = { soft: Infinity, hard: Infinity };
  expect(describeMisfits(plan, { ...limits, openFiles: null, localPorts: null })).toEqual([]);
  expect(describeMisfits(plan, { ...limits, openFiles: unlimited, localPorts: null })).toEqual([]);
});

test("shared connections, unix sockets and more source addresses need fewer", () => {
  const crowd = sharedIterations("jobs", 9000, 2001);
  const sent = (http: Partial<typeof crowd.http>): string[] =>
    misfits([{ ...crowd, http: { ...crowd.http, ...http } }]);
  expect(sent({ connections: "shared" })).toEqual([]);
  expect(sent({ unixSocket: "/run/shop.sock" })).toEqual([expect.stringContaining("TOO_MANY_OPEN_FILES")]);
  expect(sent({ localAddresses: ["127.0.0.2", "127.0.0.3"] })).toHaveLength(1);
});
