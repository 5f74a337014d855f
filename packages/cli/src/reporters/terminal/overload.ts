import type { TestResult } from "@bearhug/sdk";
import type { OverloadPhase } from "@bearhug/sdk/internal";

import { describeOverload, phaseTable } from "../model/overload.ts";
import { text } from "../model/table.ts";
import type { Style } from "./style.ts";
import { tableLines } from "./table-section.ts";

const barColumns = 13;

/** How the target took a load past its rate: goodput against offered load, phase by phase. */
export function renderOverload({ overload }: TestResult, style: Style): string[] {
  if (overload === undefined) return [];
  const { phases } = overload;
  const most = Math.max(0, ...phases.map(({ offered, goodput }) => Math.max(offered, goodput)));
  const { columns, rows } = phaseTable(overload);
  const table = {
    columns: [...columns, { ...text("of the load"), keep: 1 }],
    rows: rows.map(({ cells }, at) => ({ cells: [...cells, { text: renderBar(phases[at], most, style) }] })),
  };
  return [
    style.heading("Overload"),
    ...describeOverload(overload).flatMap((sentence) => style.paragraph(style.text(sentence))),
    ...tableLines(table, style),
  ];
}

/** A bar as long as the offered load, filled as far as goodput goes. */
function renderBar(phase: OverloadPhase | undefined, most: number, { symbols }: Style): string {
  if (phase === undefined || most === 0) return "";
  const [good, all] = [phase.goodput, phase.offered].map((rate) => Math.round((rate / most) * barColumns));
  return symbols.block.repeat(good ?? 0) + symbols.barLeft.repeat(Math.max(0, (all ?? 0) - (good ?? 0)));
}
