import { Trend } from "@bearhug/metrics/trend";
import { randomSource } from "@bearhug/plan/pacing/random-source";

import { Collector } from "../../src/outcome/collect.ts";
import { initialState } from "../../src/outcome/run-state.ts";
import type { Run } from "../../src/outcome/run.ts";
import { VariantTurns } from "../../src/worker/variant-turns.ts";

export interface Simulated {
  /** The mean time of an iteration, for each variant. */
  readonly iterationMs: readonly number[];
  readonly vus: number;
  readonly turnMs: number;
  readonly durationMs: number;
}

/**
 * Runs a closed model in simulated time: each VU starts an iteration of one request when its last one has
 * ended.
 */
export function simulateVariants({ iterationMs, vus, turnMs, durationMs }: Simulated): Run {
  const names = iterationMs.map((_, variant) => `v${variant}`);
  const rule = { seed: 3, variants: names.length, turnMs, changeoverMs: turnMs / 5 };
  const turns = new VariantTurns({
    rule,
    variants: names.map((name) => ({ name, headers: [], paths: [] })),
  });
  const random = randomSource(1, 1);
  const collector = new Collector({ plan: null, thresholds: [] });
  const all = new Trend(3);
  const nextAtMs = Array.from({ length: vus }, () => 0);
  for (;;) {
    const atMs = Math.min(...nextAtMs);
    if (atMs >= durationMs) break;
    const turn = turns.at(atMs);
    const tookMs = (iterationMs[turn.variant] ?? 0) * (0.8 + 0.4 * random());
    all.add(tookMs);
    turn.tally?.addIteration(tookMs);
    turn.tally?.addOperation({
      hasFailed: false,
      timeMs: tookMs,
      isCutOff: false,
      bytesReceived: 1000,
      bodyBytes: 900,
      decodedBytes: 3000,
    });
    nextAtMs[nextAtMs.indexOf(atMs)] = atMs + tookMs;
  }
  collector.turns.add(turns.drain());
  collector.store.add(0, [
    { id: 0, tags: { scenario: "s" }, metrics: { iteration_duration: all.toDelta() } },
  ]);
  collector.gauge(0, { vus, vusMade: vus, connectionsOpen: vus });
  return {
    head: headOf(names, rule),
    state: { ...initialState, durationMs, startsUntilMs: durationMs },
    collector,
    isTruncated: false,
    locate: () => null,
  };
}

function headOf(names: readonly string[], rule: { turnMs: number; changeoverMs: number }): Run["head"] {
  const { turnMs, changeoverMs } = rule;
  return {
    file: null,
    beganAt: "2026-11-23T00:00:00.000Z",
    isStrictGenerator: false,
    allowsPartial: false,
    shard: null,
    thresholds: [],
    monitors: [],
    tool: { name: "bearhug", version: "0.0.0", node: "24.0.0" },
    environment: { os: "linux", cores: 2, memoryMb: 1000 },
    plan: {
      testName: "t",
      seed: 3,
      baseUrl: null,
      allowHosts: [],
      metrics: {},
      workers: 1,
      warmupMs: 0,
      maxDataBytes: null,
      clients: [],
      variants: { names, turnMs, changeoverMs },
      scenarios: [
        {
          scenario: {
            name: "s",
            executor: "constant-vus",
            expectsNoRequests: false,
            http: { transport: "bearhug" },
          },
          description: "",
        },
      ],
    },
  };
}
