import type { TestResult } from "@bearhug/sdk";

import {
  amountCells,
  amountTitles,
  describeCautions,
  describeDifferences,
  describeTurns,
  timeCells,
  timeTitles,
} from "../variant-words.ts";
import { code, words } from "./escape-markdown.ts";
import { item, section, table } from "./pieces.ts";

/** The variants of a run: their figures, and how they differ from the first. */
export function variantSections({ variants: result }: TestResult): string[] {
  if (result === undefined) return [];
  const [first, ...others] = result.variants;
  const titles = [...amountTitles, ...timeTitles.map((title) => `${title} ms`)];
  const figures = result.variants.map((variant) => [
    code(variant.name),
    ...amountCells(variant),
    ...timeCells(variant, "–").map((cells) => cells.join(" ").trim()),
  ]);
  const differences = others.flatMap((variant) => {
    const { real, others: unclear } = describeDifferences(variant);
    const told = real.map(({ figure, change, interval }) => [figure, change, interval]);
    const rest = unclear.length === 0 ? [] : [[unclear.join(", "), "no clear difference", ""]];
    return [...told, ...rest].map((cells) => [code(variant.name), ...cells]);
  });
  const columns = ["", `against ${code(first?.name ?? "")}`, "change", "95 % confidence interval"];
  return section("Variants", [
    `${words(describeTurns(result))}\n\n`,
    ...table([{ title: "" }, ...titles.map((title) => ({ title, isNumber: true }))], figures),
    "\n",
    ...table(
      columns.map((title) => ({ title })),
      differences,
    ),
    ...describeCautions(result).map((text, at) => `${at === 0 ? "\n" : ""}${item(words(text))}`),
  ]);
}
