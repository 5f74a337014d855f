import { expect, test } from "vitest";

import type { TargetKind } from "./broken-target.ts";
import { closedTest, meetAll, startForTest, wrongEnds } from "./matrix.ts";

const options = { breaksAfterMs: 1500 };

const kinds: readonly TargetKind[] = ["healthy", "restarts within a second", "dies", "hangs", "answers 503"];

test("ab-test fails for a new side that breaks, and its first line says so", async () => {
  const base = await startForTest("healthy", options);
  const met = await meetAll(kinds, options, ({ url }) => [
    "ab-test",
    closedTest(base.url, 4),
    "--base",
    base.url,
    "--new",
    url,
    "--workers",
    "0",
    "--allow",
    "generator",
    "--allow-saturated",
    "--max-failed",
    "50%",
  ]);
  expect(wrongEnds(met)).toEqual([]);
  for (const { isHealthy, firstLine } of met)
    expect(firstLine).toMatch(
      isHealthy ? /^(✓ OK: |\? UNDECIDED: )/ : /^✗ (REGRESSED: new went down: |failed: )/,
    );
});

test("a run with --variant fails for a variant that breaks", async () => {
  const variants = ["--variant", "old=", "--variant", "new=/=>/new", "--workers", "0", "--allow-saturated"];
  const met = await meetAll(
    ["healthy", "answers 503", "hangs"],
    { ...options, onlyPath: "/new" },
    ({ url }) => ["run", closedTest(url, 4), ...variants],
  );
  expect(wrongEnds(met)).toEqual([]);
  for (const { isHealthy, firstLine } of met)
    if (!isHealthy) expect(firstLine).toMatch(/^✗ failed: new went down: /);
});
