import type { DecodedHistogram } from "./histogram-encoding.ts";
import { Histogram } from "./histogram.ts";

/**
 * Merges histograms of a result at the lowest precision among them, because buckets of fewer
 * digits cannot be split.
 */
export function mergeHistograms(decoded: readonly DecodedHistogram[]): Histogram {
  const merged = new Histogram(decoded.some(({ precision }) => precision === 2) ? 2 : 3);
  for (const { buckets, precision } of decoded) merged.add(buckets, precision);
  return merged;
}
