import type { UnmeasuredResult } from "@bearhug/sdk/result";
import { expect, test } from "vitest";

import { renderSummary } from "../src/terminal/summary.ts";
import { resultOf } from "./result-of.ts";

const some = (changes: Partial<UnmeasuredResult>): UnmeasuredResult => ({
  host: "api.example:443",
  stage: "load",
  requests: 0,
  connections: 0,
  refused: 0,
  source: null,
  ...changes,
});

/** The summary's section, its lines joined as they were before they were wrapped. */
function told(unmeasured: readonly UnmeasuredResult[]): string {
  const summary = renderSummary(resultOf({ unmeasured }), { colors: false, unicode: true, width: 200 });
  return /Unmeasured traffic\n(?: .*\n)*/.exec(summary)?.[0] ?? "";
}

test("requests and connections that went around bearhug are told with their hosts and lines", () => {
  const source = { file: "a.ts", line: 3, column: 7 };
  expect(
    told([
      some({ host: "db.example:5432", stage: "setup", connections: 2 }),
      some({ requests: 14, connections: 3, source }),
    ]),
  ).toBe(`Unmeasured traffic
  · 14 requests and 2 connections bypassed bearhug's http and are not in any metric
    2 connections to db.example:5432 in setup
    14 requests to api.example:443 at a.ts:3:7
`);
});

test("what was refused is told apart, and a long list is cut", () => {
  expect(told([some({ refused: 1 })])).toBe(`Unmeasured traffic
  · 1 connection was refused, because the test does not name this host (allowHosts, allowUnmeasured)
    1 connection to api.example:443
`);
  const many = Array.from({ length: 8 }, (_, n) => some({ host: `h${n}:80`, refused: 2 }));
  expect(told(many)).toContain("16 connections were refused, because the test does not name these hosts");
  expect(told(many)).toContain("and 3 more");
});

test("nothing is told of nothing, and a name cannot write to the terminal", () => {
  expect(told([])).toBe("");
  expect(told([some({ host: "\u001b[31mevil:80", requests: 1 })])).not.toContain("\u001b");
});
