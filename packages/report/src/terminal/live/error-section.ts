import type { IntervalSnapshot } from "@bearhug/sdk";

import { errorsSoFar } from "../../model/so-far.ts";
import { text } from "../../model/table.ts";
import type { Style } from "../style.ts";
import { tableLines } from "../table-section.ts";
import type { Section } from "./fit-height.ts";

const mostShown = 6;
const countColumns = 9;

/** Errors so far, each code with the request that most of them hit. */
export function errorSection(snapshot: IntervalSnapshot, style: Style): Section {
  const { columns, rows } = errorsSoFar(snapshot);
  const wanted = Math.min(rows.length, mostShown);
  return {
    wanted,
    least: Math.min(1, wanted),
    keep: 6,
    render: (lines) => {
      const hidden = rows.length - lines;
      const shown = rows.slice(0, hidden > 0 && lines > 1 ? lines - 1 : lines);
      const titles = [" ".repeat(countColumns), "", ""];
      const lead = {
        columns: [text(""), ...columns.map((column, at) => ({ ...column, title: titles[at] ?? "" }))],
        rows: shown.map(({ cells }, at) => ({ cells: [{ text: at === 0 ? "errors    " : "" }, ...cells] })),
      };
      const more = rows.length - shown.length;
      return [
        ...tableLines(lead, style).slice(1),
        ...(lines > shown.length ? [style.faint(`${" ".repeat(23)}and ${more} more`)] : []),
      ];
    },
  };
}
