import type { UnmeasuredResult } from "@bearhug/sdk/result";

import type { BundlePosition } from "./error-log.ts";

/** The part of a run in which the test's code ran; `module` is code outside functions. */
export type TrafficStage = UnmeasuredResult["stage"];

/** Traffic between the test's own code and one host that bypasses the engine's http. */
export interface UnmeasuredTraffic {
  /** With its port; `(other)` for hosts beyond the first 50, and for names that no host can have. */
  readonly host: string;
  readonly stage: TrafficStage;
  /** Requests of node:http, fetch and undici. */
  readonly requests: number;
  /** Connections; most carry requests. */
  readonly connections: number;
  /** Connections that bearhug refused, because the test does not name the host. */
  readonly refused: number;
  /** The place of the first such request in the test's bundle; null if unknown. */
  readonly position: BundlePosition | null;
}

type Counted = { -readonly [Key in keyof UnmeasuredTraffic]: UnmeasuredTraffic[Key] };

const maxHosts = 50;
const otherHost = "(other)";
/** The longest name of a host, with its port. */
const longestHost = 260;

/** Traffic that bypasses the engine, counted by host and stage, in bounded memory. */
export class UnmeasuredLog {
  readonly #counted = new Map<string, Counted>();

  /**
   * Returns the counts of a host, for adding to them. `locate` finds the position in the test; it is called
   * when the host is seen for the first time.
   */
  countsOf(stage: TrafficStage, host: string, locate: () => BundlePosition | null): Counted {
    const key = `${stage} ${host}`;
    const known = this.#counted.get(key);
    if (known !== undefined) return known;
    const hasRoom = this.#counted.size < maxHosts && host.length <= longestHost;
    if (!hasRoom && host !== otherHost) return this.countsOf(stage, otherHost, () => null);
    const counted = { host, stage, requests: 0, connections: 0, refused: 0, position: locate() };
    this.#counted.set(key, counted);
    return counted;
  }

  add({ host, stage, requests, connections, refused, position }: UnmeasuredTraffic): void {
    const counted = this.countsOf(stage, host, () => position);
    counted.requests += requests;
    counted.connections += connections;
    counted.refused += refused;
  }

  /** Returns the traffic since the last drain; the first positions of hosts are kept. */
  drain(): UnmeasuredTraffic[] {
    const drained = this.all();
    for (const counted of this.#counted.values())
      counted.requests = counted.connections = counted.refused = 0;
    return drained;
  }

  /** Returns the traffic of all hosts, in the order in which they were seen first. */
  all(): UnmeasuredTraffic[] {
    return [...this.#counted.values()]
      .filter(({ requests, connections, refused }) => requests + connections + refused > 0)
      .map((counted) => ({ ...counted }));
  }
}
