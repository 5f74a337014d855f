import { redirectStatuses } from "@bearhug/sdk/internal";
import { formatBytes } from "@bearhug/text/bytes";
import { formatCounted } from "@bearhug/text/number";

import { getOrAdd } from "../get-or-add.ts";
import { sumBy } from "../sum.ts";
import { allowHint, seriesOfSide, type NamedRun } from "./comparable.ts";

/** A difference between the responses of two sides, because of which their times say little. */
export interface OtherResponses {
  readonly sentence: string;
  /** The reason why a figure stays undecided. */
  readonly reason: string;
}

/** The differences that are accepted. */
export interface AcceptedResponses {
  /** True if requests may be redirected on one side only. */
  readonly isAnyRedirect: boolean;
  /** True if the responses of one side may be far smaller. */
  readonly isAnySize: boolean;
}

/** With fewer responses, the shares of two equal runs may differ this much by chance. */
const minResponses = 20;
/** At most this share of responses are redirects on one side, … */
const few = 0.1;
/** … and at least this on the other. A request with a name of its own also counts the page that it led to. */
const many = 0.4;
/** Compression on one side alone may do this, too, which `--allow sizes` accepts. */
const farSmaller = 5;
/** The headers of a response alone may differ by some hundred bytes. */
const minBytes = 1000;
/** Fewer responses than this share hardly change the times of all. */
const minShare = 0.1;

/**
 * Finds requests that only one side answered with redirects, such as to a login page, or with far smaller
 * responses, such as an error page: those are successful and fast, but say nothing about the other side's.
 */
export function findOtherResponses(
  base: readonly NamedRun[],
  other: readonly NamedRun[],
  { isAnyRedirect, isAnySize }: AcceptedResponses,
): OtherResponses[] {
  const [ofBase, ofOther] = [responsesOf(base), responsesOf(other)];
  const redirected = [
    ...describeRedirected(ofOther, ofBase, "on the new side, but not in the base"),
    ...describeRedirected(ofBase, ofOther, "in the base, but not on the new side"),
  ];
  const smaller = [
    ...describeSmaller(ofOther, ofBase, ["on the new side", "in the base"]),
    ...describeSmaller(ofBase, ofOther, ["in the base", "on the new side"]),
  ];
  const withReason = (reason: string) => (sentence: string) => ({ sentence, reason });
  return [
    ...(isAnyRedirect ? [] : redirected.map(withReason("Requests were redirected on one side only."))),
    ...(isAnySize ? [] : smaller.map(withReason("The responses of one side are far smaller."))),
  ];
}

type Side = ReadonlyMap<string, Responses>;

function describeRedirected(side: Side, reference: Side, where: string): string[] {
  const found = [...side].filter(([name, one]) => {
    const two = reference.get(name);
    const isKnown = two !== undefined && Math.min(one.count, two.count) >= minResponses;
    return isKnown && one.redirects >= many * one.count && two.redirects <= few * two.count;
  });
  const [first, ...more] = found.toSorted(([, one], [, two]) => two.redirects - one.redirects);
  if (first === undefined) return [];
  const [name, { status }] = first;
  const verb = more.length === 0 ? "was" : "were";
  return [
    `${name}${andMore(more.length)} ${verb} redirected (${status}) ${where}. ${allowHint("redirects")}`,
  ];
}

function describeSmaller(
  side: Side,
  reference: Side,
  [here, there]: readonly [here: string, there: string],
): string[] {
  const found = [...side].flatMap(([name, one]) => {
    const two = reference.get(name);
    if (two === undefined || Math.min(one.complete, two.complete) < minResponses) return [];
    const [size, usual] = [one.bytes / one.complete, two.bytes / two.complete];
    const isSmaller = size > 0 && usual >= minBytes && size * farSmaller <= usual;
    return isSmaller ? [{ name, count: one.complete, size, usual }] : [];
  });
  const [first, ...more] = found.toSorted((one, two) => two.count - one.count);
  const all = sumBy([...side.values()], ({ complete }) => complete);
  if (first === undefined || sumBy(found, ({ count }) => count) < minShare * all) return [];
  const { name, size, usual } = first;
  const sizes = `had ${formatBytes(size)} ${here}, but ${formatBytes(usual)} ${there}`;
  return [
    `Each response to ${name}${andMore(more.length)} ${sizes}: the smaller one may be an error page. ${allowHint("sizes")}`,
  ];
}

function andMore(count: number): string {
  return count === 0 ? "" : ` and ${formatCounted(count, "more request")}`;
}

/** The expected responses to requests of one name. */
class Responses {
  count = 0;
  redirects = 0;
  /** The status of the last redirect. */
  status = "";
  /** Responses with a status of 2xx. */
  complete = 0;
  /** The bytes of these on the wire. */
  bytes = 0;

  add(metric: "http_reqs" | "data_received", status: string, value: number): void {
    const isComplete = status.startsWith("2");
    if (metric === "data_received") {
      if (isComplete) this.bytes += value;
      return;
    }
    this.count += value;
    if (isComplete) this.complete += value;
    if (!redirectStatuses.has(Number(status))) return;
    this.redirects += value;
    this.status = status;
  }
}

function responsesOf(runs: readonly NamedRun[]): Side {
  const all = new Map<string, Responses>();
  for (const { metric, tags, values } of seriesOfSide(runs)) {
    const { name, status = "" } = tags;
    if (name === undefined || tags["expected_response"] !== "true") continue;
    if (metric !== "http_reqs" && metric !== "data_received") continue;
    getOrAdd(all, name, () => new Responses()).add(metric, status, values["count"] ?? 0);
  }
  return all;
}
