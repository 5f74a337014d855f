import { readFileSync } from "node:fs";

/** What the documentation says of one kind. */
export interface DocumentedKind {
  readonly exitCode: number;
  /** Matches what the verdict says; `…` in the documentation stands for any text. */
  readonly says: RegExp;
}

const page = new URL("../../../../../docs/exit-codes.md", import.meta.url);

/** The rows of the table below a heading of docs/exit-codes.md, by their kind. */
export function documentedKinds(heading: string): ReadonlyMap<string, DocumentedKind> {
  const [, after = ""] = readFileSync(page, "utf8").split(`### ${heading}\n`);
  const rows = after.split(/\n#{2,3} /, 1)[0]?.match(/^\|.*\|$/gm) ?? [];
  const kinds = rows.slice(2).map((row) => {
    const [kind = "", exitCode = "", says = ""] = row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    return [kind, { exitCode: Number(exitCode), says: patternOf(says) }] as const;
  });
  return new Map(kinds);
}

function patternOf(says: string): RegExp {
  const parts = says.replaceAll("`", "").split("…");
  return new RegExp(
    parts.map((part) => part.trim().replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".*"),
    "s",
  );
}
