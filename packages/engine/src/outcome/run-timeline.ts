import type { SeriesDelta } from "@bearhug/metrics/snapshot";
import { Timeline, type Interval } from "@bearhug/metrics/timeline";
import type { ClientRoles, DescribedClient } from "@bearhug/plan/clients/client-kind";

type EngineTimeline = Timeline<"vus" | "iterations" | "dropped" | "bytes" | "connections", never>;
type ClientTimeline = Timeline<"operations" | "failed", "duration" | "responseTime">;

/** The operations of one kind of client in one interval of the run. */
export type ClientStretch = Interval<"operations" | "failed", "duration" | "responseTime">;

/** A run over time: its iterations, and the operations of each kind of client. */
export class RunTimeline {
  readonly engine: EngineTimeline = new Timeline({
    counts: {
      vus: { metric: "vus", of: "last" },
      iterations: { metric: "iterations", of: "sum" },
      dropped: { metric: "dropped_iterations", of: "sum" },
      bytes: { metric: "data_received", of: "sum" },
      connections: { metric: "connections_opened", of: "sum" },
    },
    spreads: {},
  });
  readonly clients: ReadonlyMap<string, ClientTimeline>;

  constructor(kinds: readonly DescribedClient[]) {
    this.clients = new Map(kinds.map(({ name, roles }) => [name, clientTimeline(roles)]));
  }

  /** Adds the series of one second of the run. All timelines have the same intervals. */
  add(second: number, deltas: readonly SeriesDelta[]): void {
    this.engine.add(second, deltas);
    for (const timeline of this.clients.values()) timeline.add(second, deltas);
  }
}

function clientTimeline({ operations, failed, duration, responseTime }: ClientRoles): ClientTimeline {
  return new Timeline({
    counts: {
      operations: { metric: operations, of: "sum" },
      failed: { metric: failed, of: "trues" },
    },
    spreads: {
      duration: { metric: duration, precision: 2 },
      // Exported histograms are sums of these, and must give the same percentiles as the whole run.
      responseTime: { metric: responseTime, precision: 3 },
    },
  });
}
