import type { ErrorResult } from "@bearhug/sdk";
import { codesOfSuccess, type ErrorExplanation, httpErrorCatalog } from "@bearhug/sdk/internal";

/** Hints for failed requests, by status. Those of other codes are in the catalog of errors. */
const statusHints: Readonly<Record<string, string>> = {
  HTTP_400: "the server rejects the request as malformed: does the port expect https://?",
  HTTP_401: "does the test log in?",
  HTTP_403: "is this user allowed to do that?",
  HTTP_404: "is the path right?",
  HTTP_429: "the server limits the request rate",
  HTTP_500: "check the server's log",
  HTTP_502: "the server behind the proxy is down",
  HTTP_503: "the server is overloaded or in maintenance",
};

const explanations: Readonly<Record<string, ErrorExplanation>> = httpErrorCatalog;

/** The failures of requests that have a code and an address in common. */
interface Cause {
  readonly code: string;
  /** The origin, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  readonly count: number;
}

/**
 * Describes the most frequent failure of requests: "CONNECTION_REFUSED at 127.0.0.1:8080 (is the server
 * up?)". Returns null if no request failed. `failed` is the number of all failed requests: if some failed in
 * other ways, the count is added.
 */
export function describeMostFrequent(errors: readonly ErrorResult[], failed: number): string | null {
  const [first] = causesOf(errors).sort((left, right) => right.count - left.count);
  if (first === undefined) return null;
  const { code, origin, count } = first;
  return describeRequestFailure(code, origin, count < failed ? `, ${count} of ${failed} failures` : "");
}

/** Describes a failed request: its code, its address, and a hint. */
export function describeRequestFailure(code: string, origin: string, share = ""): string {
  const hint = statusHints[code] ?? explanations[code]?.hint;
  return `${code} at ${origin.replace(/^https?:\/\//, "")}${share}${hint === undefined ? "" : ` (${hint})`}`;
}

function causesOf(errors: readonly ErrorResult[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const { code, origin, count } of errors) {
    // Errors of the test's code have no address.
    if (origin === undefined || codesOfSuccess.has(code)) continue;
    const key = `${code} ${origin}`;
    causes.set(key, { code, origin, count: count + (causes.get(key)?.count ?? 0) });
  }
  return [...causes.values()];
}
