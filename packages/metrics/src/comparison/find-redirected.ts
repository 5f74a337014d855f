import { redirectStatuses } from "@bearhug/sdk/internal";

import { allowHint, type NamedRun } from "./comparable.ts";

/** How often the responses to requests of one name were redirects. */
interface Responses {
  readonly redirects: number;
  readonly count: number;
  /** The status of the last redirect. */
  readonly status: string;
}

/** With fewer responses, the shares of two equal runs may differ this much by chance. */
const minResponses = 20;
/** At most this share of responses are redirects on one side, … */
const few = 0.1;
/** … and at least this on the other. A request with a name of its own also counts the page that it led to. */
const many = 0.4;

/**
 * Returns a sentence if requests were redirected on one side only, such as to a login page: those responses are
 * successful and fast, but say nothing about the pages of the other side.
 */
export function findRedirected(base: readonly NamedRun[], other: readonly NamedRun[]): string[] {
  const [ofBase, ofOther] = [responsesOf(base), responsesOf(other)];
  return [
    ...describeRedirected(ofOther, ofBase, "on the new side, but not in the base"),
    ...describeRedirected(ofBase, ofOther, "in the base, but not on the new side"),
  ];
}

function describeRedirected(
  side: ReadonlyMap<string, Responses>,
  reference: ReadonlyMap<string, Responses>,
  where: string,
): string[] {
  const found = [...side].filter(([name, one]) => {
    const two = reference.get(name);
    const isKnown = two !== undefined && Math.min(one.count, two.count) >= minResponses;
    return isKnown && one.redirects >= many * one.count && two.redirects <= few * two.count;
  });
  const [first, ...more] = found.toSorted(([, one], [, two]) => two.redirects - one.redirects);
  if (first === undefined) return [];
  const [name, { status }] = first;
  const others =
    more.length === 0 ? "" : ` and ${more.length} more ${more.length === 1 ? "request" : "requests"}`;
  const verb = more.length === 0 ? "was" : "were";
  return [`${name}${others} ${verb} redirected (${status}) ${where}. ${allowHint("redirects")}`];
}

function responsesOf(runs: readonly NamedRun[]): ReadonlyMap<string, Responses> {
  const all = new Map<string, Responses>();
  for (const { result, variant } of runs) {
    for (const { metric, tags, values } of result.series) {
      const { name, status = "" } = tags;
      const isOfSide = variant === undefined || tags["variant"] === variant;
      if (metric !== "http_reqs" || name === undefined || tags["expected_response"] !== "true" || !isOfSide)
        continue;
      const count = values["count"] ?? 0;
      const isRedirect = redirectStatuses.has(Number(status));
      const before = all.get(name) ?? { redirects: 0, count: 0, status: "" };
      all.set(name, {
        redirects: before.redirects + (isRedirect ? count : 0),
        count: before.count + count,
        status: isRedirect ? status : before.status,
      });
    }
  }
  return all;
}
