import type { TestResult } from "@bearhug/sdk";
import type { VariantResult } from "@bearhug/sdk/internal";

import {
  amountCells,
  amountTitles,
  describeCautions,
  describeDifferences,
  describeTurns,
  timeCells,
  timeTitles,
} from "../variant-words.ts";
import { mergeEncoded, percentileOf } from "../../metrics/measured-trend.ts";
import type { ComparisonFacts, TableFacts } from "./page-facts.ts";
import { numberColumn, row, textCell, textColumn } from "./table-cells.ts";

const percentiles = [10, 25, 50, 75, 90, 95, 99, 99.9];

/** The response times of all variants in one chart, and how they differ; none for a run without variants. */
export function gatherVariants({ variants: result }: TestResult): ComparisonFacts[] {
  if (result === undefined) return [];
  const [first, ...others] = result.variants;
  const differences = others.flatMap((variant) => {
    const { real, others: unclear } = describeDifferences(variant);
    const against = `${variant.name} against ${first?.name ?? ""}`;
    const told = real.map(({ figure, change, interval }) => `${figure} ${change} (${interval})`);
    return [
      ...(told.length === 0 ? [] : [`${against}: ${told.join("; ")}`]),
      ...(unclear.length === 0 ? [] : [`${against}: no clear difference in ${unclear.join(", ")}`]),
    ];
  });
  return [
    {
      id: "variants",
      title: "Variants",
      axis: "percentile",
      sentences: [`Compared ${describeTurns(result)}.`, ...differences, ...describeCautions(result)],
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

/** The figures of each variant, with the intervals of its times. */
export function variantTable({ variants: result }: TestResult): TableFacts {
  return {
    id: "variant-figures",
    title: "Variants",
    note: "times in ms; 95 % confidence intervals",
    columns: [textColumn("variant"), ...[...amountTitles, ...timeTitles].map(numberColumn)],
    rows: (result?.variants ?? []).map((variant) =>
      row(
        textCell(variant.name),
        ...amountCells(variant).map(textCell),
        ...timeCells(variant, "–").map((cells) => textCell(cells.join(" ").trim())),
      ),
    ),
  };
}
