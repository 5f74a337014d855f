import { expect, test } from "vitest";

import { chooseTargets } from "../src/choose-targets.ts";

const scenarios: Record<string, string[]> = {
  "/shop.load.ts": ["browse", "buy", "pay"],
  "/home.load.ts": ["visit"],
};
const scenariosOf = (file: string): string[] => scenarios[file] ?? [];
const shop = (scenario: string | null) => ({ file: "/shop.load.ts", scenario });
const home = { file: "/home.load.ts", scenario: null };

test.for([
  ["a whole test runs without --scenario", [shop(null)], [], [["/shop.load.ts", null]]],
  [
    "scenarios of a test run together",
    [shop("browse"), shop("pay")],
    [],
    [["/shop.load.ts", ["browse", "pay"]]],
  ],
  ["a test and one of its scenarios run once", [shop("buy"), shop(null)], [], [["/shop.load.ts", null]]],
  ["a hidden scenario does not run", [shop(null)], [shop("buy")], [["/shop.load.ts", ["browse", "pay"]]]],
  ["a hidden test does not run", [shop(null), home], [shop(null)], [["/home.load.ts", null]]],
  [
    "a test without any scenario left does not run",
    [shop("buy"), home],
    [shop("buy")],
    [["/home.load.ts", null]],
  ],
] as const)("%s", ([, chosen, excluded, targets]) => {
  expect(chooseTargets(chosen, excluded, scenariosOf)).toEqual(
    targets.map(([file, names]) => ({ file, scenarios: names })),
  );
});
