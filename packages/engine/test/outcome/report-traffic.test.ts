import { expect, test } from "vitest";

import { rebuildRun } from "../../src/outcome/rebuild-run.ts";
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
      ],
    },
  };
  const { unmeasured } = await rebuildRun(recordedRun, eachOf([moment]));
  expect(unmeasured.map(({ host, source }) => [host, source])).toEqual([
    ["called.example:443", called],
    ["imported.example:443", imported],
    ["unknown.example:443", null],
  ]);
});
