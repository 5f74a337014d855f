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

/** Returns the summary's section about unmeasured traffic, on lines too wide to wrap. */
function sectionOf(unmeasured: readonly UnmeasuredResult[]): string {
  const summary = renderSummary(resultOf({ unmeasured }), { colors: false, unicode: true, width: 200 });
  return /Unmeasured traffic\n(?: .*\n)*/.exec(summary)?.[0] ?? "";
}

test("requests and connections that bypassed bearhug are reported with their hosts and source lines", () => {
  const source = { file: "a.ts", line: 3, column: 7 };
  expect(
    sectionOf([
      some({ host: "db.example:5432", stage: "setup", connections: 2 }),
      some({ requests: 14, connections: 3, source }),
    ]),
  ).toBe(`Unmeasured traffic
  · 14 requests and 2 connections bypassed bearhug's http and are not in any metric
    2 connections to db.example:5432 in setup
    14 requests to api.example:443 at a.ts:3:7
`);
});

test("a single request or connection that bypassed bearhug is in the singular", () => {
  expect(sectionOf([some({ connections: 1 })])).toContain(
    "1 connection bypassed bearhug's http and is not in any metric",
  );
  expect(sectionOf([some({ requests: 1, connections: 1 })])).toContain(
    "1 request bypassed bearhug's http and is not in any metric",
  );
  expect(sectionOf([some({ requests: 1 }), some({ connections: 1 })])).toContain(
    "1 request and 1 connection bypassed bearhug's http and are not in any metric",
  );
});

test("refused connections are reported separately, and a long list is cut", () => {
  expect(sectionOf([some({ refused: 1 })])).toBe(`Unmeasured traffic
  · 1 connection was refused, because the test does not name this host (allowHosts, allowUnmeasured)
    1 connection to api.example:443
`);
  const many = Array.from({ length: 8 }, (_, n) => some({ host: `h${n}:80`, refused: 2 }));
  expect(sectionOf(many)).toContain(
    "16 connections were refused, because the test does not name these hosts",
  );
  expect(sectionOf(many)).toContain("and 3 more");
});

test("there is no section without such traffic, and a host name cannot control the terminal", () => {
  expect(sectionOf([])).toBe("");
  expect(sectionOf([some({ host: "\u001b[31mevil:80", requests: 1 })])).not.toContain("\u001b");
});
