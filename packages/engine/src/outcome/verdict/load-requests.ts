import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { sumBy, sumFigures } from "@bearhug/metrics/sum";
import type { PhaseAccounting } from "@bearhug/sdk/result";

import { describeMostFrequent } from "./describe-cause.ts";
import { failure, note, wasCutShort, type Ending, type Reason } from "./ending.ts";

/**
 * Reports a bug if requests are lost: unless its worker dies, each started request ends in one of the counts.
 */
export function lostRequests(ending: Ending): Reason[] {
  const { accounting, workers, isTruncated, interruptedBy, abortReason } = ending;
  const lost = sumBy(accounting.requests, (row) => row.lost);
  const isCutShort = isTruncated || interruptedBy !== null || abortReason !== null;
  if (lost === 0 || isCutShort || workers.some((worker) => worker.lost !== null)) return [];
  const requests = lost === 1 ? "1 request was started and" : `${lost} requests were started and`;
  return [
    { code: exitCodes.bug, message: `${requests} never ended: this is a bug in bearhug, please report it` },
  ];
}

/**
 * Fails a load whose requests all failed or got no response. If the load was cut short, unfinished requests
 * might still have succeeded. Redirects that lead only to failures, as in a loop, are not a success.
 */
export function nothingSucceeded(ending: Ending): Reason[] {
  const { started, succeeded, failed, interrupted } = totalsOf(ending.accounting);
  const redirects = sumBy(ending.scenarios, (scenario) => scenario.redirects);
  const withoutSuccess = wasCutShort(ending) || succeeded > 0 ? failed : started;
  if (withoutSuccess === 0 || succeeded > redirects) return [];
  const cause = describeMostFrequent(ending.errors, failed) ?? describeUnfinished(started, interrupted);
  const what = succeeded === 0 ? "no request succeeded" : "only redirects succeeded";
  return [failure(`${what}: ${cause}`)];
}

/**
 * Fails a load whose end cut off so many requests that most may have failed, although most finished ones did
 * not. A hanging request may be too recent to have failed as UNANSWERED, but it did not succeed either.
 */
export function mostlyUnknown(ending: Ending): Reason[] {
  const { started, succeeded, failed, interrupted } = totalsOf(ending.accounting);
  if (wasCutShort(ending) || ending.workers.some(({ lost }) => lost !== null)) return [];
  // A failed threshold may have ended the load.
  if (ending.thresholds.some(({ passed }) => passed === false)) return [];
  if (succeeded === 0 || failed > succeeded || failed + interrupted <= started / 2) return [];
  const message =
    `${interrupted} of ${started} requests were still unfinished when the load ended, so it is unknown whether most would succeed: ` +
    "raise duration or gracefulStop";
  return [failure(message)];
}

function totalsOf({
  requests,
}: PhaseAccounting): Record<"started" | "succeeded" | "failed" | "interrupted", number> {
  return sumFigures(requests, "started", "succeeded", "failed", "interrupted");
}

function describeUnfinished(started: number, interrupted: number): string {
  return interrupted === 0
    ? `the outcome of ${started === 1 ? "1 request" : `${started} requests`} is unknown`
    : `${interrupted} still had no response when the graceful stop ended`;
}

/** Fails a load that ended before its warm-up did, unless someone ended it early: it measured nothing. */
export function nothingMeasured(ending: Ending): Reason[] {
  const { warmup, iterations } = ending.accounting;
  if (wasCutShort(ending) || warmup === null) return [];
  if (warmup.iterations.started === 0 || iterations.scheduled > 0) return [];
  const { started, succeeded } = totalsOf(warmup);
  const hasHung = started > 0 && succeeded === 0;
  const why = hasHung
    ? "no request of the warm-up succeeded, and none followed"
    : "the load ended during its warm-up";
  return [failure(`nothing was measured: ${why}`)];
}

/** With fewer names than this, a reader can still read them one by one. */
const minNames = 30;

/**
 * Notes requests that are named per object, for example by a slug that no rule recognizes as an id: most
 * names of the run differ in the same segment of their path.
 */
export function scatteredNames({ accounting: { requests } }: Ending): Reason[] {
  if (requests.length < minNames) return [];
  const patterns = new Map<string, { readonly example: string; count: number }>();
  for (const { name } of requests) {
    for (const pattern of patternsOf(name)) {
      const known = patterns.get(pattern);
      if (known === undefined) patterns.set(pattern, { example: name, count: 1 });
      else known.count++;
    }
  }
  const [most] = [...patterns].toSorted(([, left], [, right]) => right.count - left.count);
  if (most === undefined || most[1].count < minNames || most[1].count <= requests.length / 2) return [];
  const [pattern, { example, count }] = most;
  const message =
    `${count} of the ${requests.length} names of requests are like "${example}" but for one segment: ` +
    `give these requests one name, with the option name: "${pattern}"`;
  return [note(message)];
}

/**
 * Returns the name with each path segment in turn replaced by `:id`; nothing for a name that is not a path.
 */
function patternsOf(name: string): string[] {
  const [, method = "", path = ""] = /^([A-Z]+ [^/\s]*)(\/\S*)$/.exec(name) ?? [];
  const segments = path.split("/").slice(1);
  return segments.flatMap((segment, index) => {
    if (segment === "" || segment === ":id") return [];
    const others = segments.with(index, ":id");
    return [`${method}/${others.join("/")}`];
  });
}
