import type { Omission } from "../capture-model.ts";
import type { Finding } from "../capture.ts";
import { plural } from "../show/text-layout.ts";

/** A sentence for a capture without a request to replay: why each was skipped, or what could not be read. */
export function describeNothing(omissions: readonly Omission[], findings: readonly Finding[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of omissions) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const skipped = Array.from(counts, ([reason, count]) => `${plural(count, "request")} (${reason})`);
  if (skipped.length > 0) return `The capture has nothing to replay. Skipped: ${skipped.join(", ")}.`;
  const [first] = findings;
  const what = first === undefined ? "" : ` ${first.path}: ${first.problem}.`;
  return `The capture has nothing to replay: no entry could be read.${what}`;
}
