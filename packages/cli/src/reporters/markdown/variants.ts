import type { TestResult } from "@bearhug/sdk";

import {
  describeCautions,
  describeTurns,
  describeUnclear,
  differenceTable,
  variantTable,
} from "../model/variants.ts";
import { words } from "./escape-markdown.ts";
import { items, section, table } from "./pieces.ts";

/** The variants of a run: their figures, and how they differ from the first. */
export function variantSections({ variants: result }: TestResult): string[] {
  if (result === undefined) return [];
  const differences = differenceTable(result);
  return section("Variants", [
    `${words(describeTurns(result))}\n\n`,
    ...table(variantTable(result)),
    `\n${words(differences.title)}:\n\n`,
    ...table(differences),
    "\n",
    ...items([...describeUnclear(result), ...describeCautions(result)]),
  ]);
}
