import { sumBy } from "@bearhug/metrics/sum";
import { modelOf } from "@bearhug/plan/executors/load-models";
import type { ValidatedScenario } from "@bearhug/plan/executors/validated-scenario";
import { stripeSize, wholeStripe, type Stripe } from "@bearhug/plan/pacing/stripe";
import type { RunPlan } from "@bearhug/plan/protocol/plan";
import { InvalidInput } from "@bearhug/sdk";
import { formatCounted } from "@bearhug/text/number";

import { portCount } from "./local-ports.ts";
import type { MachineLimits } from "./machine-limits.ts";

/**
 * The memory of the simplest load, a URL with a response of a few bytes: a warning must be right, and other
 * tests take more. Measured with Node 24.21 on Linux, as the control group's `memory.max_usage_in_bytes`,
 * which includes sockets: 86, 147 and 246 MB for 10 virtual users (`bearhug <url> -c 10`) on 1, 4 and 8
 * workers, and on one worker 132, 174 and 223 MB for 1,500, 3,000 and 5,000. Added to that is the part of
 * Node's program that is always in use: with it, a group of 128 MiB holds 500 virtual users, and with 1,000
 * it makes no progress.
 */
const processMb = 80;
const workerMb = 22;
const vuMb = 30 / 1024;
/** The share of memory that a run may fill; above it, the load generator counts as strained. */
const usableShare = 0.85;

/** Returns the number of virtual users of the simplest load that fit into memory. */
export function vusThatFit(memoryBytes: number, workers: number): number {
  const leftMb = (usableShare * memoryBytes) / 2 ** 20 - processMb - workerMb * workers;
  return Math.max(0, Math.floor(leftMb / vuMb));
}

/** The files that Node itself opens, and for each of its threads. */
const processFiles = 24;
const workerFiles = 6;

/** The parts of a plan that determine its needs. */
export type PlannedLoad = Pick<RunPlan, "scenarios" | "workers" | "allowHosts" | "shard">;

/**
 * Rejects a plan that certainly needs more files and connections than the process may open: requests beyond
 * that would fail, and the rest would not be the intended load.
 * @throws {InvalidInput}
 */
export function requireOpenFiles(plan: PlannedLoad, limits: Pick<MachineLimits, "openFiles">): void {
  requireOpenFilesFor({ ...needOf(plan), workers: plan.workers }, limits);
}

/** Rejects more connections than the process may open. @throws {InvalidInput} */
export function requireOpenFilesFor(
  {
    vus,
    connections,
    workers,
  }: { readonly vus: number; readonly connections: number; readonly workers: number },
  { openFiles }: Pick<MachineLimits, "openFiles">,
): void {
  const maxFiles = openFiles ?? Infinity;
  const files = connections + processFiles + workerFiles * workers;
  if (files <= maxFiles) return;
  throw new InvalidInput([
    `${vus} virtual users need at least ${connections} connections and bearhug ${files - connections} files, but the process may open ${maxFiles} files and connections at once (ulimit -n). Raise the limit to ${files} or more, or use fewer virtual users; bearhug doctor shows how.`,
  ]);
}

function needOf({ scenarios: planned, shard = wholeStripe }: PlannedLoad): {
  readonly vus: number;
  readonly connections: number;
  readonly ports: number;
} {
  const scenarios = planned.map(({ scenario }) => scenario);
  return {
    vus: certainNeed(scenarios, shard, () => 1),
    connections: certainNeed(scenarios, shard, connectionsOfVu),
    ports: certainNeed(scenarios, shard, portsOfVu),
  };
}

/** Returns a sentence for each other resource that the plan certainly needs and this machine lacks. */
export function describeMisfits(plan: PlannedLoad, limits: MachineLimits): string[] {
  const { vus, connections, ports: portsNeeded } = needOf(plan);
  const needMb = Math.ceil(processMb + workerMb * plan.workers + vuMb * vus);
  const memoryMb = Math.floor(limits.memoryBytes / 2 ** 20);
  const ports =
    limits.localPorts === null || plan.allowHosts.length > 0 ? Infinity : portCount(limits.localPorts);
  const advice = "; bearhug doctor shows how to raise this";
  return [
    ...(portsNeeded > ports
      ? [
          `${vus} virtual users need at least ${connections} connections, but each local address has only ${ports} local ports to connect from: requests will fail with PORTS_EXHAUSTED${advice}`,
        ]
      : []),
    ...(needMb > memoryMb
      ? [
          `${vus} virtual users on ${formatCounted(plan.workers, "worker")} need at least ${needMb} MiB of memory, but there are only ${memoryMb} MiB: use fewer virtual users, or add memory`,
        ]
      : []),
  ];
}

/** Returns 0 for shared connections, because they are few, however many virtual users share them. */
function connectionsOfVu({ http, expectsNoRequests }: ValidatedScenario): number {
  return http.connections === "shared" || expectsNoRequests ? 0 : 1;
}

/**
 * Returns the ports per virtual user. Each local address has its own range of ports; a Unix socket takes
 * none.
 */
function portsOfVu(scenario: ValidatedScenario): number {
  const { unixSocket, localAddresses } = scenario.http;
  return unixSocket === null ? connectionsOfVu(scenario) / Math.max(1, localAddresses.length) : 0;
}

/**
 * Returns the most of a resource that virtual users will certainly need at the same time. Scenarios that run
 * one after the other are not added up. Of an open model, only `preAllocatedVUs` count, not `maxVUs`.
 */
function certainNeed(
  scenarios: readonly ValidatedScenario[],
  shard: Stripe,
  ofVu: (scenario: ValidatedScenario) => number,
): number {
  const needs = scenarios.map((scenario) => {
    const { vus, fromMs, untilMs } = modelOf(scenario).certainVus(scenario);
    const { startTimeMs } = scenario;
    const amount = stripeSize(vus, shard) * ofVu(scenario);
    return { fromMs: startTimeMs + fromMs, untilMs: startTimeMs + untilMs, amount };
  });
  const atOnce = needs.map(({ fromMs }) =>
    sumBy(needs, (need) => (need.fromMs <= fromMs && fromMs <= need.untilMs ? need.amount : 0)),
  );
  return Math.max(0, ...atOnce);
}
