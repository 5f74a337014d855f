import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { chooseExitCode, exitCodes, type ExitCode } from "../../src/exit-codes.ts";

const known = new Map<number, ExitCode>(Object.values(exitCodes).map((code) => [code, code]));

test.each(["docs/exit-codes.md", "docs/cli.md", "README.md"])("%s has each exit code", (name) => {
  const listed = [...readPage(name).matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  expect(listed.toSorted((left, right) => left - right)).toEqual(
    [...known.keys()].toSorted((left, right) => left - right),
  );
});

test.each(["docs/exit-codes.md", "docs/cli.md"])("%s has the order of exit codes", (name) => {
  const page = readPage(name);
  const [order = ""] = /\b1, 104(?:,| and|\s|\d)+/.exec(page) ?? [];
  const failures = [...order.matchAll(/\d+/g)].flatMap(([code]) => known.get(Number(code)) ?? []);
  expect(failures).toHaveLength(known.size - 1);
  failures.forEach((code, index) => {
    expect(chooseExitCode(failures.slice(index).toReversed())).toBe(code);
  });
});

function readPage(name: string): string {
  return readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8");
}
