import { noteSent } from "@bearhug/http/fetch/replaced-fetch";
import type { Fetching } from "@bearhug/http/load-undici";
import { hostWithPort } from "@bearhug/http/request/hosts";
import { RequestFault } from "@bearhug/http/request/request-fault";
import { sessionAmong } from "@bearhug/http/session/session";
import type { TrafficStage, UnmeasuredLog } from "@bearhug/metrics/unmeasured-log";

import { watchRequests } from "./seen-requests.ts";
import { current } from "./current.ts";
import { guardConnections } from "./socket-door.ts";
import { positionHere } from "./stack-position.ts";

/** The settings of a watch: its log, and the hosts that are let through. */
export interface TrafficRules {
  readonly stage: TrafficStage;
  /** The path of the test's bundle; null where none of the code is a user's. */
  readonly bundlePath: string | null;
  /** Returns true if the test's own code may connect to a host and port. */
  readonly mayConnect: (host: string) => boolean;
  /** Requests of `fetch` that are none of the engine's may go out without it. */
  readonly mayGoAround: boolean;
  readonly replaceFetch: Fetching["replaceFetch"];
}

/**
 * Counts what the test's own code sends around the engine's http, and refuses its connections to hosts where it must not
 * go, until the function that is returned is called. It is the one place that touches what Node gives to tests.
 */
export function watchTraffic(
  log: UnmeasuredLog,
  { stage, bundlePath, mayConnect, mayGoAround, replaceFetch }: TrafficRules,
): () => void {
  const here = () => (bundlePath === null ? null : positionHere(bundlePath));
  const ends = [
    guardConnections((hostname, port) => {
      const host = `${hostname}:${port}`;
      const counted = log.of(stage, host, here);
      if (mayConnect(host)) {
        counted.connections++;
        return null;
      }
      counted.refused++;
      return new RequestFault(
        "HOST_NOT_ALLOWED",
        `${host}: the test does not name this host. Add "${host}" to allowHosts, or set allowUnmeasured: true to let it through unmeasured.`,
      );
    }),
    replaceFetch?.({
      current: () => sessionAmong(current.getStore()?.clients ?? []),
      mayGoAround,
      onUnnamed: (url, isRefused) => {
        const counted = log.of(stage, hostWithPort(url), here);
        if (isRefused) counted.refused++;
      },
      onReplaced: (url) => {
        const counted = log.of(stage, hostWithPort(url), here);
        return () => {
          counted.requests++;
        };
      },
    }),
    watchRequests((url) => {
      noteSent();
      const host = hostWithPort(url);
      // A request that is about to be refused goes nowhere.
      if (mayConnect(host)) log.of(stage, host, here).requests++;
    }),
  ];
  return () => {
    // Once: the next worker in this thread may be watched by then.
    for (const end of ends.splice(0)) end?.();
  };
}
