import type { ErrorRecord } from "../metrics/error-log.ts";
import type { Finding } from "./finding.ts";

/** Failures of requests that were the generator's own, by their codes. */
const ownFaults: Readonly<Record<string, string>> = {
  TOO_MANY_OPEN_FILES:
    "ran out of file descriptors: raise the limit (ulimit -n 65535), or use fewer virtual users",
  PORTS_EXHAUSTED:
    "ran out of local ports: widen the range, keep connections alive (a closed one holds its port for a minute), or use fewer virtual users",
};

/** What the generator could not even send has nothing to do with the target. */
export function judgeFaults(errors: readonly Pick<ErrorRecord, "code" | "count">[]): Finding[] {
  return Object.entries(ownFaults).flatMap(([code, what]): Finding[] => {
    const count = errors.reduce((sum, error) => sum + (error.code === code ? error.count : 0), 0);
    if (count === 0) return [];
    return [
      {
        severity: "saturated",
        reason: `${count} ${count === 1 ? "request" : "requests"} ${what} (${code})`,
      },
    ];
  });
}
