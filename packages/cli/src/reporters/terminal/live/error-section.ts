import type { IntervalSnapshot } from "@bearhug/sdk";

import { formatCount } from "../../../format/number.ts";
import type { Row } from "../../../format/table.ts";
import type { Style } from "../style.ts";
import type { Section } from "./fit-height.ts";

const mostShown = 6;

/** Errors so far, each code with the request that most of them hit. */
export function errorSection({ errors }: IntervalSnapshot, style: Style): Section {
  const wanted = Math.min(errors.length, mostShown);
  return {
    wanted,
    least: Math.min(1, wanted),
    keep: 6,
    render: (lines) => {
      const hidden = errors.length - lines;
      const shown = errors.slice(0, hidden > 0 && lines > 1 ? lines - 1 : lines);
      const rows = shown.map(({ code, count, name }, index): Row => [
        index === 0 ? "errors    " : "",
        { text: formatCount(count), paint: style.bad },
        { text: style.text(code), paint: style.bad },
        { text: style.text(name), paint: style.faint },
      ]);
      const count = { title: " ".repeat(9), align: "right" } as const;
      const columns = [{ title: "" }, count, { title: "", shrinks: true }, { title: "", shrinks: true }];
      const more = errors.length - shown.length;
      return [
        ...style.table(columns, rows).slice(1),
        ...(lines > shown.length ? [style.faint(`${" ".repeat(23)}and ${more} more`)] : []),
      ];
    },
  };
}
