import type { UnmeasuredResult } from "@bearhug/sdk/result";

import type { BundlePosition } from "./error-log.ts";

/** The part of a run in which the test's code ran: `module` is code outside of functions. */
export type TrafficStage = UnmeasuredResult["stage"];

/** Traffic between the test's own code and one host, around the engine's http. */
export interface UnmeasuredTraffic {
  /** With its port; `(other)` for hosts beyond the first 50, and for names that no host can have. */
  readonly host: string;
  readonly stage: TrafficStage;
  /** Requests of node:http, fetch and undici. */
  readonly requests: number;
  /** Connections; most carry requests. */
  readonly connections: number;
  /** Connections that were refused, because the test does not name the host. */
  readonly refused: number;
  /** The place of the first such request in the test's bundle; null if unknown. */
  readonly position: BundlePosition | null;
}

type Counted = { -readonly [Key in keyof UnmeasuredTraffic]: UnmeasuredTraffic[Key] };

const maxHosts = 50;
const otherHost = "(other)";
/** No name of a host is longer; with its port. */
const longestHost = 260;

/** Traffic around the engine, counted by host and stage, in bounded memory. */
export class UnmeasuredLog {
  readonly #counted = new Map<string, Counted>();

  /** The counts of a host, to be added to; `locate` is asked where the test goes there when it is seen first. */
  of(stage: TrafficStage, host: string, locate: () => BundlePosition | null): Counted {
    const key = `${stage} ${host}`;
    const known = this.#counted.get(key);
    if (known !== undefined) return known;
    const hasRoom = this.#counted.size < maxHosts && host.length <= longestHost;
    if (!hasRoom && host !== otherHost) return this.of(stage, otherHost, () => null);
    const counted = { host, stage, requests: 0, connections: 0, refused: 0, position: locate() };
    this.#counted.set(key, counted);
    return counted;
  }

  add({ host, stage, requests, connections, refused, position }: UnmeasuredTraffic): void {
    const counted = this.of(stage, host, () => position);
    counted.requests += requests;
    counted.connections += connections;
    counted.refused += refused;
  }

  /** All since the last drain; where hosts were seen first stays known. */
  drain(): UnmeasuredTraffic[] {
    const told = this.all();
    for (const counted of this.#counted.values())
      counted.requests = counted.connections = counted.refused = 0;
    return told;
  }

  /** In the order in which they were seen first. */
  all(): UnmeasuredTraffic[] {
    return [...this.#counted.values()]
      .filter(({ requests, connections, refused }) => requests + connections + refused > 0)
      .map((counted) => ({ ...counted }));
  }
}
