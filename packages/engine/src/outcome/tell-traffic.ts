import type { UnmeasuredTraffic } from "@bearhug/metrics/unmeasured-log";
import { writePosition } from "@bearhug/sdk/internal";
import type { SourcePosition, UnmeasuredResult } from "@bearhug/sdk/result";

import type { Locate } from "./run.ts";

/** Says of each host once, in a sentence with the line of the test, that it was contacted around bearhug's http, or was not. */
export class TrafficTeller {
  readonly #locate: Locate;
  readonly #say: (sentence: string) => void;
  readonly #told = new Set<string>();

  constructor(locate: Locate, say: (sentence: string) => void) {
    this.#locate = locate;
    this.#say = say;
  }

  tell(traffic: readonly UnmeasuredTraffic[]): void {
    for (const { host, refused, position } of traffic) {
      const isRefused = refused > 0;
      const key = `${host} ${isRefused}`;
      if (this.#told.has(key)) continue;
      this.#told.add(key);
      const place = placeOf(position === null ? null : (this.#locate(position)?.source ?? null));
      this.#say(
        isRefused
          ? `a connection to ${host} was refused${place}: the test does not name this host. Add "${host}" to allowHosts, or set allowUnmeasured: true`
          : `traffic to ${host}${place} bypasses bearhug's http and is not in any metric`,
      );
    }
  }
}

/** Traffic as the result tells of it. */
export function unmeasuredResults(traffic: readonly UnmeasuredTraffic[], locate: Locate): UnmeasuredResult[] {
  return traffic.map(({ position, ...counts }) => ({
    ...counts,
    source: position === null ? null : (locate(position)?.source ?? null),
  }));
}

function placeOf(source: SourcePosition | null): string {
  return source === null ? "" : ` (${writePosition(source)})`;
}
