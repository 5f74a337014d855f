import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { faultMatrix } from "./fault-matrix.ts";
import type { Outcome } from "./fault-row.ts";
import { undiciDifferences } from "./undici-differences.ts";

const page = readFileSync(new URL("../../../../docs/http.md", import.meta.url), "utf8");

/** Returns the code and phase of a failure, or the status, with the other errors that are listed. */
function describeOutcome({ code, phase, status, errors = [] }: Outcome): string {
  const listed = errors.filter((error) => error !== code).map((error) => `, \`${error}\``);
  const ended = code === null ? String(status) : `\`${code}\``;
  return `${ended}${phase === undefined ? "" : `, ${phase}`}${listed.join("")}`;
}

test("docs/http.md lists exactly the faults that end differently with undici, with the reason", () => {
  const differences = [...undiciDifferences].map(([name, { outcome, why }]) => {
    const own = faultMatrix.find((row) => row.name === name);
    if (own === undefined) throw new Error(`no fault is called ${name}`);
    return [name, describeOutcome(own.outcome), describeOutcome(outcome), why];
  });
  const [, table = ""] = /<!-- undici-differences -->\n(.*)<!-- \/undici-differences -->/s.exec(page) ?? [];
  const documented = table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  expect(documented.slice(2)).toEqual(differences);
});
