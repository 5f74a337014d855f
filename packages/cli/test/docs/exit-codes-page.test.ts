import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { chooseExitCode, exitCodes, type ExitCode } from "../../src/exit-codes.ts";

const known = new Map<number, ExitCode>(Object.values(exitCodes).map((code) => [code, code]));

test.each(["exit-codes.md", "cli.md"])("docs/%s has each exit code, and their order", (name) => {
  const page = readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  expect(listed.toSorted((left, right) => left - right)).toEqual(
    [...known.keys()].toSorted((left, right) => left - right),
  );

  const [order = ""] = /\b1, 104(?:,| and|\s|\d)+/.exec(page) ?? [];
  const failures = [...order.matchAll(/\d+/g)].flatMap(([code]) => known.get(Number(code)) ?? []);
  expect(failures).toHaveLength(known.size - 1);
  failures.forEach((code, index) => {
    expect(chooseExitCode(failures.slice(index).toReversed())).toBe(code);
  });
});
