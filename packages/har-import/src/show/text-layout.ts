import { displayWidth, shorten, wrap } from "@bearhug/sdk/internal";

/** Width of everything that is shown as text. */
export const pageWidth = 100;

/** Shortens a text to `columns`, in its middle. */
export function fit(text: string, columns: number): string {
  return shorten(text, columns, "…");
}

/** One line, the second text at its right end. */
export function spread(left: string, right: string): string {
  const room = pageWidth - displayWidth(right) - 1;
  return `${padTo(fit(left, room), room)} ${right}`.trimEnd();
}

/** Breaks a text at its spaces into lines that fit behind an indent. */
export function indented(text: string, indent: string): string[] {
  return wrap(text, pageWidth - indent.length).map((line) => `${indent}${line}`.trimEnd());
}

/** Filled up with spaces on its right. */
export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}
