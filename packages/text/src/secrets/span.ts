/** A piece of a text, from `start` up to, but not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Sorts spans and merges those that overlap. A merged span keeps the fields of the first, and of the longest
 * if several start there.
 */
export function mergeSpans<S extends Span>(spans: readonly S[]): S[] {
  if (spans.length < 2) return spans.slice();
  const merged: S[] = [];
  for (const span of [...spans].sort((left, right) => left.start - right.start || right.end - left.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
}

/** Replaces pieces of a text. The spans must be sorted and must not overlap. */
export function replaceSpans<S extends Span>(
  text: string,
  spans: readonly S[],
  replacement: (span: S) => string,
): string {
  let at = 0;
  let replaced = "";
  for (const span of spans) {
    replaced += text.slice(at, span.start) + replacement(span);
    at = span.end;
  }
  return replaced + text.slice(at);
}
