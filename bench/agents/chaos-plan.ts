/**
 * A fault in the control network or the machines of a run, at a time after the coordinator starts to listen.
 */
export type Mishap = { readonly atMs: number } &
  /**
   * No packet passes between the agent and the coordinator. `isSilent`: the interface stays up. `forMs` is
   * null until the end of the run.
   */
  (
    | {
        readonly kind: "cut";
        readonly agent: number;
        readonly isSilent: boolean;
        readonly forMs: number | null;
      }
    | { readonly kind: "slow"; readonly agent: number; readonly kilobits: number; readonly forMs: number }
    | { readonly kind: "kill-agent"; readonly agent: number }
    /** `restartAfterMs` is null if it is never restarted. */
    | { readonly kind: "kill-coordinator"; readonly restartAfterMs: number | null }
  );

/** A run with agents and all of its faults: plain data, the same for the same seed. */
export interface AgentsPlan {
  readonly seed: number;
  readonly agents: number;
  readonly ratePerSecond: number;
  readonly durationMs: number;
  /** Virtual users that make requests besides the arrivals. */
  readonly vus: number;
  readonly hasStages: boolean;
  readonly mishaps: readonly Mishap[];
}

/** Makes the plan of a seed. `random` returns numbers in [0, 1). */
export function planAgents(seed: number, random: () => number): AgentsPlan {
  const between = (least: number, most: number): number => Math.round(least + random() * (most - least));
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value =>
    values[Math.floor(random() * values.length)] ?? values[0];
  const agents = between(2, 3);
  const durationMs = between(1500, 3000);
  const mishap = (): Mishap => {
    const at = { atMs: between(0, 4000 + durationMs) };
    const agent = between(0, agents - 1);
    return pick<() => Mishap>([
      () => ({
        kind: "cut",
        ...at,
        agent,
        isSilent: random() < 0.5,
        forMs: pick([300, 1000, 2500, 2500, null]),
      }),
      () => ({ kind: "cut", ...at, agent, isSilent: random() < 0.5, forMs: pick([300, 1000, 2500]) }),
      () => ({ kind: "slow", ...at, agent, kilobits: pick([64, 256, 1000]), forMs: between(500, 3000) }),
      () => ({ kind: "kill-agent", ...at, agent }),
      () => ({ kind: "kill-coordinator", ...at, restartAfterMs: pick([0, 500, 1500, 1500, null]) }),
    ])();
  };
  const mishaps = Array.from({ length: between(0, 3) }, mishap).toSorted(
    (one, other) => one.atMs - other.atMs,
  );
  return {
    seed,
    agents,
    durationMs,
    mishaps,
    ratePerSecond: between(20, 100),
    vus: between(0, 3),
    hasStages: random() < 0.4,
  };
}

/**
 * Returns the source of a test with the load of a plan. Each request has its own path, so that the server can
 * tell it from all others.
 */
export function agentsTest(plan: AgentsPlan, baseUrl: string): string {
  const closed = `looping: { executor: "constant-vus", vus: ${plan.vus}, duration: "${plan.durationMs}ms", gracefulStop: "500ms",
      exec: visit("looping") },`;
  const stages = `setup: async ({ http }) => { await http.post("/setup"); return { token: "t1" }; },
  teardown: async ({ http, data }) => { await http.delete("/teardown/" + data.token); },`;
  return `import { defineTest } from "@bearhug/sdk";
const visit = (name) => ({ http, iteration, vu }) =>
  http.get("/" + name + "/" + iteration.index + (name === "looping" ? "/" + vu.id : ""), { name });
export default defineTest({
  baseUrl: "${baseUrl}",
  http: { timeout: "2s" },
  ${plan.hasStages ? stages : ""}
  scenarios: {
    arriving: { executor: "constant-arrival-rate", rate: ${plan.ratePerSecond}, duration: "${plan.durationMs}ms", maxVUs: 50,
      gracefulStop: "500ms", exec: visit("arriving") },
    ${plan.vus > 0 ? closed : ""}
  },
});
`;
}
