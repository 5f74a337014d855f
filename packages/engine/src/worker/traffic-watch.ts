import { noteRequestSent } from "@bearhug/http/fetch/replaced-fetch";
import type { FetchSupport } from "@bearhug/http/load-undici";
import { hostWithPort } from "@bearhug/plan/http-options/host-destinations";
import { RequestFault } from "@bearhug/http/request/request-fault";
import { findHttpSession } from "@bearhug/http/session/session";
import type { TrafficStage, UnmeasuredLog } from "@bearhug/metrics/unmeasured-log";

import { watchRequests } from "./watch-requests.ts";
import { current } from "./current.ts";
import { guardConnections } from "./guard-connections.ts";
import { positionHere } from "./stack-position.ts";

/** The settings of a watch: the test's stage, and the hosts that are allowed. */
export interface TrafficRules {
  readonly stage: TrafficStage;
  /** The path of the test's bundle; null if the test has no code (a single URL). */
  readonly bundlePath: string | null;
  /** True if code without an owner belongs to a program around the run. @default false */
  readonly isInProgram?: boolean | undefined;
  /** Returns true if the test's own code may connect to a host, given with its port. */
  readonly mayConnect: (host: string) => boolean;
  /** True if requests of `fetch` that do not belong to the engine may bypass it. */
  readonly mayBypassEngine: boolean;
  readonly replaceFetch: FetchSupport["replaceFetch"];
}

/**
 * Counts connections and requests of the test's code that bypass the engine's clients, and refuses
 * connections to hosts that are not allowed, until the returned function is called. It is the one place that
 * replaces functions that Node gives to tests.
 */
export function watchTraffic(
  log: UnmeasuredLog,
  { stage, bundlePath, isInProgram = false, mayConnect, mayBypassEngine, replaceFetch }: TrafficRules,
): () => void {
  const isExempt = () => isUnrestricted(stage, isInProgram);
  const here = () => (bundlePath === null ? null : positionHere(bundlePath));
  const ends = [
    guardConnections((hostname, port) => {
      if (isExempt()) return null;
      const host = `${hostname}:${port}`;
      const counted = log.countsOf(stage, host, here);
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
      isExempt,
      current: () => findHttpSession(current.getStore()?.clients ?? []),
      mayBypassEngine,
      onUnlistedHost: (url, isRefused) => {
        const counted = log.countsOf(stage, hostWithPort(url), here);
        if (isRefused) counted.refused++;
      },
      onReplacedFetch: (url) => {
        const counted = log.countsOf(stage, hostWithPort(url), here);
        return () => {
          counted.requests++;
        };
      },
    }),
    watchRequests((url) => {
      if (isExempt()) return;
      noteRequestSent();
      const host = hostWithPort(url);
      // A request that is about to be refused is not sent, so it does not count.
      if (mayConnect(host)) log.countsOf(stage, host, here).requests++;
    }),
  ];
  return () => {
    // Only on the first call: by a second one, the next worker in this thread may be watched.
    for (const end of ends.splice(0)) end?.();
  };
}

/**
 * True while code runs that may connect anywhere, unmeasured: that of a program around the run, and during
 * the load that of setup, such as a server of its own.
 */
function isUnrestricted(stage: TrafficStage, isInProgram: boolean): boolean {
  const owner = current.getStore();
  return owner === undefined ? isInProgram : stage === "load" && owner.isStage === true;
}
