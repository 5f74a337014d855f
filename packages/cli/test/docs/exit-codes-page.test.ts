import { readFileSync } from "node:fs";

import { chooseExitCode, exitCodes, type ExitCode } from "@bearhug/metrics/results/exit-codes";
import { expect, test } from "vitest";

const known = new Map<number, ExitCode>(Object.values(exitCodes).map((code) => [code, code]));

const page = readFileSync(new URL("../../../../docs/exit-codes.md", import.meta.url), "utf8");

test("docs/exit-codes.md lists every exit code, and no other", () => {
  const listed = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  expect(listed.toSorted((left, right) => left - right)).toEqual(
    [...known.keys()].toSorted((left, right) => left - right),
  );
});

test("docs/exit-codes.md lists the exit codes in their order of precedence", () => {
  const [order = ""] = /\b1, 104(?:,| and|\s|\d)+/.exec(page) ?? [];
  const failures = [...order.matchAll(/\d+/g)].flatMap(([code]) => known.get(Number(code)) ?? []);
  expect(failures).toHaveLength(known.size - 1);
  failures.forEach((code, index) => {
    expect(chooseExitCode(failures.slice(index).toReversed())).toBe(code);
  });
});
