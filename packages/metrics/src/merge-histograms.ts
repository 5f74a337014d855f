import type { DecodedHistogram } from "./histogram-encoding.ts";
import { Histogram } from "./histogram.ts";

/** Adds up histograms of a result, with the fewest digits of any: buckets of fewer digits cannot be split. */
export function mergeHistograms(decoded: readonly DecodedHistogram[]): Histogram {
  const merged = new Histogram(decoded.some(({ precision }) => precision === 2) ? 2 : 3);
  for (const { buckets, precision } of decoded) merged.add(buckets, precision);
  return merged;
}
