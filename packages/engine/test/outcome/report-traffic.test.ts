import { expect, test } from "vitest";

import { rebuildRun } from "../../src/outcome/rebuild-run.ts";
import { TrafficReporter } from "../../src/outcome/report-traffic.ts";
import { recordedMoment, recordedRun } from "../recording/recorded.ts";
import { eachOf } from "./merge/parts.ts";

test("traffic that bypasses http has the place of its call, of its package's import, or none", async () => {
  const [called, imported] = [3, 1].map((line) => ({ file: "test.ts", line, column: 1 }));
  if (called === undefined || imported === undefined) throw new TypeError("no place");
  const position = { line: 40, column: 7 };
  const counts = { stage: "load", requests: 1, connections: 1, refused: 0 } as const;
  const usual = recordedMoment(0);
  const moment = {
    ...usual,
    places: [
      { position, source: called, frame: null },
      { position: { ...position, isForImport: true }, source: imported, frame: null },
    ],
    state: {
      ...usual.state,
      unmeasured: [
        { ...counts, host: "called.example:443", position },
        { ...counts, host: "imported.example:443", position: { ...position, isForImport: true } },
        { ...counts, host: "unknown.example:443", position: null },
        { ...counts, host: "built.example:443", position: { line: 9, column: 9 } },
      ],
    },
  };
  const { unmeasured } = await rebuildRun(recordedRun, eachOf([moment]));
  expect(unmeasured.map(({ host, source }) => [host, source])).toEqual([
    ["called.example:443", called],
    ["imported.example:443", imported],
    ["unknown.example:443", null],
    ["built.example:443", null],
  ]);
});

test("traffic that bypasses http is warned of once for each host, and again when it is refused", () => {
  const position = { line: 40, column: 7 };
  const source = { file: "test.ts", line: 3, column: 1 };
  const warnings: string[] = [];
  const locate = ({ line }: { readonly line: number }) => (line === 40 ? { source, frame: null } : null);
  const reporter = new TrafficReporter(locate, (sentence) => warnings.push(sentence));
  const counts = { stage: "load", requests: 1, connections: 1, refused: 0 } as const;
  for (let second = 0; second < 2; second++)
    reporter.report([
      { ...counts, host: "a.example:443", position },
      { ...counts, host: "b.example:443", position: null },
      { ...counts, host: "c.example:443", position: { line: 9, column: 9 } },
      { ...counts, host: "a.example:443", refused: 1, position },
    ]);
  expect(warnings).toEqual([
    "traffic to a.example:443 (test.ts:3:1) bypasses bearhug's http and is not in any metric",
    "traffic to b.example:443 bypasses bearhug's http and is not in any metric",
    "traffic to c.example:443 bypasses bearhug's http and is not in any metric",
    'a connection to a.example:443 was refused (test.ts:3:1): the test does not name this host. Add "a.example:443" to allowHosts, or set allowUnmeasured: true',
  ]);
});
