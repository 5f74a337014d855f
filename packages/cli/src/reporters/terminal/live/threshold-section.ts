import type { IntervalSnapshot, ThresholdStanding } from "@bearhug/sdk";

import { formatThresholdValue } from "../../../format/threshold-value.ts";
import type { Cell, Row } from "../../../format/table.ts";
import type { Style } from "../style.ts";
import type { Section } from "./fit-height.ts";

/** Thresholds as they stand. If not all can be shown, those that fail come first. */
export function thresholdSection({ thresholds }: IntervalSnapshot, style: Style): Section {
  return {
    wanted: thresholds.length,
    least: Math.min(1, thresholds.length),
    keep: 7,
    render: (lines) => {
      if (lines >= thresholds.length) return renderRows(thresholds, style);
      const shown = failingFirst(thresholds).slice(0, Math.max(1, lines - 1));
      const hidden = thresholds.length - shown.length;
      const failing = thresholds.filter(({ passed }) => passed === false).length;
      const failingHidden = failing - shown.filter(({ passed }) => passed === false).length;
      const more = `  and ${hidden} more${failingHidden > 0 ? `, ${failingHidden} of them failing` : ""}`;
      return [...renderRows(shown, style), ...(lines > 1 ? [style.faint(more)] : [])];
    },
  };
}

function failingFirst(thresholds: readonly ThresholdStanding[]): readonly ThresholdStanding[] {
  const isFailing = ({ passed }: ThresholdStanding): number => (passed === false ? 0 : 1);
  return thresholds.toSorted((one, other) => isFailing(one) - isFailing(other));
}

function renderRows(thresholds: readonly ThresholdStanding[], style: Style): string[] {
  const rows = thresholds.map((threshold): Row => {
    const { metric, expression, passed, actual } = threshold;
    const value = actual === null ? "" : formatThresholdValue(threshold, actual, {});
    const paint = passed === false ? { paint: style.bad } : {};
    return [
      symbolOf(threshold, style),
      { text: style.text(metric), ...paint },
      { text: style.text(expression), ...paint },
      { text: value, ...paint },
    ];
  });
  return style.table(
    [{ title: "" }, { title: "", shrinks: true }, { title: "", shrinks: true }, { title: "" }],
    rows,
  );
}

function symbolOf({ passed }: ThresholdStanding, { symbols, good, bad, faint }: Style): Cell {
  if (passed === null) return { text: symbols.dot, paint: faint };
  return passed ? { text: symbols.passed, paint: good } : { text: symbols.failed, paint: bad };
}
