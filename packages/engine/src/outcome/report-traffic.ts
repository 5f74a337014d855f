import { writePosition } from "@bearhug/metrics/results/source-position";
import type { UnmeasuredTraffic } from "@bearhug/metrics/unmeasured-log";
import type { SourcePosition, UnmeasuredResult } from "@bearhug/sdk/result";

import type { Locate } from "./run.ts";

/**
 * Warns once per host, with the line of the test, about traffic that bypassed bearhug's http or was refused.
 */
export class TrafficReporter {
  readonly #locate: Locate;
  readonly #warn: (sentence: string) => void;
  readonly #reported = new Set<string>();

  constructor(locate: Locate, warn: (sentence: string) => void) {
    this.#locate = locate;
    this.#warn = warn;
  }

  report(traffic: readonly UnmeasuredTraffic[]): void {
    for (const { host, refused, position } of traffic) {
      const isRefused = refused > 0;
      const key = `${host} ${isRefused}`;
      if (this.#reported.has(key)) continue;
      this.#reported.add(key);
      const place = placeOf(position === null ? null : (this.#locate(position)?.source ?? null));
      this.#warn(
        isRefused
          ? `a connection to ${host} was refused${place}: the test does not name this host. Add "${host}" to allowHosts, or set allowUnmeasured: true`
          : `traffic to ${host}${place} bypasses bearhug's http and is not in any metric`,
      );
    }
  }
}

/** Returns the traffic for the result, with places in the author's sources. */
export function unmeasuredResults(traffic: readonly UnmeasuredTraffic[], locate: Locate): UnmeasuredResult[] {
  return traffic.map(({ position, ...counts }) => ({
    ...counts,
    source: position === null ? null : (locate(position)?.source ?? null),
  }));
}

function placeOf(source: SourcePosition | null): string {
  return source === null ? "" : ` (${writePosition(source)})`;
}
