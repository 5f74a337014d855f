import type { TestResult } from "@bearhug/sdk";

import type { Row } from "../model/table.ts";
import { thresholdTable } from "../model/thresholds.ts";
import type { Style } from "./style.ts";
import { tableSection } from "./table-section.ts";

/** Each threshold with its measured value, and details of those that failed. */
export function renderThresholds(result: TestResult, style: Style): string[] {
  const indent = 4 + Math.max(style.symbols.failed.length, style.symbols.passed.length);
  const below = ({ details }: Row): string[] => {
    const { sentences, place } = details ?? { sentences: [], place: null };
    const pieces = [...sentences, ...(place === null ? [] : [style.text(place)])];
    return pieces.length === 0 ? [] : style.pieces(pieces, { indent, paint: style.faint });
  };
  return tableSection(thresholdTable(result), style, { isTitled: false, below });
}
