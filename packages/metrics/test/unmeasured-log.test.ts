import { expect, test } from "vitest";

import { UnmeasuredLog } from "../src/unmeasured-log.ts";

const nowhere = () => null;

test("counts by host and stage, and reports where each was first seen, however often it is drained", () => {
  const log = new UnmeasuredLog();
  log.countsOf("load", "a:80", () => ({ line: 3, column: 1 })).requests++;
  log.countsOf("load", "a:80", () => expect.unreachable("its place is known")).connections++;
  log.countsOf("setup", "a:80", nowhere).refused++;
  const position = { line: 3, column: 1 };
  expect(log.drain()).toEqual([
    { host: "a:80", stage: "load", requests: 1, connections: 1, refused: 0, position },
    { host: "a:80", stage: "setup", requests: 0, connections: 0, refused: 1, position: null },
  ]);
  expect(log.drain()).toEqual([]);
  log.countsOf("load", "a:80", nowhere).requests++;
  expect(log.drain()).toEqual([
    { host: "a:80", stage: "load", requests: 1, connections: 0, refused: 0, position },
  ]);
});

test("adds up the counts of several workers", () => {
  const log = new UnmeasuredLog();
  const traffic = { host: "a:80", stage: "load", requests: 2, connections: 1, refused: 3 } as const;
  log.add({ ...traffic, position: { line: 1, column: 2 } });
  log.add({ ...traffic, position: { line: 9, column: 9 } });
  const position = { line: 1, column: 2 };
  expect(log.all()).toEqual([{ ...traffic, requests: 4, connections: 2, refused: 6, position }]);
});

test("is bounded: hosts beyond the first 50, and names that cannot be hosts, are counted together", () => {
  const log = new UnmeasuredLog();
  for (let port = 0; port < 1000; port++) log.countsOf("load", `a:${port}`, nowhere).connections++;
  log.countsOf("load", `${"x".repeat(10_000)}:80`, nowhere).refused++;
  const rows = log.all();
  expect(rows).toHaveLength(51);
  expect(rows.at(-1)).toMatchObject({ host: "(other)", connections: 950, refused: 1, position: null });
});

test("names a host only if the name is short enough to be one", () => {
  const log = new UnmeasuredLog();
  for (const length of [260, 261])
    log.countsOf("load", "x".repeat(length), () => ({ line: 1, column: 1 })).requests++;
  expect(log.all()).toMatchObject([
    { host: "x".repeat(260), position: { line: 1, column: 1 } },
    { host: "(other)", position: null },
  ]);
});
