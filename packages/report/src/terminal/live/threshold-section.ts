import type { IntervalSnapshot } from "@bearhug/sdk";

import { thresholdsSoFar } from "../../model/so-far.ts";
import type { Row } from "../../model/table.ts";
import type { Style } from "../style.ts";
import { tableLines } from "../table-section.ts";
import type { Section } from "./fit-height.ts";

/** Thresholds as they stand. If not all can be shown, those that fail come first. */
export function thresholdSection(snapshot: IntervalSnapshot, style: Style): Section {
  const { columns, rows } = thresholdsSoFar(snapshot);
  const show = (shown: readonly Row[]): string[] =>
    tableLines({ columns, rows: shown }, style, { isTitled: false });
  return {
    wanted: rows.length,
    least: Math.min(1, rows.length),
    keep: 7,
    render: (lines) => {
      if (lines >= rows.length) return show(rows);
      const failing = rows.filter(isFailing);
      const count = Math.max(1, lines - 1);
      const shown = [...failing, ...rows.filter((row) => !isFailing(row))].slice(0, count);
      const failingHidden = Math.max(0, failing.length - count);
      const more = `  and ${rows.length - count} more${failingHidden > 0 ? `, ${failingHidden} of them failing` : ""}`;
      return [...show(shown), ...(lines > 1 ? [style.faint(more)] : [])];
    },
  };
}

function isFailing({ cells: [outcome] }: Row): boolean {
  return outcome?.tone === "bad";
}
