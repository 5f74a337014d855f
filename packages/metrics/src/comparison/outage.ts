import type { VariantOutage, VariantResult, VariantsResult } from "@bearhug/sdk/result";
import { formatDuration } from "@bearhug/text/duration";

/** Describes a variant that was down in a sentence; null if it was not down. */
export function describeVariantOutage(
  { name, outage }: VariantResult,
  variants: VariantsResult,
): string | null {
  return outage === undefined ? null : `${name} went down: ${describeSpan(outage, variants)}`;
}

function describeSpan(
  { kind, fromMs, untilMs }: VariantOutage,
  { turnMs, blocks, variants }: VariantsResult,
): string {
  const from = formatDuration(fromMs);
  if (kind === "unanswered") return `it never answered requests that began about ${from} into the run`;
  // An outage that lasts into the last block is reported as lasting to the end: that block may be incomplete.
  return untilMs >= (blocks - 1) * turnMs * variants.length
    ? `no request to it succeeded from about ${from} on`
    : `no request to it succeeded from about ${from} to ${formatDuration(untilMs)}`;
}
