import { blockLevels } from "@bearhug/text/sparkline";

/** The symbols in reports. Terminals that show only ASCII get a second set. */
export interface Symbols {
  readonly passed: string;
  readonly failed: string;
  readonly unknown: string;
  readonly warning: string;
  readonly ellipsis: string;
  readonly dot: string;
  readonly to: string;
  readonly barDone: string;
  /** Half a column of a progress bar; empty if it cannot be shown. */
  readonly barHalf: string;
  readonly barLeft: string;
  /** Levels of a sparkline, from lowest to highest. */
  readonly levels: string;
  /** A column of a chart, and half of one. */
  readonly block: string;
  readonly halfBlock: string;
  /**
   * Levels of one character in a filled chart, from lowest to highest, and the fill of a bar whose end is
   * unknown.
   */
  readonly fill: string;
  readonly shade: string;
  /** The axes of a chart. */
  readonly chartSide: string;
  readonly chartCorner: string;
  readonly chartLine: string;
  readonly chartMark: string;
  /** A range in a chart. */
  readonly rangeStart: string;
  readonly rangeLine: string;
  readonly rangeMiddle: string;
  readonly rangeEnd: string;
}

const unicodeSymbols: Symbols = {
  passed: "✓",
  failed: "✗",
  unknown: "?",
  warning: "!",
  ellipsis: "…",
  dot: "·",
  to: "–",
  barDone: "━",
  barHalf: "╸",
  barLeft: "─",
  levels: blockLevels,
  block: "█",
  halfBlock: "▌",
  fill: blockLevels,
  shade: "░",
  chartSide: "│",
  chartCorner: "└",
  chartLine: "─",
  chartMark: "┬",
  rangeStart: "├",
  rangeLine: "─",
  rangeMiddle: "┼",
  rangeEnd: "┤",
};

const asciiSymbols: Symbols = {
  passed: "ok",
  failed: "FAIL",
  unknown: "?",
  warning: "!",
  ellipsis: "...",
  dot: "-",
  to: " to ",
  barDone: "#",
  barHalf: "",
  barLeft: ".",
  levels: ".:-=+*#%",
  block: "#",
  halfBlock: "",
  fill: "#",
  shade: ".",
  chartSide: "|",
  chartCorner: "+",
  chartLine: "-",
  chartMark: "+",
  rangeStart: "[",
  rangeLine: "-",
  rangeMiddle: "+",
  rangeEnd: "]",
};

export function chooseSymbols(unicode: boolean): Symbols {
  return unicode ? unicodeSymbols : asciiSymbols;
}

/** Converts formatted figures for a terminal that shows only ASCII. */
export function toAsciiFigures(text: string): string {
  return text
    .replaceAll("\u202f", " ")
    .replaceAll("µ", "u")
    .replaceAll("≥", ">")
    .replaceAll("−", "-")
    .replaceAll("±", "+-");
}
