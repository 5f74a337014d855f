import type { Cell } from "../../../format/table.ts";
import type { Style } from "../style.ts";

/** A bar of so many columns, of which a share (0 to 1) is done. */
export function barCell(share: number, columns: number, { symbols, accent, faint }: Style): Cell {
  const { barDone, barHalf, barLeft } = symbols;
  const halves = Math.floor(Math.min(1, Math.max(0, share)) * columns * 2 + 1e-9);
  const done = barDone.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? barHalf : "");
  return {
    text: done + barLeft.repeat(columns - done.length),
    paint: (bar) => accent(bar.slice(0, done.length)) + faint(bar.slice(done.length)),
  };
}
