import { modelOf } from "@bearhug/plan/executors/load-models";
import { stripeSize, wholeStripe, type Stripe } from "@bearhug/plan/pacing/stripe";
import type { RunPlan } from "@bearhug/plan/protocol/plan";
import { InvalidInput } from "@bearhug/sdk";
import type { ValidatedScenario } from "@bearhug/sdk/internal";

import { portCount } from "./local-ports.ts";
import type { MachineLimits } from "./machine-limits.ts";

/**
 * Memory of the simplest load, an address that answers in a few bytes: a warning must be right, and other tests take more.
 * Measured with Node 24.21 on Linux, as the peak of the control group's `memory.max_usage_in_bytes`, which counts
 * sockets, too: 86, 147 and 246 MB for 10 virtual users (`bearhug <url> -c 10`) on 1, 4 and 8 workers, and on one worker 132,
 * 174 and 223 MB for 1,500, 3,000 and 5,000. Besides, the part of Node's own program that is always in use: with it, a
 * group of 128 MiB holds 500 virtual users, and one with 1,000 stands still.
 */
const processMb = 80;
const workerMb = 22;
const vuMb = 30 / 1024;
/** The share of memory that a run may fill; above it, the load generator counts as strained. */
const usableShare = 0.85;

/** Returns how many virtual users of the simplest load fit into memory. */
export function vusThatFit(memoryBytes: number, workers: number): number {
  const leftMb = (usableShare * memoryBytes) / 2 ** 20 - processMb - workerMb * workers;
  return Math.max(0, Math.floor(leftMb / vuMb));
}

/** Files that Node opens for itself, and for each of its threads. */
const processFiles = 24;
const workerFiles = 6;

/** The parts of a plan that decide how much it needs. */
export type PlannedLoad = Pick<RunPlan, "scenarios" | "workers" | "allowHosts" | "shard">;

/**
 * Refuses a plan that certainly needs more files and connections than the process may open: the requests of the rest would fail,
 * and those that succeed would not be the load that was meant.
 * @throws {InvalidInput}
 */
export function requireOpenFiles(plan: PlannedLoad, limits: Pick<MachineLimits, "openFiles">): void {
  requireFilesFor({ ...needOf(plan), workers: plan.workers }, limits);
}

/** Refuses so many connections as the process may not have open. @throws {InvalidInput} */
export function requireFilesFor(
  {
    vus,
    connections,
    workers,
  }: { readonly vus: number; readonly connections: number; readonly workers: number },
  { openFiles }: Pick<MachineLimits, "openFiles">,
): void {
  const most = openFiles?.soft ?? Infinity;
  const files = connections + processFiles + workerFiles * workers;
  if (files <= most) return;
  throw new InvalidInput([
    `${vus} virtual users need at least ${connections} connections and bearhug ${files - connections} files, but the process may open ${most} files and connections at once (ulimit -n). Raise the limit to ${files} or more, or use fewer virtual users; bearhug doctor shows how.`,
  ]);
}

function needOf({ scenarios: planned, shard = wholeStripe }: PlannedLoad): {
  readonly vus: number;
  readonly connections: number;
  readonly ports: number;
} {
  const scenarios = planned.map(({ scenario }) => scenario);
  return {
    vus: certainly(scenarios, shard, () => 1),
    connections: certainly(scenarios, shard, connectionsOfVu),
    ports: certainly(scenarios, shard, portsOfVu),
  };
}

/** Returns one sentence for each other thing that the plan certainly needs and this machine lacks. */
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
          `${vus} virtual users on ${plan.workers} ${plan.workers === 1 ? "worker" : "workers"} need at least ${needMb} MiB of memory, but there are only ${memoryMb} MiB: use fewer virtual users, or add memory`,
        ]
      : []),
  ];
}

/** Shared connections are few, however many share them. */
function connectionsOfVu({ http, expectsNoRequests }: ValidatedScenario): number {
  return http.connections === "shared" || expectsNoRequests ? 0 : 1;
}

/** Each address that connections come from has ports of its own; a unix socket takes none. */
function portsOfVu(scenario: ValidatedScenario): number {
  const { unixSocket, localAddresses } = scenario.http;
  return unixSocket === null ? connectionsOfVu(scenario) / Math.max(1, localAddresses.length) : 0;
}

/**
 * The most of something that virtual users will need at once for certain: scenarios that follow one another are not added
 * up, and of an open model only those count that were asked for, not those that it may come to.
 */
function certainly(
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
    needs.reduce(
      (sum, need) => (need.fromMs <= fromMs && fromMs <= need.untilMs ? sum + need.amount : sum),
      0,
    ),
  );
  return Math.max(0, ...atOnce);
}
