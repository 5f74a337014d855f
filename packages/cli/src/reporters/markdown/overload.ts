import type { TestResult } from "@bearhug/sdk";

import { describeOverload, describeRecovery, phaseCells, phaseTitles } from "../overload-words.ts";
import { words } from "./escape-markdown.ts";
import { item, section, table } from "./pieces.ts";

/** How the target took a load past its rate. */
export function overloadSection({ overload }: TestResult): string[] {
  if (overload === undefined) return [];
  return section("Overload", [
    ...[describeOverload(overload), ...describeRecovery(overload)].map((text) => item(words(text))),
    "\n",
    ...table(
      phaseTitles.map((title, index) => ({ title, isNumber: index > 0 })),
      overload.phases.map(phaseCells),
    ),
  ]);
}
