import type { TestResult } from "@bearhug/sdk";
import type { OverloadPhase } from "@bearhug/sdk/internal";

import { describeOverload, describeRecovery, phaseCells, phaseTitles } from "../overload-words.ts";
import type { Style } from "./style.ts";

const barColumns = 13;

/** How the target took a load past its rate: goodput against offered load, phase by phase. */
export function renderOverload({ overload }: TestResult, style: Style): string[] {
  if (overload === undefined) return [];
  const { phases } = overload;
  const most = Math.max(0, ...phases.map(({ offered, goodput }) => Math.max(offered, goodput)));
  const columns = [
    ...phaseTitles.map((title, index) => ({ title, ...(index > 0 && { align: "right" as const }) })),
    { title: "of the load", keep: 1 },
  ];
  const rows = phases.map((phase) => [...phaseCells(phase), renderBar(phase, most, style)]);
  return [
    style.heading("Overload"),
    ...style.paragraph(style.text(describeOverload(overload))),
    ...describeRecovery(overload).flatMap((text) => style.paragraph(text)),
    ...style.table(columns, rows),
  ];
}

/** A bar as long as the offered load, filled as far as goodput goes. */
function renderBar({ offered, goodput }: OverloadPhase, most: number, { symbols }: Style): string {
  if (most === 0) return "";
  const [good, all] = [goodput, offered].map((rate) => Math.round((rate / most) * barColumns));
  return symbols.block.repeat(good ?? 0) + symbols.barLeft.repeat(Math.max(0, (all ?? 0) - (good ?? 0)));
}
