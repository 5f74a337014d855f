import type { ComparedFigure } from "@bearhug/sdk/result";

type Change = ComparedFigure["change"];

/** Formats a change with its sign, for a column: "+12.4 %", "−0.31 pts", "0". */
export function formatChange(change: Change, difference: number): string {
  const digits = signed(change, difference);
  if (digits === "0") return digits;
  return `${digits} ${change === "points" ? "pts" : "%"}`;
}

/** Formats a tolerance as it was given: "5 %", "0.5 points". */
export function formatTolerance(change: Change, tolerance: number): string {
  return `${Number((tolerance * 100).toFixed(4))} ${unitOf(change)}`;
}

/** Formats the size of a change, for a sentence: "12.4 %", "0.31 points". */
export function formatSize(change: Change, difference: number): string {
  return `${digitsOf(change, difference)} ${unitOf(change)}`;
}

/** Formats the ends of a change's interval, without a unit: "+8.1 to +16.9"; empty if there is none. */
export function formatInterval({ change, interval }: Pick<ComparedFigure, "change" | "interval">): string {
  return interval === null ? "" : interval.map((end) => signed(change, end)).join(" to ");
}

export function unitOf(change: Change): string {
  return change === "points" ? "points" : "%";
}

function signed(change: Change, share: number): string {
  const digits = digitsOf(change, share);
  if (digits === "0") return digits;
  return `${share < 0 ? "−" : "+"}${digits}`;
}

function digitsOf(change: Change, share: number): string {
  const percent = Math.abs(share * 100);
  const decimals = change === "points" ? 2 : percent >= 100 ? 0 : 1;
  const digits = percent.toFixed(decimals);
  return Number(digits) === 0 ? "0" : digits;
}
