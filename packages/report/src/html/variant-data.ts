import { mergeEncoded, percentileOf } from "@bearhug/metrics/measured-trend";
import type { TestResult } from "@bearhug/sdk";
import type { VariantResult } from "@bearhug/sdk/result";

import { describeCautions, describeTurns, describeUnclear } from "../model/variants.ts";
import type { ComparisonData } from "./page-data.ts";

const percentiles = [10, 25, 50, 75, 90, 95, 99, 99.9];

/**
 * Gathers the response times of all variants in one chart, and how they differ; none for a run without
 * variants.
 */
export function gatherVariants({ variants: result }: TestResult): ComparisonData[] {
  if (result === undefined) return [];
  return [
    {
      id: "variants",
      title: "Variants",
      axis: "percentile",
      sentences: [
        `Compared ${describeTurns(result)}.`,
        ...describeUnclear(result),
        ...describeCautions(result),
      ],
      places: percentiles.map((percentile) => `p${percentile}`),
      charts: [
        {
          id: "variant-times",
          title: "Response times",
          note: "by percentile",
          unit: "ms",
          lines: result.variants.map((variant) => ({ label: variant.name, values: timesOf(variant) })),
        },
      ],
    },
  ];
}

function timesOf({ histogram }: VariantResult): (number | null)[] {
  const trend = histogram === null ? null : mergeEncoded([histogram]);
  return percentiles.map((percentile) => (trend === null ? null : percentileOf(trend, percentile)));
}
