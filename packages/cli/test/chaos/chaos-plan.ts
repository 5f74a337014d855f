import { randomSource } from "@bearhug/plan/pacing/random-source";

/** How the server treats one request. */
export type Treatment =
  | "answer"
  | "slow"
  | "error"
  | "resetBefore"
  | "resetWithin"
  | "endEarly"
  | "drip"
  | "never";

/** Something that happens once, at a moment of the run. */
export type ChaosEvent =
  /** The server goes down with all its connections, and comes back on the same port. */
  | { readonly kind: "restart"; readonly atMs: number; readonly downMs: number }
  /** The server answers no more requests. */
  | { readonly kind: "hang"; readonly atMs: number }
  /** The network drops every packet of the server's port; `forMs: null`: until the end. */
  | { readonly kind: "cut"; readonly atMs: number; readonly forMs: number | null }
  | { readonly kind: "signal"; readonly atMs: number; readonly signal: "SIGINT" | "SIGTERM" | "SIGHUP" };

/** One run and everything that goes wrong in it: plain data, the same for the same seed. */
export interface ChaosPlan {
  readonly seed: number;
  readonly protocol: "http" | "https" | "h2";
  readonly model: "closed" | "open";
  readonly vus: number;
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly gracefulStopMs: number;
  readonly timeoutMs: number;
  readonly workers: 1 | 2;
  /** The share of the requests that each treatment gets; the shares are relative. */
  readonly treatments: readonly { readonly treatment: Treatment; readonly share: number }[];
  readonly events: readonly ChaosEvent[];
}

const troubles: readonly Treatment[] = [
  ...(["slow", "error", "resetBefore", "resetWithin", "endEarly", "drip", "never"] as const),
];

/** Returns the plan of a seed. Only a run with its own network can have cuts. */
export function planChaos(seed: number, canCut: boolean): ChaosPlan {
  const random = randomSource(seed, 77);
  const between = (least: number, most: number): number => Math.round(least + random() * (most - least));
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const durationMs = between(1200, 2500);
  const treatments = [
    { treatment: "answer" as const, share: between(1, 20) },
    ...Array.from({ length: between(0, 3) }, () => ({ treatment: pick(troubles), share: between(1, 6) })),
  ];
  const makers: readonly (() => ChaosEvent)[] = [
    () => ({ kind: "restart", atMs: between(100, durationMs), downMs: between(0, 600) }),
    () => ({ kind: "hang", atMs: between(0, durationMs) }),
    () => ({ kind: "signal", atMs: between(100, durationMs), signal: pick(["SIGINT", "SIGTERM", "SIGHUP"]) }),
    ...(canCut
      ? [(): ChaosEvent => ({ kind: "cut", atMs: between(0, durationMs), forMs: pick([300, 800, null]) })]
      : []),
  ];
  return {
    seed,
    protocol: pick(["http", "http", "https", "h2"]),
    model: pick(["closed", "open"]),
    vus: between(1, 12),
    ratePerSecond: between(20, 120),
    durationMs,
    gracefulStopMs: pick([200, 700, 1500, 2500]),
    timeoutMs: pick([300, 900, 60_000]),
    workers: pick([1, 2]),
    treatments,
    events: Array.from({ length: between(0, 2) }, () => pick(makers)()),
  };
}

/** Returns the source of a test file that applies the load of a plan. */
export function chaosTestSource({ timeoutMs, ...plan }: ChaosPlan, baseUrl: string): string {
  const load =
    plan.model === "closed"
      ? { executor: "constant-vus", vus: plan.vus }
      : { executor: "constant-arrival-rate", rate: plan.ratePerSecond, maxVUs: plan.vus };
  const times = { duration: `${plan.durationMs}ms`, gracefulStop: `${plan.gracefulStopMs}ms` };
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: ${JSON.stringify(baseUrl)},
  http: { timeout: "${timeoutMs}ms", tls: { insecureSkipTlsVerify: true } },
  scenarios: { chaos: { ...${JSON.stringify({ ...load, ...times })}, exec: async ({ http, sleep }) => {
    await http.get("/");
    await sleep(5);
  } } },
  thresholds: { http_req_failed: ["rate<50%"] },
});
`;
}
