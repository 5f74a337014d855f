import { inCell } from "./escape-markdown.ts";

export function section(title: string, pieces: readonly string[]): string[] {
  return pieces.length === 0 ? [] : [`\n### ${title}\n\n`, ...pieces];
}

export function item(markdown: string): string {
  return `- ${markdown}\n`;
}

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.map(inCell).join(" | ")} |\n`;
  const titles = line(columns.map(({ title }) => title));
  const rule = line(columns.map(({ isNumber }) => (isNumber === true ? "---:" : "---")));
  return [titles + rule, ...rows.map(line)];
}
